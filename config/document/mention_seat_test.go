package document_test

import (
	"strings"
	"testing"

	"crewlet/config/document"
)

func TestASeatsMentionsFollowARename(t *testing.T) {
	for name, c := range map[string]struct {
		old, handle, called string
		was, is             []string // what stands in the text before and after, in turn
	}{
		"a handle made of the name": {"backend-lead", "be", "",
			[]string{"calls_per_minute: 30}\n", "seat: backend-lead}", "[backend-lead, platform]", "start: [backend-lead]"},
			[]string{"calls_per_minute: 30}\n        handle: be\n", "seat: be}", "[be, platform]", "start: [be]"}},
		"a handle that is written": {"chief", "cos", "Chief", []string{"name: Chief of staff, handle: chief", "[chief, {"}, []string{"name: Chief, handle: cos", "[cos, {"}},
		"a unit's lead":            {"ada", "a_lovelace", "", []string{"manages: [backend-lead, platform]\n", "lead: ada", "seat: ada"}, []string{"manages: [backend-lead, platform]\n        handle: a_lovelace\n", "lead: a_lovelace", "seat: a_lovelace"}},
		"the name alone":           {"ada", "ada", "Ada L.", []string{"name: Ada\n", "platform]\n"}, []string{"name: Ada L.\n", "platform]\n        handle: ada\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			edits, ok := document.RenameSeatEdits(parse(t, full), c.old, c.handle, c.called)
			if !ok {
				t.Fatal("no such seat")
			}
			text, err := document.Apply([]byte(full), edits...)
			if err != nil {
				t.Fatal(err)
			}
			want := full
			for i := range c.was {
				want = strings.Replace(want, c.was[i], c.is[i], 1)
			}
			if string(text) != want {
				t.Errorf("got\n%s", text)
			}
			renamed := parse(t, string(text))
			if c.old != c.handle && len(document.SeatMentions(renamed, c.old)) != 0 {
				t.Errorf("still named at %+v", document.SeatMentions(renamed, c.old))
			}
		})
	}
	if _, ok := document.RenameSeatEdits(parse(t, full), "nobody", "x", ""); ok {
		t.Error("a seat that is not there was renamed")
	}
}
