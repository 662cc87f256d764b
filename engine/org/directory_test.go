package org_test

import (
	"context"
	"testing"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine/access"
	"crewlet/engine/company"
	"crewlet/engine/enginetest"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const acme = `
name: Acme
roles:
  - {name: Founder, handle: founder, kind: human}
units:
  - name: Engineering
    id: eng
    lead: cto
    project: ENG
    roles:
      - {name: Chief engineer, handle: cto, kind: human, email: chief@acme.test}
      - {name: Backend developer, handle: backend, contacts: {github: octo-back}}
    children:
      - name: Platform
        id: platform
        lead: platform-lead
        roles:
          - {name: Platform lead, handle: platform-lead, manages: [backend]}
          - {name: Ñandú Runner, handle: runner}
`

// house is a company with people.
type house struct {
	*enginetest.Bench
	t *testing.T
}

func open(t *testing.T) *house {
	h := &house{enginetest.New(t), t}
	h.write(0, acme)
	return h
}

func (h *house) write(over int64, text string) {
	h.t.Helper()
	_, err := tool.Do(h.t.Context(), h.Run, h.Company.WriteConfig, enginetest.By("ana"),
		company.WriteConfig{Text: text, Writing: company.Writing{IfMatch: over, Summary: "test"}})
	if err != nil {
		h.t.Fatal(refusal.Of(err).Says, refusal.Of(err).Details)
	}
}

const insert = `INSERT INTO people (id, login, name, email, password, grants, created_at) VALUES ($1, $2, $3, $4, 'x', '{state:read}', now())`

// person puts somebody in.
func (h *house) person(id, login, name, email string) string {
	h.exec(insert, id, login, name, email)
	return id
}

func (h *house) exec(statement string, args ...any) {
	h.t.Helper()
	err := h.DB.InTx(h.t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(h.t.Context(), statement, args...)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) hold(person, handle string) {
	h.exec(`UPDATE people SET seat = (SELECT id FROM seats WHERE handle = $2) WHERE id = $1`, person, handle)
}

// directory is what a write sees now.
func (h *house) directory() *org.Directory {
	h.t.Helper()
	var d *org.Directory
	err := h.DB.InTx(h.t.Context(), func(tx *db.Tx) error {
		var err error
		d, err = h.Org.At(h.t.Context(), &tool.Call{Tx: tx})
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return d
}

const (
	jane = "0190f3a2-7c4e-7d5a-9b1e-000000000001"
	jose = "0190f3a2-7c4e-7d5a-9b1e-000000000002"
	john = "0190f3a2-7c4e-7d5a-9b1e-000000000003"
)

func (h *house) people() {
	h.person(jane, "jane.doe", "Jane Doe", "jane@acme.test")
	h.person(jose, "jose.perez", "José Pérez", "")
	h.person(john, "jay.secret", "John Doe", "hidden@acme.test")
	h.hold(jane, "cto")
}

func TestWhomAWordMeans(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.people()
	h.exec(`UPDATE people SET withheld = true WHERE id = $1`, john)
	d := h.directory()
	for word, want := range map[string]string{
		"backend": "backend", "@backend": "backend", "BACKEND": "backend", "backend developer": "backend", "octo-back": "backend",
		"jane.doe": "cto", " @Jane.Doe ": "cto", "jane doe": "cto", "chief engineer": "cto", "chief@acme.test": "cto", "JANE@acme.test": "cto",
		"person:" + jane: "", "nandu runner": "runner", "jose perez": "jose.perez", "José Pérez": "jose.perez", "John Doe": "person:" + john,
	} {
		m, err := d.Resolve(word, "assignee")
		if word == "person:"+jane {
			if err == nil {
				t.Error("whoever holds a seat is resolved beside it")
			}
			continue
		}
		if err != nil || m.Word() != want {
			t.Errorf("%q is %q, %v; want %s", word, m.Word(), err, want)
		}
	}
	for word, near := range map[string]string{
		"jay.secret": "", "hidden@acme.test": "", "doe": "cto", "lead": "platform-lead", "jose.peres": "jose.perez", "bakend": "backend", "": "-", "@": "-",
	} {
		m, err := d.Resolve(word, "assignee")
		no := refusal.Of(err)
		if err == nil || no.Class != refusal.Invalid || no.Fields["assignee"] == "" {
			t.Errorf("%q is %+v, %v", word, m, err)
			continue
		}
		list, _ := no.Details["candidates"].([]org.Candidate)
		if near == "-" {
			continue
		}
		if near != "" && (len(list) == 0 || list[0].Word != near) {
			t.Errorf("%q may be %+v, want %s first", word, list, near)
		}
		for _, c := range list {
			if near == "" && c.Word == "person:"+john {
				t.Errorf("%q finds who is withheld: %+v", word, list)
			}
		}
	}
}

func TestSeveralAreNeverChosenFrom(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.person(jane, "jane.doe", "Alex", "")
	h.person(jose, "jose.perez", "ALEX", "")
	_, err := h.directory().Resolve("alex", "who")
	list, _ := refusal.Of(err).Details["candidates"].([]org.Candidate)
	if !refusal.Is(err, refusal.Invalid) || len(list) != 2 || list[0].Word != "jane.doe" || list[1].Word != "jose.perez" {
		t.Errorf("got %v, %+v", err, list)
	}
}

func TestWhoLeadsWhom(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.people()
	d := h.directory()
	party := func(word string) string {
		m, err := d.Resolve(word, "x")
		if err != nil {
			t.Fatal(err)
		}
		return m.Party
	}
	if got := d.Leads("platform"); len(got) != 2 || got[0] != party("platform-lead") || got[1] != party("cto") {
		t.Errorf("platform is led by %v", got)
	}
	chief := access.Principal{Kind: access.Person, ID: jane, Seat: party("cto")[len("seat:"):]}
	lead := access.Principal{Kind: access.Seat, ID: party("platform-lead")[len("seat:"):]}
	for name, c := range map[string]struct {
		by    access.Principal
		party string
		want  bool
	}{
		"a lead, her unit":           {chief, "backend", true},
		"a lead, a unit below":       {chief, "runner", true},
		"a lead, a lead below":       {chief, "platform-lead", true},
		"oneself":                    {chief, "cto", false},
		"declared to":                {lead, "backend", true},
		"upwards":                    {lead, "cto", false},
		"of no unit":                 {chief, "founder", false},
		"a person without a seat":    {access.Principal{Kind: access.Person, ID: jose}, "backend", false},
		"whom nobody put in a unit":  {chief, "jose.perez", false},
		"a seat without any reports": {access.Principal{Kind: access.Seat, ID: party("runner")[len("seat:"):]}, "backend", false},
	} {
		if got := d.Manages(c.by, party(c.party)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if m, ok := d.Member("person:" + jane); !ok || m.Handle != "cto" || m.Name != "Jane Doe" || m.Role != "Chief engineer" || m.Unit != "eng" {
		t.Errorf("jane is %+v", m)
	}
}

func TestSeatsThatWereKeepTheirNames(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.people()
	before, err := h.directory().Resolve("backend", "x")
	if err != nil {
		t.Fatal(err)
	}
	h.write(1, "name: Acme\n")
	d := h.directory()
	if m, ok := d.Member(before.Party); !ok || m.Declared || m.Handle != "backend" {
		t.Errorf("the seat that was is %+v, %v", m, ok)
	}
	if m, err := d.Resolve("backend", "x"); err == nil {
		t.Errorf("it still resolves: %+v", m)
	}
	if m, ok := d.Member("person:" + jane); !ok || m.Login != "jane.doe" || m.Party != "person:"+jane {
		t.Errorf("who held a seat that is gone is %+v", m)
	}
}

// A directory is as the transaction sees it, and what is rolled back was never
// seen by others.
func TestADirectoryIsItsTransactions(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.people()
	h.directory()
	gone := context.Canceled
	err := h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		if _, err := tx.ExecContext(t.Context(), `UPDATE people SET name = 'Nobody' WHERE id = $1`, jane); err != nil {
			return err
		}
		d, err := h.Org.At(t.Context(), &tool.Call{Tx: tx})
		if err != nil {
			return err
		}
		if m, _ := d.Member("person:" + jane); m.Name != "Nobody" {
			t.Errorf("its own write is not seen: %+v", m)
		}
		return gone
	})
	if err == nil {
		t.Fatal("it was committed")
	}
	if m, _ := h.directory().Member("person:" + jane); m.Name != "Jane Doe" {
		t.Errorf("what was rolled back is seen: %+v", m)
	}
	h.exec(`UPDATE people SET name = 'Jane Roe' WHERE id = $1`, jane)
	if m, _ := h.directory().Member("person:" + jane); m.Name != "Jane Roe" {
		t.Errorf("a later write is not seen: %+v", m)
	}
}
