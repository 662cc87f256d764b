package company_test

import (
	"strings"
	"testing"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

const staffed = `name: Acme
units:
  - name: Engineering
    lead: lead # who decides
    schedules: [{name: triage, cron: "0 9 * * *", prompt: Sort, seat: bob}]
    roles:
      - {name: Lead, handle: lead, manages: [bob]}
      - name: Bob
        goal: Build
callers:
  tokens:
    ci: {may: {start: [bob], answer: [bob, {project: lead, asks: [question]}]}}
`

func (h house) rename(t *testing.T, in company.RenameSeat) (company.Written, error) {
	t.Helper()
	in.Summary = "Clearer"
	return tool.Do(t.Context(), h.run, h.RenameSeat, ana(), in)
}

func TestASeatIsRenamedEverywhere(t *testing.T) {
	t.Parallel()
	h := begun(t, staffed)
	_, _, first := h.now(t)
	before := len(h.kinds(t, 0))
	out, err := h.rename(t, company.RenameSeat{Handle: "bob", To: "robert", Name: "Robert"})
	if err != nil || out.RevisionID != 2 || len(out.Warnings) != 0 {
		t.Fatalf("got %+v %v", out, err)
	}
	rev, _, seats := h.now(t)
	if seats["robert"] != first["bob"] || seats["bob"] != "" || seats["lead"] != first["lead"] {
		t.Errorf("ids %v, were %v", seats, first)
	}
	want := strings.NewReplacer("seat: bob", "seat: robert", "[bob", "[robert", "name: Bob\n        goal: Build\n", "name: Robert\n        goal: Build\n        handle: robert\n").Replace(staffed)
	if rev.Text != want {
		t.Errorf("the text is\n%s", rev.Text)
	}
	if kinds := strings.Join(h.kinds(t, 0)[before:], " "); kinds != "company.revised seat.renamed" {
		t.Errorf("the log says %s", kinds)
	}
	if _, err := h.rename(t, company.RenameSeat{Handle: "lead", To: "chief", Writing: company.Writing{IfMatch: 1}}); !refusal.Is(err, refusal.RevisionAdvanced) {
		t.Errorf("over an old revision: %v", err)
	}
	if _, err := tool.Do(t.Context(), h.run, h.RevertConfig, ana(), company.RevertConfig{To: 1, Writing: company.Writing{IfMatch: 2, Summary: "Back"}}); err != nil {
		t.Fatal(err)
	}
	if _, _, back := h.now(t); back["bob"] != first["bob"] {
		t.Errorf("went back to %v, was %v", back, first)
	}
}

func TestANewNameKeepsTheHandle(t *testing.T) {
	t.Parallel()
	h := begun(t, staffed)
	_, _, first := h.now(t)
	if _, err := h.rename(t, company.RenameSeat{Handle: "bob", To: "bob", Name: "Robert"}); err != nil {
		t.Fatal(err)
	}
	if rev, _, seats := h.now(t); seats["bob"] != first["bob"] || !strings.Contains(rev.Text, "name: Robert\n        goal: Build\n        handle: bob\n") {
		t.Errorf("ids %v, were %v, of\n%s", seats, first, rev.Text)
	}
}

func TestASeatsRenameIsRefused(t *testing.T) {
	t.Parallel()
	h := begun(t, staffed)
	for name, c := range map[string]struct {
		in    company.RenameSeat
		class refusal.Class
		field string
	}{
		"nobody":          {company.RenameSeat{Handle: "none", To: "some"}, refusal.NoSuchEntity, "handle"},
		"a taken handle":  {company.RenameSeat{Handle: "bob", To: "lead"}, refusal.EntityExists, "to"},
		"a wrong handle":  {company.RenameSeat{Handle: "bob", To: "No Handle"}, refusal.Invalid, "to"},
		"a reserved one":  {company.RenameSeat{Handle: "bob", To: "me"}, refusal.Invalid, "to"},
		"no handle":       {company.RenameSeat{Handle: "bob"}, refusal.Invalid, "to"},
		"a name of lines": {company.RenameSeat{Handle: "bob", To: "rob", Name: "a\nb"}, refusal.Invalid, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := h.rename(t, c.in)
			if no := refusal.Of(err); no == nil || no.Class != c.class || c.field != "" && no.Fields[c.field] == "" {
				t.Errorf("got %v beside %v", err, refusal.Of(err).Fields)
			}
			if rev, _, _ := h.now(t); rev.ID != 1 {
				t.Errorf("revision %d was written", rev.ID)
			}
		})
	}
}

// A name that is changed in the text is another one: whoever changes it is told.
func TestANameChangedInTheTextIsWarnedOf(t *testing.T) {
	t.Parallel()
	h := begun(t, two+"roles: [{name: Bob}, {name: Ana}]\n")
	for name, c := range map[string]struct {
		was, is string
		says    string
	}{
		"a seat's name":     {"name: Bob", "name: Robert", "The seat bob is removed and robert is a new one."},
		"a server's name":   {"name: web ", "name: net ", "The server web is removed and net is a new one."},
		"a seat moved":      {"{name: Bob}, {name: Ana}", "{name: Ana}, {name: Bob}", ""},
		"a seat gone":       {"{name: Bob}, ", "", ""},
		"a seat more":       {"{name: Bob}", "{name: Al}, {name: Bob}", ""},
		"another's goal":    {"{name: Bob}", "{name: Bob, goal: x}", ""},
		"a handle is given": {"{name: Bob}", "{name: Robert, handle: bob}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			in := company.WriteConfig{Text: strings.Replace(two+"roles: [{name: Bob}, {name: Ana}]\n", c.was, c.is, 1), Writing: company.Writing{IfMatch: 1, DryRun: true}}
			out, err := tool.Do(t.Context(), h.run, h.WriteConfig, ana(), in)
			if err != nil {
				t.Fatal(err)
			}
			if c.says == "" && len(out.Warnings) != 0 || c.says != "" && (len(out.Warnings) != 1 || !strings.HasPrefix(out.Warnings[0].Message, c.says) || out.Warnings[0].Line == 0) {
				t.Errorf("got %+v", out.Warnings)
			}
		})
	}
}
