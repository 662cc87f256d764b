package signin

import (
	"net/http"

	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	view "crewlet/views/signin"
)

// SetupForm shows what a set-up link is for; only sending it spends the link.
func (h *Handlers) SetupForm(w http.ResponseWriter, r *http.Request) error {
	token := r.PathValue("token")
	if err := h.Identity.SetupOpen(r.Context(), token); err != nil {
		return over(w, r, err)
	}
	return web.Render(w, r, http.StatusOK, view.SetupPage(view.Setup{Action: setupPath(token), Key: tool.NewKey()}))
}

// Setup makes the first administrator, signed in.
func (h *Handlers) Setup(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[identity.RedeemSetup](r)
	var out identity.SignedIn
	if err == nil {
		call.By, in.Token, in.Browser = nobody(), r.PathValue("token"), browser(r)
		out, err = tool.Do(r.Context(), h.Run, h.Identity.RedeemSetup, call, in)
	}
	if err != nil {
		return h.setupRefused(w, r, call, err)
	}
	if err := web.SignIn(w, r, out.Session); err != nil {
		return err
	}
	return web.See(w, r, "/")
}

// setupRefused keeps what was typed, unless the link itself is what is wrong.
func (h *Handlers) setupRefused(w http.ResponseWriter, r *http.Request, call *tool.Call, err error) error {
	token := r.PathValue("token")
	if closed := h.Identity.SetupOpen(r.Context(), token); closed != nil {
		return over(w, r, closed)
	}
	no := refusal.Of(err)
	if !no.Redraws() || no.Class == refusal.Internal {
		return err
	}
	waits(w, no)
	typed := r.PostForm
	return web.Render(w, r, no.Status(), view.SetupPage(view.Setup{
		Action: setupPath(token), Key: formKey(call, no), Login: typed.Get("login"), Name: typed.Get("name"), Email: typed.Get("email"),
		Says: says(no), Fields: no.Fields,
	}))
}

func setupPath(token string) string { return "/setup/" + token }

// over explains a link that cannot be used.
func over(w http.ResponseWriter, r *http.Request, err error) error {
	no := refusal.Of(err)
	if no.Class != refusal.Conflict && no.Class != refusal.NotFound {
		return err
	}
	return web.Render(w, r, no.Status(), view.SetupOverPage(view.SetupOver{Closed: no.Class == refusal.Conflict, Says: no.Says}))
}
