package tokens

import (
	"net/http"
	"strconv"
	"strings"

	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	view "crewlet/views/tokens"
)

// Mint makes a program's token and draws its value in this very answer: it is
// in no address, no store, and no page that can be asked for again.
func (h *Handlers) Mint(w http.ResponseWriter, r *http.Request) error {
	in, call, err := mintForm(r)
	var made identity.Minted
	if err == nil {
		made, err = tool.Do(r.Context(), h.Run, h.Identity.MintToken, call, in)
	}
	no := refusal.Of(err)
	if err != nil && (!no.Redraws() || no.Class == refusal.Internal) {
		return err
	}
	out, read, failed := h.list(r)
	if failed != nil {
		return failed
	}
	p := minted(r, page(r, out, read), call, made, no)
	return web.Render(w, r, status(no), view.ProgramsPage(p))
}

// minted is the page after the form: with the new token, or with what was
// wrong.
func minted(r *http.Request, p view.Page, call *tool.Call, made identity.Minted, no *refusal.Refusal) view.Page {
	if no != nil {
		p.New = typed(r, p.New, call, no)
		return p
	}
	p.Minted = &view.Minted{Label: made.Label, Value: made.Value}
	p.Shell.Landed, p.Shell.Done = call.Key, "The token "+made.Label+" is minted."
	return p
}

func status(no *refusal.Refusal) int {
	if no == nil {
		return http.StatusOK
	}
	return no.Status()
}

// mintForm reads the form; days left empty are days left out. Days that are no
// number are as wrong as none, and told with all else that is wrong.
func mintForm(r *http.Request) (identity.MintToken, *tool.Call, error) {
	values, err := web.Values(r)
	if err != nil {
		return identity.MintToken{}, web.Call(r), err
	}
	sent := values.Get("days")
	if values.Del("days"); sent == "" {
		return web.Form[identity.MintToken](r)
	}
	days, wrong := strconv.Atoi(strings.TrimSpace(sent))
	in, call, err := web.Form[identity.MintToken](r)
	if in.Days = days; wrong != nil || days == 0 {
		in.Days = -1
	}
	values.Set("days", sent) // as it was typed, should it come back
	return in, call, err
}

// typed is the form as it was sent. It keeps its key while the same words may
// still land under it.
func typed(r *http.Request, n view.New, c *tool.Call, no *refusal.Refusal) view.New {
	n.Label, n.Days, n.Grants = r.PostForm.Get("label"), r.PostForm.Get("days"), r.PostForm["grants"]
	n.Sensitive = r.PostForm.Get("sensitive") != ""
	n.Says, n.Fields, n.Redrawn = no.Says, no.Fields, true
	switch {
	case no.Class == refusal.Conflict:
		n.Says, n.Sent = "", "This form was sent before with other words, and a token was minted then. What stands here now was not sent; it is another token."
	case no.Class != refusal.OpIDInvalid && c.Key != "":
		n.Key = c.Key
	}
	return n
}
