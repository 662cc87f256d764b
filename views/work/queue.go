package work

import (
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"crewlet/views/ui"
)

// Queue is what somebody is to do, in order.
type Queue struct {
	Whose *Person // nil for the viewer's own
	Rows  []Item
	By    *Person // who ordered it, where that was not its owner
	Since ui.TimeView
	May   bool          // order it
	Keys  func() string // a new operation key for each form
	Form  Form          // the one that came back
}

// QueueAddress is the page of somebody's queue.
func QueueAddress(handle string) string {
	if handle == "" {
		return MineAddress
	}
	return MineAddress + "?person=" + url.QueryEscape(handle)
}

// Enqueue puts an item of a list into a queue.
type Enqueue struct{ Item, Whose, Label, Key string }

func (q Queue) whose() string {
	if q.Whose == nil {
		return ""
	}
	return q.Whose.Handle
}

func (q Queue) title() string {
	if q.Whose == nil {
		return "Your queue"
	}
	return "Queue of " + q.Whose.Name
}

// note says how many there are.
func (q Queue) note() string {
	if len(q.Rows) == 0 {
		return ""
	}
	return strconv.Itoa(len(q.Rows))
}

// addKey is the key of the form that puts an item in: the one it came back with.
func (q Queue) addKey() string {
	if q.Form.Wrong["item"] != "" {
		return q.Form.Key
	}
	return q.Keys()
}

func (q Queue) lede() string {
	switch {
	case len(q.Rows) > 0:
		return "In its order."
	case q.Whose == nil:
		return "Nothing is in it. Put in what you will do first."
	default:
		return "Nothing is in it."
	}
}

// place is an item of the queue with what stands around it.
type place struct {
	Item
	No, Whose, Key string
	Above, Below   string // keys; empty at the ends
}

func (q Queue) places() []place {
	list := make([]place, len(q.Rows))
	for i, it := range q.Rows {
		list[i] = place{Item: it, No: strconv.Itoa(i + 1), Whose: q.whose()}
		if q.May {
			list[i].Key = q.Keys()
		}
		if i > 0 {
			list[i].Above = q.Rows[i-1].Key
		}
		if i+1 < len(q.Rows) {
			list[i].Below = q.Rows[i+1].Key
		}
	}
	return list
}

// placing are the attributes of a form whose answer is the work as it is then.
func placing() templ.Attributes {
	return templ.Attributes{
		"hx-post": MineAddress, "hx-target": "#mine", "hx-swap": "innerMorph",
		"hx-status:422": "swap:innerMorph", "hx-status:409": "swap:innerMorph",
	}
}

// few is how many people stand as links; of more, one is typed.
const few = 24
