package tokens

import (
	"net/http"

	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	view "crewlet/views/tokens"
)

// Tokens lists the viewer's own tokens, with the form that mints one.
func (h *Handlers) Tokens(w http.ResponseWriter, r *http.Request) error {
	out, call, err := h.own(r)
	if err != nil {
		return err
	}
	if web.WantsJSON(r) {
		return web.Answer(w, r, http.StatusOK, out)
	}
	if web.Partial(r) {
		return web.Render(w, r, http.StatusOK, view.TokenList(ownList(out, call)))
	}
	return web.Render(w, r, http.StatusOK, view.OwnPage(told(h.ownPage(r, out, call))))
}

func (h *Handlers) own(r *http.Request) (identity.OwnTokens, *tool.Call, error) {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Identity.ListOwnTokens, call, identity.ListOwnTokens{})
	return out, call, err
}

func ownList(out identity.OwnTokens, c *tool.Call) view.List {
	return view.List{Address: view.Own, Rows: rows(out.Tokens), Now: c.Now, AsOf: c.Landed.Position}
}

func (h *Handlers) ownPage(r *http.Request, out identity.OwnTokens, c *tool.Call) view.Page {
	return view.Page{
		Shell: web.Shell(r, "Tokens", "tokens", c.Landed.Position),
		List:  ownList(out, c), New: blank(r, view.Own), Other: web.May(h.Identity.ListTokens.Access, c.By),
	}
}

// MintOwn makes a token of the viewer's own and draws its value in this very
// answer, with what each assistant is told to use it.
func (h *Handlers) MintOwn(w http.ResponseWriter, r *http.Request) error {
	in, call, err := mintForm(r)
	var made identity.Minted
	if err == nil {
		made, err = tool.Do(r.Context(), h.Run, h.Identity.MintOwnToken, call, identity.MintOwnToken(in))
	}
	no := refusal.Of(err)
	if err != nil && (!no.Redraws() || no.Class == refusal.Internal) {
		return err
	}
	out, read, failed := h.own(r)
	if failed != nil {
		return failed
	}
	p := minted(r, h.ownPage(r, out, read), call, made, no)
	if p.Minted != nil && made.Value != "" {
		p.Minted.Connect = view.Connections(web.Origin(r))
	}
	return web.Render(w, r, status(no), view.OwnPage(p))
}

// RevokeOwn ends one of the viewer's own tokens.
func (h *Handlers) RevokeOwn(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[identity.RevokeOwnToken](r)
	if err != nil {
		return err
	}
	in.Token = r.PathValue("token")
	if _, err := tool.Do(r.Context(), h.Run, h.Identity.RevokeOwnToken, call, in); err != nil {
		return err
	}
	return web.SeeLanded(w, r, view.Own, call.Key)
}
