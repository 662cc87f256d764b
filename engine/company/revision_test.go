package company_test

import (
	"fmt"
	"strings"
	"testing"

	"crewlet/engine/access"
	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func TestTheHistoryIsPaged(t *testing.T) {
	t.Parallel()
	h := begun(t, small)
	for i := int64(1); i < 5; i++ {
		h.mustWrite(t, i, fmt.Sprintf("name: Acme %d\n", i))
	}
	var seen []int64
	in := company.ListRevisions{Limit: 2}
	for {
		page, err := tool.Do(t.Context(), h.run, h.ListRevisions, ana(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, rev := range page.Revisions {
			if seen = append(seen, rev.ID); rev.Text != "" || rev.Parent != rev.ID-1 {
				t.Errorf("got %+v", rev)
			}
		}
		if in.Before = page.Next; in.Before == 0 {
			break
		}
	}
	if fmt.Sprint(seen) != "[5 4 3 2 1]" {
		t.Errorf("saw %v", seen)
	}
}

func TestRevisionsAreRead(t *testing.T) {
	t.Parallel()
	h := begun(t, small)
	h.mustWrite(t, 1, two)
	one, err := tool.Do(t.Context(), h.run, h.GetRevision, ana(), company.GetRevision{ID: 1})
	if err != nil || one.Text != small {
		t.Errorf("got %+v %v", one, err)
	}
	now, err := tool.Do(t.Context(), h.run, h.GetConfig, ana(), company.GetConfig{})
	if err != nil || now.Text != two || now.ID != 2 {
		t.Errorf("got %+v %v", now, err)
	}
	_, err = tool.Do(t.Context(), h.run, h.GetRevision, ana(), company.GetRevision{ID: 3})
	if !refusal.Is(err, refusal.NotFound) {
		t.Errorf("got %v", err)
	}
	diff, err := tool.Do(t.Context(), h.run, h.DiffRevisions, ana(), company.DiffRevisions{To: 2})
	if err != nil || diff.From != 1 || !strings.Contains(diff.Unified, "+mcp_servers:\n") || diff.Lines[0].Kind != company.Removed {
		t.Errorf("got %+v %v", diff, err)
	}
	first, err := tool.Do(t.Context(), h.run, h.DiffRevisions, ana(), company.DiffRevisions{To: 1})
	if err != nil || first.From != 0 || len(first.Lines) != 1 || first.Lines[0].Kind != company.Added {
		t.Errorf("got %+v %v", first, err)
	}
}

func TestTheDocumentIsForThoseWhoMay(t *testing.T) {
	t.Parallel()
	h := begun(t, small)
	tired, reader := ana(), ana()
	tired.By.Fresh = false
	reader.By.Grants = access.StateRead
	in := company.WriteConfig{Text: two, Writing: company.Writing{IfMatch: 1, Summary: "x"}}
	if _, err := tool.Do(t.Context(), h.run, h.WriteConfig, tired, in); refusal.Of(err).Details["reason"] != "step_up" {
		t.Errorf("an old password: %v", err)
	}
	if _, err := tool.Do(t.Context(), h.run, h.WriteConfig, reader, in); refusal.Of(err).Details["reason"] != "no_grant" {
		t.Errorf("a reader writes: %v", err)
	}
	if _, err := tool.Do(t.Context(), h.run, h.GetConfig, reader, company.GetConfig{}); !refusal.Is(err, refusal.Forbidden) {
		t.Errorf("a reader of states: %v", err)
	}
	if _, err := tool.Do(t.Context(), h.run, h.GetCompany, reader, company.GetCompany{}); err != nil {
		t.Errorf("the company: %v", err)
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("same\n", 10)
	for name, c := range map[string]struct{ old, now, want string }{
		"equal":         {"a\n", "a\n", ""},
		"from nothing":  {"", "a\nb\n", "added 0 1 a|added 0 2 b"},
		"to nothing":    {"a\n", "", "removed 1 0 a"},
		"a change":      {"a\nb\nc\n", "a\nB\nc\n", "same 1 1 a|removed 2 0 b|added 0 2 B|same 3 3 c"},
		"CRLF":          {"a\r\n", "b\r\n", "removed 1 0 a|added 0 1 b"},
		"other ends":    {"a\r\n", "a\n", "removed 1 0 a␍|added 0 1 a"},
		"in the middle": {long + "a\n" + long, long + "b\n" + long, "gap 0 0 7 unchanged lines|same 8 8 same|same 9 9 same|same 10 10 same|removed 11 0 a|added 0 11 b|same 12 12 same|same 13 13 same|same 14 14 same|gap 0 0 7 unchanged lines"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, l := range company.Compare(c.old, c.now) {
				got = append(got, fmt.Sprintf("%s %d %d %s", l.Kind, l.Old, l.New, l.Text))
			}
			if s := strings.Join(got, "|"); s != c.want {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
		})
	}
}
