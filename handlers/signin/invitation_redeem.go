package signin

import (
	"net/http"

	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	view "crewlet/views/signin"
)

// InvitationForm shows what an invitation brings; only sending it spends it.
func (h *Handlers) InvitationForm(w http.ResponseWriter, r *http.Request) error {
	token := r.PathValue("token")
	inv, err := h.Identity.Invited(r.Context(), token)
	if err != nil {
		return uninvited(w, r, err)
	}
	return web.Render(w, r, http.StatusOK, view.InvitationPage(invitation(token, inv, tool.NewKey())))
}

func invitation(token string, inv identity.Invitation, key string) view.Invitation {
	return view.Invitation{
		Action: "/invitation/" + token, Key: key, By: inv.Author, Seat: inv.Seat, Grants: inv.Grants, Name: inv.Name, Email: inv.Email,
	}
}

// Join makes a person of the invitation, signed in.
func (h *Handlers) Join(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[identity.RedeemInvitation](r)
	var out identity.SignedIn
	if err == nil {
		call.By, in.Token, in.Browser = nobody(), r.PathValue("token"), browser(r)
		out, err = tool.Do(r.Context(), h.Run, h.Identity.RedeemInvitation, call, in)
	}
	if err != nil {
		return h.joinRefused(w, r, call, err)
	}
	if err := web.SignIn(w, r, out.Session); err != nil {
		return err
	}
	return web.See(w, r, "/")
}

// joinRefused keeps what was typed, unless the invitation itself is what is
// wrong.
func (h *Handlers) joinRefused(w http.ResponseWriter, r *http.Request, call *tool.Call, err error) error {
	token := r.PathValue("token")
	inv, gone := h.Identity.Invited(r.Context(), token)
	if gone != nil {
		return uninvited(w, r, gone)
	}
	no := refusal.Of(err)
	if !no.Redraws() || no.Class == refusal.Internal {
		return err
	}
	waits(w, no)
	v, typed := invitation(token, inv, formKey(call, no)), r.PostForm
	v.Login, v.Name, v.Email, v.Says, v.Fields = typed.Get("login"), typed.Get("name"), typed.Get("email"), says(no), no.Fields
	return web.Render(w, r, no.Status(), view.InvitationPage(v))
}

// uninvited explains an invitation that cannot be used.
func uninvited(w http.ResponseWriter, r *http.Request, err error) error {
	no := refusal.Of(err)
	if no.Class != refusal.NotFound {
		return err
	}
	return web.Render(w, r, no.Status(), view.InvitationOverPage(no.Says))
}
