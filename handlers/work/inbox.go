package work

import (
	"net/http"
	"slices"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
	"crewlet/handlers/web"
	"crewlet/views/ui"

	view "crewlet/views/work"
)

// Inbox draws what somebody was told and asked.
func (h *Handlers) Inbox(w http.ResponseWriter, r *http.Request) error {
	return h.inbox(w, r, http.StatusOK, r.URL.Query().Get("box"), returned{})
}

func (h *Handlers) inbox(w http.ResponseWriter, r *http.Request, status int, box string, back returned) error {
	switch box {
	case "other", "snoozed":
	default:
		box = "primary"
	}
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Tracker.WorkInbox, call, tracker.WorkInbox{Box: box, Cursor: r.URL.Query().Get("cursor")})
	if err != nil {
		return err
	}
	if web.WantsJSON(r) {
		return web.Answer(w, r, status, out)
	}
	in := view.Inbox{
		Box: box, Cursor: r.URL.Query().Get("cursor"), Primary: out.Unread.Primary, Other: out.Unread.Other, Next: out.Next, Full: out.Full, ReadAll: tool.NewKey(), AsOf: out.AsOf,
		Choose: back.of("reasons"),
	}
	in.Reasons = view.ReasonChoices(tracker.Reasons(), func(reason string) bool { return slices.Contains(out.Primary, reason) })
	for _, e := range out.Entries {
		in.Entries = append(in.Entries, h.entryOf(e, call, back))
	}
	if back.form == "mark" || back.form != "" && back.form != "reasons" && !slices.ContainsFunc(in.Entries, func(e view.Entry) bool { return e.Ask != nil && e.Ask.Form.Open }) {
		in.Says = back.state.Says + back.state.Sent
	}
	if len(in.Entries) > 0 {
		in.Newest = in.Entries[0].ID
	}
	if web.Partial(r) {
		return web.Render(w, r, status, view.InboxPart(in))
	}
	return web.Render(w, r, status, view.InboxShow(view.InboxPage{Shell: web.Shell(r, "Inbox", "inbox", call.Landed.Position), Box: box, Inbox: in}))
}

func (h *Handlers) entryOf(e tracker.Told, call *tool.Call, back returned) view.Entry {
	out := view.Entry{
		ID: e.ID, Item: e.Item, Title: e.Title, Status: e.Status, Reason: e.Reason, Summary: e.Summary, By: personOf(e.By),
		At: ui.TimeView{At: e.At, Now: call.Now}, Read: e.Read, Href: view.ItemAddress(e.Item), Keys: tool.NewKey,
	}
	if e.Comment != "" {
		out.Href += "#comment-" + e.Comment
	}
	if e.Ask != nil {
		ask := h.askOf(*e.Ask, call, nil, view.InboxAddress+"/asks/"+e.Ask.ID)
		drawing{back: back}.answering(&ask)
		out.Ask = &ask
	}
	return out
}

// AnswerHere answers a question where it was told.
func (h *Handlers) AnswerHere(w http.ResponseWriter, r *http.Request) error {
	_, call, err := h.answer(r)
	if err == nil {
		return web.SeeLanded(w, r, view.InboxAddress, call.Key)
	}
	no := refusal.Of(err)
	if !no.Redraws() || no.Class == refusal.Internal {
		return err
	}
	form := "answer:" + r.PathValue("ask")
	return h.inbox(w, r, no.Status(), "primary", returned{form: form, state: stateOf(r.PostForm, call, form, no)})
}

// Mark marks entries read or unread, or puts them off.
func (h *Handlers) Mark(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[tracker.MarkInbox](r)
	if err == nil {
		_, err = tool.Do(r.Context(), h.Run, h.Tracker.MarkInbox, call, in)
	}
	shown := box(r.PostForm.Get("_box"))
	if err == nil {
		return web.See(w, r, view.InboxAddress+"?box="+shown)
	}
	no := refusal.Of(err)
	if !no.Redraws() || no.Class == refusal.Internal {
		return err
	}
	return h.inbox(w, r, no.Status(), shown, returned{form: "mark", state: stateOf(r.PostForm, call, "mark", no)})
}

// box keeps what a form sent to the names there are.
func box(name string) string {
	switch name {
	case "other", "snoozed":
		return name
	}
	return "primary"
}

// ChooseReasons keeps which reasons somebody sees first.
func (h *Handlers) ChooseReasons(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[tracker.SetInboxReasons](r)
	if err == nil {
		_, err = tool.Do(r.Context(), h.Run, h.Tracker.SetInboxReasons, call, in)
	}
	shown := box(r.PostForm.Get("_box"))
	if err == nil {
		return web.See(w, r, view.InboxAddress+"?box="+shown)
	}
	no := refusal.Of(err)
	if !no.Redraws() || no.Class == refusal.Internal {
		return err
	}
	return h.inbox(w, r, no.Status(), shown, returned{form: "reasons", state: stateOf(r.PostForm, call, "reasons", no)})
}
