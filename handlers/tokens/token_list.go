package tokens

import (
	"net/http"
	"time"

	"crewlet/engine/identity"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	"crewlet/views/layout"
	view "crewlet/views/tokens"
)

// Programs lists every token there is, with the form that mints one for a
// program.
func (h *Handlers) Programs(w http.ResponseWriter, r *http.Request) error {
	out, call, err := h.list(r)
	if err != nil {
		return err
	}
	if web.WantsJSON(r) {
		return web.Answer(w, r, http.StatusOK, out)
	}
	if web.Partial(r) {
		return web.Render(w, r, http.StatusOK, view.TokenList(list(out, call)))
	}
	return web.Render(w, r, http.StatusOK, view.ProgramsPage(told(page(r, out, call))))
}

// told says what the write that led here did.
func told(p view.Page) view.Page {
	if p.Shell.Landed != "" {
		p.Shell.Done = "The token is revoked."
	}
	return p
}

func (h *Handlers) list(r *http.Request) (identity.TokenList, *tool.Call, error) {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Identity.ListTokens, call, identity.ListTokens{})
	return out, call, err
}

func page(r *http.Request, out identity.TokenList, c *tool.Call) view.Page {
	shell := web.Shell(r, "Programs' tokens", "tokens", c.Landed.Position)
	shell.Crumbs = []layout.Crumb{{Label: "Tokens", Href: view.Own}}
	return view.Page{Shell: shell, List: list(out, c), New: blank(r, view.Programs)}
}

func blank(r *http.Request, address string) view.New {
	return view.New{Address: address, Key: tool.NewKey(), Holds: web.ViewerOf(r).By.Grants.List()}
}

func list(out identity.TokenList, c *tool.Call) view.List {
	l := view.List{Address: view.Programs, Rows: rows(out.Tokens), Now: c.Now, AsOf: c.Landed.Position}
	for _, n := range out.Node {
		l.Node = append(l.Node, view.Node{ID: n.ID, Grants: n.Grants})
	}
	return l
}

func rows(tokens []identity.Token) []view.Row {
	var rows []view.Row
	for _, t := range tokens {
		rows = append(rows, view.Row{
			ID: t.ID, Label: t.Label, By: t.CreatedBy, Grants: t.Grants, Sensitive: t.Sensitive, Personal: t.Person != "",
			Created: t.CreatedAt, Expires: moment(t.ExpiresAt), Used: moment(t.LastUsed), Revoked: t.RevokedAt != nil, Key: tool.NewKey(),
		})
	}
	return rows
}

func moment(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return *at
}
