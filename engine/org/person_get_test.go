package org_test

import (
	"testing"

	"crewlet/engine/access"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func TestACallerIsFoundAsMe(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.people()
	for name, c := range map[string]struct {
		by   access.Principal
		word string
		want string // handle or login; none is refused
	}{
		"in a seat":       {access.Principal{Kind: access.Person, ID: jane, Seat: h.seat("cto"), Grants: access.All}, "me", "cto"},
		"without one":     {access.Principal{Kind: access.Person, ID: jose, Grants: access.All}, "@Me", "jose.perez"},
		"a program":       {access.Principal{Kind: access.Machine, ID: "ops:break-glass", Name: "ops:break-glass", Grants: access.All}, "me", ""},
		"somebody else":   {access.Principal{Kind: access.Person, ID: jose, Grants: access.All}, "cto", "cto"},
		"much like it":    {access.Principal{Kind: access.Person, ID: jose, Grants: access.All}, "men", ""},
		"nobody by mouth": {access.Principal{Kind: access.Person, ID: jose, Grants: access.All}, "myself", ""},
	} {
		t.Run(name, func(t *testing.T) {
			call := &tool.Call{By: c.by, Key: tool.NewKey(), Door: "act"}
			m, err := tool.Do(t.Context(), h.Run, h.Org.GetPerson, call, org.GetPerson{Person: c.word})
			if c.want == "" {
				if no := refusal.Of(err); no == nil || no.Class != refusal.Invalid || no.Fields["person"] == "" {
					t.Errorf("%q is %+v, %v", c.word, m.Member, err)
				}
				return
			}
			if err != nil || m.Word() != c.want {
				t.Errorf("%q is %q, %v; want %s", c.word, m.Word(), err, c.want)
			}
		})
	}
}

// seat is the id of the seat with a handle.
func (h *house) seat(handle string) string {
	h.t.Helper()
	m, err := h.directory().Resolve(handle, "x")
	if err != nil {
		h.t.Fatal(err)
	}
	return m.Party[len("seat:"):]
}
