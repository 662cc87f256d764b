package company_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var clock = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// house is an engine of just this area, on a database of its own.
type house struct {
	*company.Company
	run *tool.Runner
}

func open(t *testing.T) house {
	t.Helper()
	return house{
		Company: company.New(company.Sources{
			Stored:        func(context.Context, *db.Tx) ([]string, error) { return []string{"SEALED"}, nil },
			InEnvironment: func(name string) bool { return name == "EXPORTED" },
		}),
		run: &tool.Runner{
			DB: dbtest.New(t), Now: func() time.Time { return clock }, Log: slog.New(slog.DiscardHandler), Node: "here", Max: access.All,
			Keys: tool.Keys{Digest: func(data []byte) []byte { sum := sha256.Sum256(data); return sum[:] }},
		},
	}
}

// begun is a house whose first revision is the given text.
func begun(t *testing.T, text string) house {
	t.Helper()
	h := open(t)
	if done, err := h.Import(t.Context(), h.run, []byte(text), "Begin"); err != nil || !done {
		t.Fatalf("import: %v %v", done, err)
	}
	return h
}

func ana() *tool.Call {
	return &tool.Call{
		By:  access.Principal{Kind: access.Person, ID: "1", Credential: "session:1", Name: "ana", Grants: access.All, Fresh: true},
		Key: tool.NewKey(), Door: "page", RequestID: "r",
	}
}

func (h house) write(t *testing.T, over int64, text string) (company.Written, error) {
	t.Helper()
	return tool.Do(t.Context(), h.run, h.WriteConfig, ana(), company.WriteConfig{Text: text, Writing: company.Writing{IfMatch: over, Summary: "Because"}})
}

func (h house) mustWrite(t *testing.T, over int64, text string) {
	t.Helper()
	if _, err := h.write(t, over, text); err != nil {
		t.Fatal(err)
	}
}

// now is the current revision with the ids behind its names.
func (h house) now(t *testing.T) (rev company.Revision, servers, seats map[string]string) {
	t.Helper()
	rev, _, servers, seats, err := h.Current(t.Context(), h.run.DB)
	if err != nil {
		t.Fatal(err)
	}
	return rev, servers, seats
}

// kinds are the log's kinds after a position.
func (h house) kinds(t *testing.T, after int64) []string {
	t.Helper()
	rows, err := changes.After(t.Context(), h.run.DB, after, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, row := range rows {
		list = append(list, row.Kind)
	}
	return list
}

const small = "name: Acme\n"

const two = `name: Acme # the company
mcp_servers:
  - name: files
    command: files-server
  - name: web   # reads the web
    command: web-server
    args: [--fast]
`

func TestANewNodeBegins(t *testing.T) {
	t.Parallel()
	h := open(t)
	if rev, servers, seats := h.now(t); rev.ID != 0 || len(servers)+len(seats) != 0 {
		t.Errorf("before: %+v", rev)
	}
	if done, err := h.Import(t.Context(), h.run, []byte(small), "A new company"); err != nil || !done {
		t.Fatalf("import: %v %v", done, err)
	}
	rev, _, _ := h.now(t)
	if rev.ID != 1 || rev.Parent != 0 || rev.AuthorName != "crewlet" || rev.Summary != "A new company" || rev.Text != small {
		t.Errorf("got %+v", rev)
	}
	if done, err := h.Import(t.Context(), h.run, []byte("name: Other\n"), "Again"); err != nil || done {
		t.Errorf("a second import: %v %v", done, err)
	}
}

func TestAWrongFileIsNotImported(t *testing.T) {
	t.Parallel()
	h := open(t)
	_, err := h.Import(t.Context(), h.run, []byte("nam: Acme\n"), "Begin")
	if no := refusal.Of(err); no == nil || no.Class != refusal.Invalid || !strings.Contains(no.Says, "line 1") && !strings.Contains(no.Says, "Line 1") {
		t.Errorf("got %v", err)
	}
}

func TestTheTextIsKeptByteForByte(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"CRLF":             "name: Acme\r\nmission: |\r\n  To make\r\n  things\r\n",
		"no final newline": "name: Acme",
		"a byte mark":      "\ufeffname: Acme\n",
		"not in NFC":       "name: Cafe\u0301\n",
		"tabs in comments": "name: Acme\t# a\ttab\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := begun(t, text)
			if rev, _, _ := h.now(t); rev.Text != text {
				t.Errorf("got %q, want %q", rev.Text, text)
			}
		})
	}
}

