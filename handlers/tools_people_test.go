package handlers

import (
	"fmt"
	"strings"

	"crewlet/engine/company"
	"crewlet/engine/enginetest"
	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/signin/signintest"
)

// someone is a person who was put in just now.
func (w *world) someone() string {
	w.t.Helper()
	id := tool.NewKey()
	w.write(`INSERT INTO people (id, login, name, password, grants, created_at) VALUES ($1, $2, $2, 'x', '{state:read}', now())`, id, "p."+id)
	return id
}

// vacant declares a person's seat that nobody holds.
func (w *world) vacant() string {
	w.t.Helper()
	handle := "s-" + tool.NewKey()
	var at int64
	_, err := fmt.Sscan(w.revision(), &at)
	w.must(err)
	_, err = tool.Do(w.t.Context(), w.Run, w.Company.EditConfig, enginetest.By("setup"), company.EditConfig{
		Edits:   []company.Edit{{Op: "add", Path: "/roles/-", Value: []byte(`{"name":"` + handle + `","handle":"` + handle + `","kind":"human"}`)}},
		Writing: company.Writing{IfMatch: at, Summary: "x"},
	})
	w.must(err)
	return handle
}

// seated is a seat with somebody in it.
func (w *world) seated() (handle, person string) {
	w.t.Helper()
	handle, person = w.vacant(), w.someone()
	w.write(`UPDATE people SET seat = (SELECT id FROM seats WHERE handle = $2) WHERE id = $1`, person, handle)
	return handle, person
}

func (w *world) invited() identity.Invited {
	w.t.Helper()
	made, err := tool.Do(w.t.Context(), w.Run, w.Identity.InvitePerson, enginetest.By("setup"), identity.InvitePerson{Name: "Bo", Grants: []string{"state:read"}})
	w.must(err)
	return made
}

// onPerson is a form of a person's page; on the same with plain arguments.
func onPerson(step string, more ...string) func(*world) asking {
	return func(w *world) asking { return post("/settings/people/"+w.someone()+"/"+step, more...) }
}

func withPerson(more string) func(*world) asking {
	return func(w *world) asking { return run(`{"person":"` + w.someone() + `"` + more + `}`) }
}

// gone is a form of nobody's page.
func gone(step string, more ...string) func(*world) asking {
	return is(post("/settings/people/"+tool.NewKey()+"/"+step, more...))
}

var nobodyOfThatName = is(run(`{"person":"nobody.here"}`))

// suspended is somebody who was kept out just now.
func (w *world) suspended() string {
	id := w.someone()
	w.write(`UPDATE people SET stage = 'suspended' WHERE id = $1`, id)
	return id
}

func peopleRows() []row {
	joins := func(password string) func(*world) asking {
		return func(w *world) asking {
			if w.made["invitation"] == "" {
				w.made["invitation"] = w.invited().Token
			}
			return byNobody(post("/invitation/"+w.made["invitation"], "login", "bo.berg", "name", "Bo", "password", password))
		}
	}
	rows := []row{
		{tool: "list_people", door: page, does: func(w *world) asking { return get("/settings/people/" + w.someone()) },
			refuses: without(get("/settings/people")), class: refusal.Forbidden},
		{tool: "list_people", door: page, does: is(get("/settings/people")), refuses: without(get("/settings/people")), class: refusal.Forbidden},
		{tool: "invite_person", door: page, does: is(post("/settings/people/invitations", "name", "Bo", "grants", "state:read")), landed: wrote, object: "invitation:",
			refuses: is(post("/settings/people/invitations", "name", "Bo")), class: refusal.Invalid},
		{tool: "invite_person", door: command, does: is(run(`{"name":"Bo","grants":["state:read"]}`)), landed: wrote, object: "invitation:", once: `"token"`,
			refuses: is(run(`{"name":"Bo","grants":["everything"]}`)), class: refusal.Invalid},
		{tool: "revoke_invitation", door: page, does: func(w *world) asking {
			return post("/settings/people/invitations/" + w.invited().ID + "/revoke")
		}, status: 303, landed: wrote, object: "invitation:", refuses: is(post("/settings/people/invitations/" + tool.NewKey() + "/revoke")), class: refusal.NotFound},
		{tool: "revoke_invitation", door: command, does: func(w *world) asking {
			return run(`{"invitation":"` + w.invited().ID + `"}`)
		}, landed: wrote, object: "invitation:", refuses: is(run(`{"invitation":"x"}`)), class: refusal.Invalid},
		{tool: "redeem_invitation", door: page, does: joins(signintest.Password), status: 303,
			landed: counts{Operations: 1, Changes: 2, Audit: 1}, object: "person:", refuses: joins("short"), class: refusal.Invalid},
		{tool: "grant_person", door: page, does: onPerson("grants", "grants", "audit:read"), status: 303, landed: wrote, object: "person:",
			refuses: gone("grants"), class: refusal.NotFound},
		{tool: "grant_person", door: command, does: withPerson(`,"grants":["audit:read"]`), landed: wrote, object: "person:", refuses: nobodyOfThatName, class: refusal.Invalid},
		{tool: "withhold_person", door: page, does: onPerson("withhold"), status: 303, landed: wrote, object: "person:", refuses: gone("withhold"), class: refusal.NotFound},
		{tool: "withhold_person", door: command, does: withPerson(""), landed: wrote, object: "person:", refuses: nobodyOfThatName, class: refusal.Invalid},
		{tool: "suspend_person", door: page, does: onPerson("suspend"), status: 303, landed: wrote, object: "person:", refuses: gone("suspend"), class: refusal.NotFound},
		{tool: "suspend_person", door: command, does: withPerson(""), landed: wrote, object: "person:", refuses: nobodyOfThatName, class: refusal.Invalid},
		{tool: "restore_person", door: page, does: func(w *world) asking {
			return post("/settings/people/" + w.suspended() + "/restore")
		}, status: 303, landed: wrote, object: "person:", refuses: gone("restore"), class: refusal.NotFound},
		{tool: "restore_person", door: command, does: func(w *world) asking {
			return run(`{"person":"` + w.suspended() + `"}`)
		}, landed: wrote, object: "person:", refuses: nobodyOfThatName, class: refusal.Invalid},
	}
	return append(rows, append(seatRows(), ownTokenRows()...)...)
}

