package audit_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"crewlet/db/dbtest"
	"crewlet/engine/history"
	"crewlet/handlers/audit"
	"crewlet/handlers/signin/signintest"
	"crewlet/handlers/web"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const path = "/settings/audit"

func open(t *testing.T) *signintest.Bench {
	t.Helper()
	return signintest.New(t, func(mux *http.ServeMux, door *web.Door, b *signintest.Bench) {
		h := &audit.Handlers{Run: b.Run, History: history.New(history.Options{})}
		mux.Handle("GET "+path, door.Page(h.List))
		mux.Handle("GET "+path+".csv", door.Page(h.Export))
		mux.Handle("GET /changes", door.API(h.Changes))
	})
}

const recorded = `
	INSERT INTO audit (at, actor, actor_name, credential, door, verb, object, outcome, reason, request_id)
	SELECT now(), 'machine:ci', 'ci', 'token:1', 'api', $2, 'secret:S' || n, $3, '', 'r' FROM generate_series(1, $1::int) AS n`

func status(t *testing.T, p *signintest.Page, want int) *signintest.Page {
	t.Helper()
	if p.Status != want {
		t.Fatalf("answered %d, want %d: %s", p.Status, want, p.Text())
	}
	return p
}

func TestTheRecordIsDrawnFilteredAndPaged(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	b.Write(recorded, 60, "set_secret", "applied")
	b.Write(recorded, 1, "=SUM(A1)", "forbidden")
	first := status(t, w.Get(path), 200)
	if !strings.Contains(first.Text(), "50 shown") || !strings.Contains(first.Text(), "forbidden") {
		t.Errorf("the first page reads %s", first.Text())
	}
	for query, c := range map[string]struct {
		rows int
		says string
	}{
		"?outcome=refused":           {1, "forbidden"},
		"?object=secret:S7":          {1, "secret:S7"},
		"?verb=redeem_setup":         {1, signintest.Login},
		"?actor=ci&outcome=applied":  {50, "50 shown"},
		"?actor=nobody":              {0, "Nothing matches"},
		"?verb=set_secret&before=13": {11, "First"},
	} {
		p := status(t, w.Get(path+query), 200)
		if rows := strings.Count(p.Body, `data-label="When"`); rows != c.rows || !strings.Contains(p.Text(), c.says) {
			t.Errorf("%s has %d rows, want %d saying %q: %s", query, rows, c.rows, c.says, p.Text())
		}
	}
	bad := status(t, w.Get(path+"?actor="+strings.Repeat("x", 201)), 422)
	if bad.ByID("f-actor-error") == "" {
		t.Errorf("a bad filter reads %s", bad.Text())
	}
	status(t, w.Get(path+"?actor=%00"), 422)
	for _, bad := range []string{"?limit=abc", "?before=zzz", "?limit=1000", "?before=-1", "?limit=1.5"} {
		for _, at := range []string{path, path + ".csv", "/changes"} {
			if at == "/changes" {
				bad = strings.Replace(bad, "before", "after", 1)
			}
			if at == path+".csv" && bad == "?limit=1000" {
				continue // it sends everything, whatever a page holds
			}
			name, _, _ := strings.Cut(bad[1:], "=")
			if p := status(t, w.Get(at+bad), 422); !strings.Contains(strings.ToLower(p.Text()), name+" is ") {
				t.Errorf("%s reads %s", at+bad, p.Text())
			}
		}
	}
	if p := status(t, w.Get(path, "HX-Request", "true", "HX-Request-Type", "partial"), 200); strings.Contains(p.Body, "<html") {
		t.Error("a fragment is a whole page")
	}
	if p := status(t, w.Get(path+"?limit=2", "Accept", "application/json"), 200); !strings.HasPrefix(p.Body, `{"entries":[{"id":`) {
		t.Errorf("as JSON: %s", p.Body)
	}
}

func TestTheRecordIsExportedWhole(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	b.Write(recorded, 250, "set_secret", "applied")
	b.Write(recorded, 1, "=SUM(A1)", "forbidden")
	p := status(t, w.Get(path+".csv?actor=ci"), 200)
	rows, err := csv.NewReader(strings.NewReader(p.Body)).ReadAll()
	if err != nil || len(rows) != 252 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if rows[0][0] != "id" || rows[1][6] != "'=SUM(A1)" || rows[251][7] != "secret:S1" {
		t.Errorf("rows %v %v %v", rows[0], rows[1], rows[251])
	}
	if kind := p.Header.Get("Content-Type"); kind != "text/csv; charset=utf-8" {
		t.Error(fmt.Sprint("it is sent as ", kind))
	}
}

func TestTheLogIsReadByCursor(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	if p := status(t, w.Get("/changes?limit=1"), 200); !strings.Contains(p.Body, `"next":1`) {
		t.Errorf("the log: %s", p.Body)
	}
	status(t, b.Browser().Get("/changes"), 401)
	status(t, b.Browser().Get(path), http.StatusSeeOther)
}
