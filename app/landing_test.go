package main

import (
	"net/http"
	"net/url"
	"sync"
	"testing"
)

// writing is one form, and how often what it writes is there.
type writing struct {
	name         string
	page, action string
	fill         map[string]string
	another      map[string]string // other words under the same key
	count        string
	status       int
}

// writings are in order: the second goes back from what the first wrote.
func writings() []writing {
	const (
		revisions = `SELECT count(*) FROM revisions`
		settings  = "/settings/"
	)
	return []writing{
		{
			name: "a revision", page: settings + "configuration", action: settings + "configuration", count: revisions, status: http.StatusSeeOther,
			fill: map[string]string{"text": "name: Acme\nvision: One\n", "summary": "Why"}, another: map[string]string{"text": "name: Acme\nvision: Two\n"},
		},
		{
			name: "going back", page: settings + "configuration/revisions/1", action: settings + "configuration/revisions/1/revert", count: revisions,
			status: http.StatusSeeOther, fill: map[string]string{"summary": "It was better"}, another: map[string]string{"summary": "It was worse"},
		},
		{
			name: "a server", page: settings + "tools/new", action: settings + "tools/new", count: revisions, status: http.StatusSeeOther,
			fill: map[string]string{"name": "one", "command": "no-such-program-on-any-path"}, another: map[string]string{"name": "two"},
		},
		{
			name: "a secret", page: settings + "secrets", action: settings + "secrets", count: `SELECT coalesce(sum(version), 0) FROM secrets`, status: http.StatusSeeOther,
			fill: map[string]string{"name": "TOKEN", "value": "hunter2-hunter2"}, another: map[string]string{"value": "hunter3-hunter3"},
		},
		{
			name: "a token", page: settings + "tokens", action: settings + "tokens", count: `SELECT count(*) FROM tokens`, status: http.StatusOK,
			fill: map[string]string{"label": "ci", "grants": "state:read"}, another: map[string]string{"label": "cd"},
		},
	}
}

func (w writing) form(v *visitor) url.Values {
	v.t.Helper()
	form := v.drawn(w.page, w.action)
	for name, value := range w.fill {
		form.Set(name, value)
	}
	return form
}

// Whatever happens to the answer, a form lands once.
func TestAFormLandsOnce(t *testing.T) {
	s := serving(t)
	ana := s.administrator(t, "Ana Admin")
	for _, w := range writings() {
		t.Run(w.name, func(t *testing.T) {
			v := &visitor{t: t, base: ana.base, http: ana.http}
			before := s.number(t, w.count)
			form := w.form(v)
			v.atOnce(w, form)
			if again := v.post(w.action, form); again.status != w.status {
				t.Errorf("a replay answers %d: %s", again.status, again.body)
			}
			if n := s.number(t, w.count) - before; n != 1 {
				t.Errorf("it landed %d times", n)
			}
			for field, value := range w.another {
				form.Set(field, value)
			}
			if other := v.post(w.action, form); other.status != http.StatusConflict {
				t.Errorf("other words under the same key answer %d: %s", other.status, other.body)
			}
			if n := s.number(t, w.count) - before; n != 1 {
				t.Errorf("with other words it landed %d times", n)
			}
		})
	}
}

// atOnce sends the same form three times at the same moment: a double press of
// somebody whose first answer was lost.
func (v *visitor) atOnce(w writing, form url.Values) {
	v.t.Helper()
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			a, err := v.try(http.MethodPost, w.action, form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
			if err != nil || a.status != w.status {
				v.t.Errorf("one of three at once: %d %v %s", a.status, err, a.body)
			}
		})
	}
	all.Wait()
}
