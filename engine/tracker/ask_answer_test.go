package tracker_test

import (
	"testing"

	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

// Who may answer in another's place is told so beforehand, and the answer says
// whose it is and that it was given in another's place.
func TestAnAnswerInAnothersPlace(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A"}).Key
	asked := h.ask(h.seat("writer"), key, tracker.Ask{To: "platform", Decision: yesOrNo()})
	for name, c := range map[string]struct {
		by            *tool.Call
		mine, inPlace bool
	}{
		"who is asked":        {h.seat("platform"), true, false},
		"an operator":         {enginetest.By("ana"), false, true},
		"the lead, a person":  {h.human("tech-lead"), false, true},
		"the lead, a seat":    {h.seat("tech-lead"), false, false},
		"a colleague":         {h.human("reviewer"), false, false},
		"another unit's lead": {h.human("writer"), false, false},
	} {
		got := do(h, h.Tracker.GetItem, c.by, tracker.GetItem{Key: key}).Thread[0].Ask
		if got.Mine != c.mine || got.InPlace != c.inPlace {
			t.Errorf("%s: mine %t, in place %t", name, got.Mine, got.InPlace)
		}
		if !c.mine && !c.inPlace && c.by.By.Kind == "person" {
			refused(h, h.Tracker.AnswerAsk, c.by, tracker.AnswerAsk{Ask: asked.ID, Choice: []string{"1"}}, refusal.Forbidden)
		}
	}
	a := do(h, h.Tracker.AnswerAsk, h.human("tech-lead"), tracker.AnswerAsk{Ask: asked.ID, Choice: []string{"1"}}).Ask
	if a.InPlace || a.Answer.By.Handle != "tech-lead" || !a.Answer.InPlace || a.To.Handle != "platform" {
		t.Errorf("answered %+v by %+v", a, a.Answer)
	}
	own := h.ask(h.seat("writer"), key, tracker.Ask{To: "reviewer"})
	if a := do(h, h.Tracker.AnswerAsk, h.human("reviewer"), tracker.AnswerAsk{Ask: own.ID, Body: "Yes"}).Ask; a.Answer.InPlace {
		t.Errorf("one's own answer is %+v", a.Answer)
	}
}
