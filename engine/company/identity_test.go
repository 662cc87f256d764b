package company_test

import (
	"maps"
	"strings"
	"testing"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func TestANameKeepsItsID(t *testing.T) {
	t.Parallel()
	h := begun(t, two)
	_, first, _ := h.now(t)
	if len(first) != 2 || first["files"] == first["web"] {
		t.Fatalf("got %v", first)
	}
	h.mustWrite(t, 1, "name: Acme\nmcp_servers: [{name: web, command: other}, {name: more, command: m}]\n")
	_, second, _ := h.now(t)
	if second["web"] != first["web"] || second["more"] == first["files"] || len(second) != 2 {
		t.Errorf("edited: %v, was %v", second, first)
	}
	// A name that is declared anew is another server than the one removed.
	h.mustWrite(t, 2, two)
	if _, third, _ := h.now(t); third["web"] != first["web"] || third["files"] == first["files"] || third["files"] == "" {
		t.Errorf("came back: %v, was %v", third, first)
	}
	// A name changed in the text is another server: only Rename renames.
	h.mustWrite(t, 3, strings.Replace(two, "name: web", "name: internet", 1))
	if _, fourth, _ := h.now(t); fourth["internet"] == first["web"] || fourth["files"] == first["files"] {
		t.Errorf("another name: %v, was %v", fourth, first)
	}
}

func TestARenameMovesTheIDAndARevertBringsItBack(t *testing.T) {
	t.Parallel()
	h := begun(t, two)
	_, first, _ := h.now(t)
	_, err := tool.Do(t.Context(), h.run, h.RenameServer, ana(), company.RenameServer{Name: "web", To: "internet", Writing: company.Writing{IfMatch: 1, Summary: "Clearer"}})
	if err != nil {
		t.Fatal(err)
	}
	rev, renamed, _ := h.now(t)
	if renamed["internet"] != first["web"] || renamed["web"] != "" {
		t.Errorf("renamed: %v, was %v", renamed, first)
	}
	if want := strings.Replace(two, "name: web ", "name: internet ", 1); rev.Text != want {
		t.Errorf("text:\n%s\nwant:\n%s", rev.Text, want)
	}
	// A new server takes the old name: it is another one.
	h.mustWrite(t, 2, rev.Text+"  - {name: web, command: new}\n")
	_, both, _ := h.now(t)
	if both["web"] == first["web"] || both["internet"] != first["web"] {
		t.Errorf("both: %v, was %v", both, first)
	}
	_, err = tool.Do(t.Context(), h.run, h.RevertConfig, ana(), company.RevertConfig{To: 1, Writing: company.Writing{IfMatch: 3, Summary: "Back"}})
	if err != nil {
		t.Fatal(err)
	}
	rev, back, _ := h.now(t)
	if rev.ID != 4 || rev.Parent != 3 || rev.Text != two || !maps.Equal(back, first) {
		t.Errorf("went back to %v of %+v, was %v", back, rev, first)
	}
	// Forward again: the text and the names of revision 3.
	_, err = tool.Do(t.Context(), h.run, h.RevertConfig, ana(), company.RevertConfig{To: 3, Writing: company.Writing{IfMatch: 4, Summary: "Forth"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, forth, _ := h.now(t); !maps.Equal(forth, both) {
		t.Errorf("went forth to %v, was %v", forth, both)
	}
}

func TestSeatsKeepTheirIDs(t *testing.T) {
	t.Parallel()
	text := "name: Acme\nunits:\n  - name: Engineering\n    lead: lead\n    roles:\n      - {name: Lead, handle: lead}\n      - {name: Ana, handle: ana, kind: human}\n"
	h := begun(t, text)
	_, _, first := h.now(t)
	if len(first) != 2 || first["lead"] == "" || first["lead"] == first["ana"] {
		t.Fatalf("got %v", first)
	}
	h.mustWrite(t, 1, small)
	h.mustWrite(t, 2, text)
	if _, _, again := h.now(t); again["lead"] == first["lead"] || again["ana"] == first["ana"] {
		t.Errorf("declared anew: %v, was %v", again, first)
	}
	_, err := tool.Do(t.Context(), h.run, h.RevertConfig, ana(), company.RevertConfig{To: 1, Writing: company.Writing{IfMatch: 3, Summary: "Back"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, back := h.now(t); !maps.Equal(back, first) {
		t.Errorf("went back to %v, was %v", back, first)
	}
	out, err := tool.Do(t.Context(), h.run, h.GetCompany, ana(), company.GetCompany{})
	if err != nil || len(out.Units) != 1 || len(out.Units[0].Seats) != 2 || out.Units[0].Seats[0].ID != first["lead"] || !out.Units[0].Seats[0].Leads {
		t.Errorf("overview %+v %v", out, err)
	}
}

func TestARenameIsRefused(t *testing.T) {
	t.Parallel()
	h := begun(t, two)
	for name, c := range map[string]struct {
		name, to string
		class    refusal.Class
		field    string
	}{
		"nobody":          {"none", "some", refusal.NoSuchEntity, "name"},
		"a taken name":    {"web", "files", refusal.EntityExists, "to"},
		"a wrong name":    {"web", "No Name", refusal.Invalid, "to"},
		"a reserved name": {"web", "crewlet", refusal.Invalid, "to"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tool.Do(t.Context(), h.run, h.RenameServer, ana(), company.RenameServer{Name: c.name, To: c.to, Writing: company.Writing{IfMatch: 1, Summary: "x"}})
			if no := refusal.Of(err); no == nil || no.Class != c.class || no.Fields[c.field] == "" {
				t.Errorf("got %v beside %v", err, refusal.Of(err).Fields)
			}
		})
	}
}