func TestAWriteIsRefused(t *testing.T) {
	t.Parallel()
	h := begun(t, small)
	h.mustWrite(t, 1, two)
	for name, c := range map[string]struct {
		in    company.WriteConfig
		class refusal.Class
		field string
		says  string
	}{
		"over an old revision":     {company.WriteConfig{Text: small, Writing: company.Writing{IfMatch: 1, Summary: "x"}}, refusal.RevisionAdvanced, "", "ana wrote revision 2"},
		"over one that is not yet": {company.WriteConfig{Text: small, Writing: company.Writing{IfMatch: 9, Summary: "x"}}, refusal.RevisionAdvanced, "", "no revision 9"},
		"over nothing":             {company.WriteConfig{Text: small, Writing: company.Writing{Summary: "x"}}, refusal.Invalid, "if_match", "The newest is 2"},
		"without a reason":         {company.WriteConfig{Text: small, Writing: company.Writing{IfMatch: 2}}, refusal.SummaryRequired, "summary", "why"},
		"with a long reason":       {company.WriteConfig{Text: small, Writing: company.Writing{IfMatch: 2, Summary: strings.Repeat("x", 301)}}, refusal.Invalid, "summary", "300"},
		"with two lines of reason": {company.WriteConfig{Text: small, Writing: company.Writing{IfMatch: 2, Summary: "a\nb"}}, refusal.Invalid, "summary", "line break"},
		"an unknown key":           {company.WriteConfig{Text: "name: Acme\nmision: x\n", Writing: company.Writing{IfMatch: 2, Summary: "x"}}, refusal.Invalid, "text", "mission"},
		"no YAML":                  {company.WriteConfig{Text: "name: [\n", Writing: company.Writing{IfMatch: 2, Summary: "x"}}, refusal.Invalid, "text", "ine "},
		"no text":                  {company.WriteConfig{Writing: company.Writing{IfMatch: 2, Summary: "x"}}, refusal.Invalid, "text", "needed"},
		"NUL":                      {company.WriteConfig{Text: "name: A\x00\n", Writing: company.Writing{IfMatch: 2, Summary: "x"}}, refusal.Invalid, "text", "NUL"},
		"not UTF-8":                {company.WriteConfig{Text: "name: A\xff\n", Writing: company.Writing{IfMatch: 2, Summary: "x"}}, refusal.Invalid, "text", "UTF-8"},
		"over 1 MiB":               {company.WriteConfig{Text: "name: A\n#" + strings.Repeat("x", company.MaxText), Writing: company.Writing{IfMatch: 2, Summary: "x"}}, refusal.Invalid, "text", "1 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tool.Do(t.Context(), h.run, h.WriteConfig, ana(), c.in)
			no := refusal.Of(err)
			if no == nil || no.Class != c.class || !strings.Contains(no.Says, c.says) {
				t.Fatalf("got %v, want %s saying %q", err, c.class, c.says)
			}
			if c.field != "" && no.Fields[c.field] == "" {
				t.Errorf("nothing beside %s: %v", c.field, no.Fields)
			}
			if rev, _, _ := h.now(t); rev.ID != 2 {
				t.Errorf("revision %d was written", rev.ID)
			}
		})
	}
}

func TestEveryProblemIsTold(t *testing.T) {
	t.Parallel()
	h := begun(t, small)
	_, err := h.write(t, 1, "name: Acme\nmision: x\nmcp_servers:\n  - name: UPPER\n    command: c\n")
	problems, _ := refusal.Of(err).Details["problems"].([]company.Problem)
	if len(problems) != 2 || problems[0].Line != 2 || problems[0].Path != "mision" || problems[1].Line != 4 || problems[1].Path != "mcp_servers[0].name" {
		t.Fatalf("got %+v", problems)
	}
	if says := refusal.Of(err).Says; !strings.HasPrefix(says, "Line 2, mision: ") || !strings.HasSuffix(says, "There is one more problem.") {
		t.Errorf("says %q", says)
	}
}

func TestAnOldBaseIsToldWhatChanged(t *testing.T) {
	t.Parallel()
	h := begun(t, small)
	h.mustWrite(t, 1, "name: Acme\nmission: To make things\n")
	_, err := h.write(t, 1, "name: Ours\n")
	d := refusal.Of(err).Details
	if d["revision_id"] != int64(2) || d["author"] != "ana" || d["summary"] != "Because" || d["at"] != "2026-01-02T03:04:05Z" {
		t.Errorf("details %v", d)
	}
	if diff, _ := d["diff"].(string); !strings.Contains(diff, "+mission: To make things\n") {
		t.Errorf("diff %q", diff)
	}
}

func TestADryRunStoresNothing(t *testing.T) {
	t.Parallel()
	h := begun(t, small)
	call := ana()
	out, err := tool.Do(t.Context(), h.run, h.WriteConfig, call, company.WriteConfig{Text: two, Writing: company.Writing{IfMatch: 1, DryRun: true}})
	if err != nil || out.RevisionID != 1 || call.Landed.Outcome != "unchanged" {
		t.Errorf("got %+v %v, landed %+v", out, err, call.Landed)
	}
	if rev, servers, _ := h.now(t); rev.ID != 1 || len(servers) != 0 {
		t.Errorf("stored: %+v %v", rev, servers)
	}
	if kinds := h.kinds(t, 1); len(kinds) != 0 {
		t.Errorf("logged %v", kinds)
	}
	_, err = tool.Do(t.Context(), h.run, h.WriteConfig, ana(), company.WriteConfig{Text: "nam: x\n", Writing: company.Writing{IfMatch: 1, DryRun: true}})
	if no := refusal.Of(err); no == nil || no.Class != refusal.Invalid || no.Fields["summary"] != "" {
		t.Errorf("a wrong text: %v", err)
	}
}

func TestTheSameTextIsNoRevision(t *testing.T) {
	t.Parallel()
	h := begun(t, two)
	call := ana()
	out, err := tool.Do(t.Context(), h.run, h.WriteConfig, call, company.WriteConfig{Text: two, Writing: company.Writing{IfMatch: 1, Summary: "x"}})
	if err != nil || out.RevisionID != 1 || call.Landed.Outcome != "unchanged" {
		t.Errorf("got %+v %v %+v", out, err, call.Landed)
	}
}

func TestOneOfManyWritersWins(t *testing.T) {
	t.Parallel()
	h := begun(t, small)
	const writers = 8
	done := make(chan error, writers)
	for i := range writers {
		go func() {
			_, err := h.write(t, 1, fmt.Sprintf("name: Acme %d\n", i))
			done <- err
		}()
	}
	won := 0
	for range writers {
		err := <-done
		if err == nil {
			won++
		} else if !refusal.Is(err, refusal.RevisionAdvanced) {
			t.Errorf("got %v", err)
		}
	}
	if rev, _, _ := h.now(t); won != 1 || rev.ID != 2 {
		t.Errorf("%d won, revision %d", won, rev.ID)
	}
}
