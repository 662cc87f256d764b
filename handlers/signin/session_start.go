package signin

import (
	"net/http"

	"crewlet/engine/access"
	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	view "crewlet/views/signin"
)

// next is the hidden field with the path to go on to.
const next = "_next"

// nobody is who signs in, also in a browser that is signed in already: so a
// form sent again lands where it landed.
func nobody() access.Principal { return access.Principal{} }

// SignInForm draws the form; who is signed in already goes on.
func (h *Handlers) SignInForm(w http.ResponseWriter, r *http.Request) error {
	to := web.LocalPath(r.URL.Query().Get("next"))
	if web.ViewerOf(r).By.Kind != access.Nobody {
		return web.See(w, r, to)
	}
	vacant, err := h.Identity.Vacant(r.Context())
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.SignInPage(view.SignIn{Key: tool.NewKey(), Next: to, Vacant: vacant}))
}

// SignIn gives the browser a session and sends it on.
func (h *Handlers) SignIn(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[identity.SignIn](r)
	var out identity.SignedIn
	if err == nil {
		call.By, in.Browser = nobody(), browser(r)
		out, err = tool.Do(r.Context(), h.Run, h.Identity.SignIn, call, in)
	}
	if err == nil && call.Landed.Repeated {
		err = h.stands(r, out.Session)
	}
	to := web.LocalPath(r.PostForm.Get(next))
	if no := refusal.Of(err); no.Redraws() && no.Class != refusal.Internal || refusal.Is(err, refusal.Unauthenticated) {
		waits(w, no)
		return web.Render(w, r, no.Status(), view.SignInPage(view.SignIn{
			Key: formKey(call, no), Next: to, Login: r.PostForm.Get("login"), Says: says(no), Fields: no.Fields,
		}))
	}
	if err != nil {
		return err
	}
	if err := web.SignIn(w, r, out.Session); err != nil {
		return err
	}
	return web.See(w, r, to)
}

// stands refuses a form sent again after the session it began has ended: its
// cookie would sign nobody in, and could take the place of one that does.
func (h *Handlers) stands(r *http.Request, session string) error {
	_, err := h.Identity.Session(r.Context(), session)
	if refusal.Is(err, refusal.Unauthenticated) {
		return refusal.Conflict.Say("This form had been sent before, and that sign-in has ended.")
	}
	return err
}
