package tracker_test

import (
	"testing"

	"crewlet/db/dbtest"
	"crewlet/engine/access"
	"crewlet/engine/company"
	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// declared is the company the tests work in: two units with a project each,
// agents and people.
const declared = `name: Acme
timezone: Europe/Berlin
units:
  - name: Engineering
    id: eng
    project: ENG
    lead: tech-lead
    roles:
      - {name: Tech Lead, handle: tech-lead, kind: agent}
      - {name: Backend Developer, handle: backend-dev, kind: agent}
      - {name: Reviewer, handle: reviewer, kind: human, email: rev@example.com}
    children:
      - name: Platform
        id: plat
        roles:
          - {name: Platform Engineer, handle: platform, kind: agent}
  - name: Marketing
    id: mkt
    project: MKT
    lead: writer
    roles:
      - {name: Writer, handle: writer, kind: agent}
  - name: Archive
    id: arc
`

// house is an engine with the company in it.
type house struct {
	*enginetest.Bench
	t     *testing.T
	seats map[string]string // handle to id
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{Bench: enginetest.New(t), t: t}
	do(h, h.Company.WriteConfig, enginetest.By("ana"), company.WriteConfig{Text: declared, Writing: company.Writing{Summary: "Begin"}})
	_, _, _, seats, err := h.Company.Current(t.Context(), h.DB)
	if err != nil {
		t.Fatal(err)
	}
	h.seats = seats
	return h
}

// seat is a call of an agent.
func (h *house) seat(handle string) *tool.Call {
	h.t.Helper()
	id := h.seats[handle]
	if id == "" {
		h.t.Fatalf("no seat %q", handle)
	}
	return &tool.Call{
		By:  access.Principal{Kind: access.Seat, ID: id, Seat: id, Handle: handle, Credential: "seat:" + id, Name: handle, Grants: access.StateRead | access.WorkWrite},
		Key: tool.NewKey(), Door: "seat", RequestID: "test",
	}
}

// do runs a use case that has to go well.
func do[In, Out any](h *house, u tool.Use[In, Out], c *tool.Call, in In) Out {
	h.t.Helper()
	out, err := tool.Do(h.t.Context(), h.Run, u, c, in)
	if err != nil {
		h.t.Fatalf("%s: %v %v", u.Name, err, refusal.Of(err).Fields)
	}
	return out
}

// refused runs a use case that has to be refused, with this class.
func refused[In, Out any](h *house, u tool.Use[In, Out], c *tool.Call, in In, class refusal.Class) *refusal.Refusal {
	h.t.Helper()
	_, err := tool.Do(h.t.Context(), h.Run, u, c, in)
	if !refusal.Is(err, class) {
		h.t.Fatalf("%s: got %v, want %s", u.Name, err, class)
	}
	return refusal.Of(err)
}

// item files an item as ana, an operator.
func (h *house) item(in tracker.CreateItem) tracker.Item {
	h.t.Helper()
	if in.Project == "" {
		in.Project = "ENG"
	}
	return do(h, h.Tracker.CreateItem, enginetest.By("ana"), in)
}

// read reads an item whole.
func (h *house) read(key string) tracker.ItemRead {
	h.t.Helper()
	return do(h, h.Tracker.GetItem, enginetest.By("ana"), tracker.GetItem{Key: key})
}
