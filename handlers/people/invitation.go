package people

import (
	"net/http"

	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	view "crewlet/views/people"
)

// Invite makes an invitation and draws its link in this very answer: it is in
// no page that can be asked for again.
func (h *Handlers) Invite(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[identity.InvitePerson](r)
	var made identity.Invited
	if err == nil {
		made, err = tool.Do(r.Context(), h.Run, h.Identity.InvitePerson, call, in)
	}
	no := refusal.Of(err)
	if err != nil && (!no.Redraws() || no.Class == refusal.Internal) {
		return err
	}
	out, read, failed := h.list(r)
	if failed != nil {
		return failed
	}
	p := page(r, out, read)
	if no != nil {
		p.Invite = typed(r, p.Invite, call, no)
		return web.Render(w, r, web.FormStatus(no), view.PeoplePage(p))
	}
	p.Made = &view.Made{Name: made.Name}
	if made.Token != "" {
		p.Made.Link = web.Origin(r) + "/invitation/" + made.Token
	}
	p.Shell.Landed, p.Shell.Done = call.Key, "The invitation of "+made.Name+" is made."
	return web.Render(w, r, http.StatusOK, view.PeoplePage(p))
}

// typed is the form as it was sent. It keeps its key while the same words may
// still land under it.
func typed(r *http.Request, n view.Invite, c *tool.Call, no *refusal.Refusal) view.Invite {
	sent := r.PostForm
	n.Name, n.Email, n.Seat, n.Grants = sent.Get("name"), sent.Get("email"), sent.Get("seat"), sent["grants"]
	n.Says, n.Fields, n.Redrawn = no.Says, no.Fields, true
	switch {
	case no.Class == refusal.Conflict:
		n.Says, n.Sent = "", "This form was sent before with other words, and an invitation was made then. What stands here now was not sent; it is another invitation."
	case no.Class != refusal.OpIDInvalid && c.Key != "":
		n.Key = c.Key
	}
	return n
}

// Uninvite takes an invitation back.
func (h *Handlers) Uninvite(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[identity.RevokeInvitation](r)
	if err != nil {
		return err
	}
	in.Invitation = r.PathValue("invitation")
	if _, err := tool.Do(r.Context(), h.Run, h.Identity.RevokeInvitation, call, in); err != nil {
		return err
	}
	return web.SeeLanded(w, r, view.Address, call.Key)
}