func seatRows() []row {
	return []row{
		{tool: "bind_seat", door: page, does: func(w *world) asking {
			return post("/settings/people/"+w.someone()+"/bind", "seat", w.vacant())
		}, status: 303, landed: wrote, object: "seat:", refuses: onPerson("bind", "seat", ""), class: refusal.Invalid},
		{tool: "bind_seat", door: command, does: func(w *world) asking {
			return run(`{"person":"` + w.someone() + `","seat":"` + w.vacant() + `"}`)
		}, landed: wrote, object: "seat:", refuses: is(run(`{"person":"nobody.here","seat":"x"}`)), class: refusal.Invalid},
		{tool: "unbind_seat", door: page, does: func(w *world) asking {
			handle, person := w.seated()
			return post("/settings/people/"+person+"/unbind", "seat", handle)
		}, status: 303, landed: wrote, object: "seat:", refuses: onPerson("unbind", "seat", ""), class: refusal.Invalid},
		{tool: "unbind_seat", door: command, does: func(w *world) asking {
			handle, _ := w.seated()
			return run(`{"seat":"` + handle + `"}`)
		}, landed: wrote, object: "seat:", refuses: is(run(`{"seat":"nobody-here"}`)), class: refusal.Invalid},
		{tool: "get_person", door: command, does: func(w *world) asking {
			handle, _ := w.seated()
			return run(`{"person":"` + handle + `"}`)
		}, refuses: nobodyOfThatName, class: refusal.Invalid, unrecorded: true},
	}
}

// ownToken is a token of the administrator's own.
func (w *world) ownToken() string {
	w.t.Helper()
	by := *itself("{}")(w).by
	by.Fresh = true
	made, err := tool.Do(w.t.Context(), w.Run, w.Identity.MintOwnToken, &tool.Call{By: by, Key: tool.NewKey(), Door: page},
		identity.MintOwnToken{Label: "a", Grants: []string{"state:read"}})
	w.must(err)
	return made.ID
}

func ownTokenRows() []row {
	fresh := func(args string) func(*world) asking {
		return func(w *world) asking {
			a := itself(args)(w)
			a.by.Fresh = true
			return a
		}
	}
	return []row{
		{tool: "list_own_tokens", door: page, does: is(get("/settings/tokens")), refuses: is(byNobody(get("/settings/tokens"))),
			class: refusal.Unauthenticated, unrecorded: true},
		{tool: "list_own_tokens", door: runner, does: itself(`{}`), refuses: is(byNobody(run(`{}`))), class: refusal.Unauthenticated, unrecorded: true},
		{tool: "mint_own_token", door: page, does: is(post("/settings/tokens", "label", "a", "grants", "state:read")), landed: wrote, object: "pat:",
			refuses: is(post("/settings/tokens", "label", "", "grants", "state:read")), class: refusal.Invalid},
		{tool: "mint_own_token", door: runner, does: fresh(`{"label":"a","grants":["state:read"]}`), landed: wrote, object: "pat:", once: `"value"`,
			refuses: fresh(`{"label":"a","grants":["everything"]}`), class: refusal.Invalid},
		{tool: "revoke_own_token", door: page, does: func(w *world) asking {
			return post("/settings/tokens/" + w.ownToken() + "/revoke")
		}, status: 303, landed: wrote, object: "pat:", refuses: is(post("/settings/tokens/" + tool.NewKey() + "/revoke")), class: refusal.NotFound},
		{tool: "revoke_own_token", door: runner, does: func(w *world) asking {
			return fresh(`{"token":"` + w.ownToken() + `"}`)(w)
		}, landed: wrote, object: "pat:", refuses: fresh(`{"token":"` + strings.Repeat("0", 8) + `"}`), class: refusal.Invalid},
	}
}
