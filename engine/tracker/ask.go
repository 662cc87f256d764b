package tracker

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
)

// Ask is a question to one person or seat, as it is put.
type Ask struct {
	To       string    `json:"to" validate:"required,max=200" jsonschema:"who is asked: handle, login or name"`
	Body     string    `json:"body,omitempty" text:"lines" jsonschema:"the question, Markdown; to be left out in comment_on_work_item, whose body is the question"`
	Decision *Decision `json:"decision,omitempty" jsonschema:"what there is to choose from; left out for an answer in their own words"`
	Due      string    `json:"due,omitempty" validate:"max=40" jsonschema:"by which day an answer is needed: 2031-04-16, tomorrow, eow, +7d"`
}

// Decision is a question with answers to choose from.
type Decision struct {
	Options []Choice `json:"options" validate:"required,min=2,max=8,dive" jsonschema:"2 to 8; they are numbered 1, 2, … in this order, and chosen by number"`
	Multi   bool     `json:"multi,omitempty" jsonschema:"several may be chosen"`
	Free    bool     `json:"free,omitempty" jsonschema:"an answer in their own words will do too"`
}

// Choice is one answer there is, as it is put.
type Choice struct {
	Label       string `json:"label" validate:"required,max=120" jsonschema:"one line"`
	Consequence string `json:"consequence,omitempty" validate:"max=500" jsonschema:"what follows when it is chosen"`
}

// Option is one answer there is, by its id.
type Option struct {
	ID          string `json:"id" jsonschema:"send it in choice"`
	Label       string `json:"label"`
	Consequence string `json:"consequence,omitempty" said:"asker"`
}

// Asked is a question as every door answers it.
type Asked struct {
	ID      string    `json:"id" jsonschema:"send it as answers, or as ask"`
	Item    string    `json:"item" jsonschema:"key of the item it is about"`
	Title   string    `json:"title" jsonschema:"the item's"`
	Asker   *Person   `json:"asker,omitempty"`
	To      *Person   `json:"to,omitempty"`
	Body    string    `json:"body,omitempty" said:"asker" jsonschema:"left out in a comment of an item's thread, whose text it is"`
	Options []Option  `json:"options" jsonschema:"empty for a question that is answered in words"`
	Multi   bool      `json:"multi,omitempty"`
	Free    bool      `json:"free,omitempty" jsonschema:"an answer in one's own words will do"`
	Due     string    `json:"due,omitempty"`
	State   string    `json:"state" jsonschema:"open, answered or withdrawn"`
	AskedAt time.Time `json:"asked_at"`
	Answer  *Answer   `json:"answer,omitempty"`
	Mine    bool      `json:"mine,omitempty" jsonschema:"it is yours to answer"`
	InPlace bool      `json:"in_place,omitempty" jsonschema:"it is another's, in whose place you may answer it"`
}

// Answer is what came of a question.
type Answer struct {
	Comment string    `json:"comment"` // id
	By      *Person   `json:"by,omitempty"`
	InPlace bool      `json:"in_place,omitempty" jsonschema:"in the place of whom the question was put to"`
	Body    string    `json:"body,omitempty" said:"by"`
	Choice  []Option  `json:"choice"`
	At      time.Time `json:"at"`
}

// askRow is a question as the database answers it, as JSON.
type askRow struct {
	ID         string     `json:"id"`
	Item       string     `json:"item"` // id
	Project    string     `json:"project"`
	No         int64      `json:"no"`
	Title      string     `json:"title"`
	Asker      string     `json:"asker"` // parties
	Addressee  string     `json:"addressee"`
	Body       string     `json:"body"`
	Options    []Option   `json:"options"`
	Multi      bool       `json:"multi"`
	Free       bool       `json:"free"`
	DueOn      *string    `json:"due_on"`
	State      string     `json:"state"`
	AskedAt    time.Time  `json:"asked_at"`
	Answer     *string    `json:"answer"` // id of the comment
	AnswerBody *string    `json:"answer_body"`
	AnsweredBy string     `json:"answered_by"`
	AnsweredAt *time.Time `json:"answered_at"`
	Choice     []string   `json:"choice"`
}

// askShape is an ask a of an item i as askRow reads it.
const askShape = `json_build_object('id', a.id, 'item', a.item, 'project', i.project, 'no', i.no, 'title', i.title,
	'asker', a.asker, 'addressee', a.addressee, 'body', (SELECT q.body FROM comments q WHERE q.id = a.id), 'options', a.options::json,
	'multi', a.multi, 'free', a.free, 'due_on', a.due_on, 'state', a.state, 'asked_at', a.asked_at, 'answer', a.answer,
	'answer_body', (SELECT r.body FROM comments r WHERE r.id = a.answer), 'answered_by', a.answered_by, 'answered_at', a.answered_at, 'choice', a.choice)`

