package tracker

import (
	"strconv"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// What an item that is read by a program has room for, in bytes as JSON has
// them. Together they stay below what one answer may hold.
const (
	roomOfAll         = tool.MaxAnswer - 4<<10
	roomOfDescription = 30 << 10 // beside all else
	roomOfHistory     = 12 << 10
	roomOfLabels      = 8 << 10 // the project's
)

// fromTheTop is before every comment there is.
const fromTheTop = "ffffffff-ffff-ffff-ffff-ffffffffffff"

// fit leaves of an item what one answer holds. Nothing is cut: what is left out
// has a cursor, and is handed over alone when that is sent.
func (out *ItemRead) fit(in GetItem) error {
	text := out.Description
	switch {
	case in.Offset > len(text):
		return refusal.Invalid.Say("The description is %d bytes long; there is nothing at %d.", len(text), in.Offset).On("offset")
	case in.Offset > 0 && in.Before != "":
		return refusal.Invalid.Say("Read on in the description or in the comments, one at a time.").On("offset")
	case in.Offset > 0:
		out.bare()
		out.Thread, out.CommentsNext, out.Description = []Comment{}, "", ""
		out.Description, out.More = tool.Stretch(text, in.Offset, roomOfAll-tool.Weight(out))
		return nil
	case in.Before != "":
		out.bare()
		out.Description = ""
		out.fitThread(1)
		return nil
	}
	out.Description, out.More = tool.Stretch(text, 0, roomOfDescription)
	if tool.Weight(out.Declared) > roomOfLabels {
		out.Declared = []Tag{}
	}
	out.fitHistory()
	out.fitThread(0)
	return nil
}

// bare takes off what the first answer held beside description and comments.
func (out *ItemRead) bare() {
	out.Links = Links{WaitingOn: []Linked{}, Blocking: []Linked{}, Linked: []Linked{}, Duplicates: []Linked{}, Parts: []Linked{}, Trail: []Linked{}}
	out.Watchers, out.Collaborators, out.Declared, out.Asks = []Person{}, []Person{}, []Tag{}, []Asked{}
	out.History, out.HistoryNext = []Event{}, ""
}

// fitHistory keeps the newest changes there is room for.
func (out *ItemRead) fitHistory() {
	room := roomOfHistory
	for i, event := range out.History {
		if room -= tool.Weight(event); room < 0 {
			out.HistoryNext = strconv.FormatInt(event.Position+1, 10)
			out.History = out.History[:i]
			return
		}
	}
}

// fitThread keeps the newest comments there is room for, and at least so many.
// A question is told once: it is the comment's own text.
func (out *ItemRead) fitThread(least int) {
	said := out.Thread
	for i := range said {
		if said[i].Ask != nil {
			asked := *said[i].Ask
			asked.Body = ""
			said[i].Ask = &asked
		}
	}
	out.Thread = []Comment{}
	room := roomOfAll - tool.Weight(out)
	for i, comment := range said {
		if room -= tool.Weight(comment); room < 0 && i >= least {
			out.CommentsNext = fromTheTop
			if i > 0 {
				out.CommentsNext = said[i-1].ID
			}
			return
		}
		out.Thread = append(out.Thread, comment)
	}
}
