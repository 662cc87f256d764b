package tokens

import (
	"net/http"
	"time"

	"crewlet/engine/identity"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	view "crewlet/views/tokens"
)

// Tokens lists the tokens there are, with the form that mints one.
func (h *Handlers) Tokens(w http.ResponseWriter, r *http.Request) error {
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
	p := page(r, out, call)
	if p.Shell.Landed != "" {
		p.Shell.Done = "The token is revoked."
	}
	return web.Render(w, r, http.StatusOK, view.TokensPage(p))
}

func (h *Handlers) list(r *http.Request) (identity.TokenList, *tool.Call, error) {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Identity.ListTokens, call, identity.ListTokens{})
	return out, call, err
}

func page(r *http.Request, out identity.TokenList, c *tool.Call) view.Page {
	return view.Page{
		Shell: web.Shell(r, "Tokens", "tokens", c.Landed.Position),
		List:  list(out, c),
		New:   view.New{Key: tool.NewKey(), Holds: web.ViewerOf(r).By.Grants.List()},
	}
}

func list(out identity.TokenList, c *tool.Call) view.List {
	l := view.List{Now: c.Now, AsOf: c.Landed.Position}
	for _, t := range out.Tokens {
		l.Rows = append(l.Rows, view.Row{
			ID: t.ID, Label: t.Label, By: t.CreatedBy, Grants: t.Grants, Sensitive: t.Sensitive,
			Created: t.CreatedAt, Expires: moment(t.ExpiresAt), Used: moment(t.LastUsed), Revoked: t.RevokedAt != nil, Key: tool.NewKey(),
		})
	}
	for _, n := range out.Node {
		l.Node = append(l.Node, view.Node{ID: n.ID, Grants: n.Grants})
	}
	return l
}

func moment(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return *at
}