// asksJSON is the open questions of an item read as i, the newest first.
const asksJSON = `(SELECT coalesce(json_agg(` + askShape + ` ORDER BY a.id DESC), '[]') FROM asks a WHERE a.item = i.id AND a.state = 'open')`

func (a askRow) key() string { return fmt.Sprintf("%s-%d", a.Project, a.No) }

// told is a question as an answer to somebody.
func (a askRow) told(dir *org.Directory, to access.Principal) Asked {
	out := Asked{
		ID: a.ID, Item: a.key(), Title: a.Title, Asker: person(dir, a.Asker), To: person(dir, a.Addressee), Body: a.Body,
		Options: append([]Option{}, a.Options...), Multi: a.Multi, Free: a.Free, State: a.State, AskedAt: a.AskedAt.UTC(),
	}
	if a.State == "open" {
		out.Mine = a.addresses(dir, to.Parties())
		out.InPlace = !out.Mine && standsIn(to, dir, a.Addressee)
	}
	if a.DueOn != nil {
		out.Due = *a.DueOn
	}
	if a.Answer != nil {
		out.Answer = &Answer{Comment: *a.Answer, By: person(dir, a.AnsweredBy), InPlace: !a.addresses(dir, []string{a.AnsweredBy}), Choice: a.chosen()}
		if a.AnswerBody != nil {
			out.Answer.Body = *a.AnswerBody
		}
		if a.AnsweredAt != nil {
			out.Answer.At = a.AnsweredAt.UTC()
		}
	}
	return out
}

// toldAll is questions as an answer.
func toldAll(dir *org.Directory, to access.Principal, rows []askRow) []Asked {
	asked := []Asked{}
	for _, row := range rows {
		asked = append(asked, row.told(dir, to))
	}
	return asked
}

// addresses reports whether the question is put to somebody, under any name:
// who was asked as a person and holds a seat now is still asked.
func (a askRow) addresses(dir *org.Directory, own []string) bool {
	if slices.Contains(own, a.Addressee) {
		return true
	}
	m, ok := dir.Member(a.Addressee)
	return ok && slices.Contains(own, m.Party)
}

// chosen is what was chosen, in the options' order.
func (a askRow) chosen() []Option { return chosenOf(a.Options, a.Choice) }

func chosenOf(options []Option, choice []string) []Option {
	chosen := []Option{}
	for _, o := range options {
		if slices.Contains(choice, o.ID) {
			chosen = append(chosen, o)
		}
	}
	return chosen
}

// fits refuses an answer the question does not allow.
func (a askRow) fits(body string, choice []string) error {
	worded := strings.TrimSpace(body) != ""
	switch {
	case len(a.Options) == 0 && len(choice) > 0:
		return refusal.Invalid.Say("This question has nothing to choose from; answer it in words, as body.").On("choice")
	case len(a.Options) == 0 && !worded:
		return refusal.Invalid.Say("Write the answer.").On("body")
	case len(a.Options) == 0:
		return nil
	case len(choice) > 0:
		return a.offers(choice)
	case !a.Free:
		return refusal.Invalid.Say("Choose %s: %s.", a.howMany(), a.listed()).On("choice").With("options", a.Options)
	case !worded:
		return refusal.Invalid.Say("Choose %s (%s), or answer in your own words.", a.howMany(), a.listed()).On("choice").With("options", a.Options)
	}
	return nil
}

// offers refuses what is none of the options, and more than may be chosen.
func (a askRow) offers(choice []string) error {
	if len(choice) > 1 && !a.Multi {
		return refusal.Invalid.Say("Choose one of them only: %s.", a.listed()).On("choice").With("options", a.Options)
	}
	for i, id := range choice {
		if !slices.ContainsFunc(a.Options, func(o Option) bool { return o.ID == id }) || slices.Contains(choice[:i], id) {
			return refusal.Invalid.Say("%q is none of the options, or is named twice. They are %s; send their ids.", id, a.listed()).On("choice").With("options", a.Options)
		}
	}
	return nil
}

func (a askRow) howMany() string {
	if a.Multi {
		return "one or more"
	}
	return "one"
}

func (a askRow) listed() string {
	words := make([]string, len(a.Options))
	for i, o := range a.Options {
		words[i] = o.ID + " (" + o.Label + ")"
	}
	return strings.Join(words, ", ")
}

// unanswerable refuses an answer to a question that is no longer open, and
// shows what it came to.
func (a askRow) unanswerable(dir *org.Directory, to access.Principal) error {
	told := a.told(dir, to)
	switch a.State {
	case "answered":
		by := "Somebody"
		if told.Answer.By != nil {
			by = told.Answer.By.Name
		}
		return refusal.AlreadyAnswered.Say("%s has answered this already. Comment if there is more to say.", by).On("answers").With("ask", told)
	case "withdrawn":
		return refusal.Conflict.Say("This question was withdrawn, so it takes no answer.").On("answers").With("ask", told)
	}
	return nil
}
