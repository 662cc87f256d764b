package work

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
	"crewlet/handlers/web"

	view "crewlet/views/work"
)

// Comment says something about an item.
func (h *Handlers) Comment(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[tracker.CommentOnItem](r)
	in.Key, in.Answers = r.PathValue("key"), "none" // a question has a form of its own
	var out tracker.Said
	if err == nil {
		out, err = tool.Do(r.Context(), h.Run, h.Tracker.CommentOnItem, call, in)
	}
	if err != nil {
		return h.returns(w, r, call, "comment", err)
	}
	return web.SeeLanded(w, r, view.ItemAddress(out.Item), call.Key+"#comment-"+out.Comment.ID)
}

// Ask puts a question to somebody.
func (h *Handlers) Ask(w http.ResponseWriter, r *http.Request) error {
	if values, err := web.Values(r); err == nil {
		options(values)
	}
	in, call, err := web.Form[tracker.CommentOnItem](r)
	in.Key, in.Answers = r.PathValue("key"), "none"
	if err == nil && in.Ask == nil {
		err = refusal.Invalid.Say("Say whom to ask.").On("ask.to")
	}
	var out tracker.Said
	if err == nil {
		out, err = tool.Do(r.Context(), h.Run, h.Tracker.CommentOnItem, call, in)
	}
	if err != nil {
		return h.returns(w, r, call, "ask", err)
	}
	return web.SeeLanded(w, r, view.ItemAddress(out.Item), call.Key+"#comment-"+out.Comment.ID)
}

// options turns the lines of the form into the fields of a decision: a label,
// and after a bar what follows from it.
func options(values url.Values) {
	n := 0
	for line := range strings.SplitSeq(values.Get("_options"), "\n") {
		label, consequence, _ := strings.Cut(strings.TrimSpace(line), "|")
		if label = strings.TrimSpace(label); label == "" {
			continue
		}
		at := fmt.Sprintf("ask.decision.options[%d].", n)
		values.Set(at+"label", label)
		values.Set(at+"consequence", strings.TrimSpace(consequence))
		n++
	}
}

// Answer answers a question on its item's page.
func (h *Handlers) Answer(w http.ResponseWriter, r *http.Request) error {
	out, call, err := h.answer(r)
	if err != nil {
		return h.returns(w, r, call, "answer:"+r.PathValue("ask"), err)
	}
	return web.SeeLanded(w, r, view.ItemAddress(out.Item), call.Key+"#comment-"+out.Comment.ID)
}

func (h *Handlers) answer(r *http.Request) (tracker.Said, *tool.Call, error) {
	in, call, err := web.Form[tracker.AnswerAsk](r)
	in.Ask = r.PathValue("ask")
	if err != nil {
		return tracker.Said{}, call, err
	}
	out, err := tool.Do(r.Context(), h.Run, h.Tracker.AnswerAsk, call, in)
	return out, call, err
}

// Withdraw takes a question back.
func (h *Handlers) Withdraw(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[tracker.WithdrawAsk](r)
	in.Ask = r.PathValue("ask")
	if err == nil {
		_, err = tool.Do(r.Context(), h.Run, h.Tracker.WithdrawAsk, call, in)
	}
	if err != nil {
		return h.returns(w, r, call, "withdraw", err)
	}
	return web.See(w, r, view.ItemAddress(strings.ToUpper(r.PathValue("key")))+"#ask-"+in.Ask)
}

// Edit changes one's own comment.
func (h *Handlers) Edit(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[tracker.EditComment](r)
	in.Comment = r.PathValue("comment")
	if err == nil {
		_, err = tool.Do(r.Context(), h.Run, h.Tracker.EditComment, call, in)
	}
	if err != nil {
		return h.returns(w, r, call, "edit:"+in.Comment, err)
	}
	return web.SeeLanded(w, r, view.ItemAddress(strings.ToUpper(r.PathValue("key"))), call.Key+"#comment-"+in.Comment)
}

// Remove takes a comment away; a mark stays.
func (h *Handlers) Remove(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[tracker.RemoveComment](r)
	in.Comment = r.PathValue("comment")
	if err == nil {
		_, err = tool.Do(r.Context(), h.Run, h.Tracker.RemoveComment, call, in)
	}
	if err != nil {
		return h.returns(w, r, call, "remove", err)
	}
	return web.See(w, r, view.ItemAddress(strings.ToUpper(r.PathValue("key")))+"#comment-"+in.Comment)
}
