package tracker_test

import (
	"sync"
	"testing"

	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

func yesOrNo() *tracker.Decision {
	return &tracker.Decision{Options: []tracker.Choice{{Label: "Yes", Consequence: "we ship"}, {Label: "No"}}}
}

// ask puts a question as somebody, and answers what came of it.
func (h *house) ask(c *tool.Call, key string, a tracker.Ask) tracker.Asked {
	h.t.Helper()
	return *do(h, h.Tracker.CommentOnItem, c, tracker.CommentOnItem{Key: key, Body: "Shall we?", Ask: &a}).Ask
}

func TestAQuestionOpensAndIsAnsweredInPlace(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A"}).Key
	asked := h.ask(h.seat("writer"), key, tracker.Ask{To: "@Reviewer", Decision: yesOrNo(), Due: "tomorrow"})
	if asked.State != "open" || asked.To.Handle != "reviewer" || len(asked.Options) != 2 || asked.Options[0].ID != "1" || asked.Due != "2026-01-03" || asked.Mine {
		t.Fatalf("asked %+v", asked)
	}
	same(t, "who is asked", h.inbox(h.human("reviewer")), "asked ask.opened "+key)
	open := h.read(key)
	if open.OpenAsks != 1 || len(open.Asks) != 1 || open.Thread[0].Ask == nil || open.Version != 1 {
		t.Errorf("the item reads %+v", open)
	}
	mine := do(h, h.Tracker.ListAsks, h.human("reviewer"), tracker.ListAsks{}).Asks
	if len(mine) != 1 || mine[0].ID != asked.ID || !mine[0].Mine || mine[0].Title != "A" {
		t.Errorf("put to them: %+v", mine)
	}
	answered := do(h, h.Tracker.AnswerAsk, h.human("reviewer"), tracker.AnswerAsk{Ask: asked.ID, Choice: []string{"1"}, Body: "Go."})
	a := answered.Ask
	if a.State != "answered" || a.Answer.Body != "Go." || len(a.Answer.Choice) != 1 || a.Answer.Choice[0].Label != "Yes" || answered.Comment.Answers.Ask != asked.ID {
		t.Errorf("answered %+v", answered)
	}
	same(t, "who asked", h.inbox(h.seat("writer")), "answered ask.answered "+key)
	closed := h.read(key)
	if closed.OpenAsks != 0 || len(closed.Asks) != 0 || closed.Comments != 2 || closed.Version != 1 || closed.Status != "todo" || closed.Assignee != nil {
		t.Errorf("the item reads %+v", closed)
	}
	no := refused(h, h.Tracker.AnswerAsk, h.human("reviewer"), tracker.AnswerAsk{Ask: asked.ID, Choice: []string{"2"}}, refusal.AlreadyAnswered)
	if shown, _ := no.Details["ask"].(tracker.Asked); shown.Answer == nil || shown.Answer.Body != "Go." {
		t.Errorf("it shows %+v", no.Details)
	}
	if mine := do(h, h.Tracker.ListAsks, h.human("reviewer"), tracker.ListAsks{}).Asks; len(mine) != 0 {
		t.Errorf("still put to them: %+v", mine)
	}
}

// A comment answers the only open question put to its author; with several it
// has to say which.
func TestWhichQuestionACommentAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asks  []tracker.Ask // put to platform
		in    tracker.CommentOnItem
		by    string
		class refusal.Class // empty: it lands
		field string
		open  int // questions left open
	}{
		"the only one":                       {[]tracker.Ask{{}}, tracker.CommentOnItem{Body: "Yes"}, "platform", "", "", 0},
		"the only one, by choice":            {[]tracker.Ask{{Decision: yesOrNo()}}, tracker.CommentOnItem{Choice: []string{"2"}}, "platform", "", "", 0},
		"words do not choose":                {[]tracker.Ask{{Decision: yesOrNo()}}, tracker.CommentOnItem{Body: "Let me think"}, "platform", "", "", 1},
		"none, said so":                      {[]tracker.Ask{{}}, tracker.CommentOnItem{Body: "Later", Answers: "none"}, "platform", "", "", 1},
		"asking back":                        {[]tracker.Ask{{}}, tracker.CommentOnItem{Body: "Why?", Ask: &tracker.Ask{To: "writer"}}, "platform", "", "", 2},
		"another's comment":                  {[]tracker.Ask{{}}, tracker.CommentOnItem{Body: "Yes"}, "backend-dev", "", "", 1},
		"one of two, not said":               {[]tracker.Ask{{}, {}}, tracker.CommentOnItem{Body: "Yes"}, "platform", refusal.Invalid, "answers", 2},
		"one of two":                         {[]tracker.Ask{{}, {}}, tracker.CommentOnItem{Body: "Yes", Answers: "0"}, "platform", "", "", 1},
		"another's question":                 {[]tracker.Ask{{}}, tracker.CommentOnItem{Body: "Yes", Answers: "0"}, "backend-dev", refusal.Forbidden, "answers", 1},
		"a lead that is a seat":              {[]tracker.Ask{{}}, tracker.CommentOnItem{Body: "Yes", Answers: "0"}, "tech-lead", refusal.Forbidden, "answers", 1},
		"the operator":                       {[]tracker.Ask{{}}, tracker.CommentOnItem{Body: "Yes", Answers: "0"}, "", "", "", 0},
		"nothing to choose from":             {[]tracker.Ask{{}}, tracker.CommentOnItem{Choice: []string{"1"}}, "platform", refusal.Invalid, "choice", 1},
		"no words":                           {[]tracker.Ask{{}}, tracker.CommentOnItem{Answers: "0"}, "platform", refusal.Invalid, "body", 1},
		"no such option":                     {[]tracker.Ask{{Decision: yesOrNo()}}, tracker.CommentOnItem{Choice: []string{"Yes"}}, "platform", refusal.Invalid, "choice", 1},
		"two of one":                         {[]tracker.Ask{{Decision: yesOrNo()}}, tracker.CommentOnItem{Choice: []string{"1", "2"}}, "platform", refusal.Invalid, "choice", 1},
		"words where a choice is needed":     {[]tracker.Ask{{Decision: yesOrNo()}}, tracker.CommentOnItem{Body: "Maybe", Answers: "0"}, "platform", refusal.Invalid, "choice", 1},
		"words where they will do":           {[]tracker.Ask{{Decision: free(yesOrNo())}}, tracker.CommentOnItem{Body: "Maybe"}, "platform", "", "", 0},
		"several":                            {[]tracker.Ask{{Decision: multi(yesOrNo())}}, tracker.CommentOnItem{Choice: []string{"2", "1"}}, "platform", "", "", 0},
		"the same twice":                     {[]tracker.Ask{{Decision: multi(yesOrNo())}}, tracker.CommentOnItem{Choice: []string{"1", "1"}}, "platform", refusal.Invalid, "choice", 1},
		"a choice when nothing was answered": {[]tracker.Ask{{Decision: yesOrNo()}}, tracker.CommentOnItem{Body: "x", Choice: []string{"1"}, Answers: "none"}, "platform", refusal.Invalid, "answers", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			c.in.Key = h.item(tracker.CreateItem{Title: "A"}).Key
			for i, a := range c.asks {
				a.To = "platform"
				if asked := h.ask(h.seat("writer"), c.in.Key, a); i == 0 && c.in.Answers == "0" {
					c.in.Answers = asked.ID
				}
			}
			by := enginetest.By("ana")
			if c.by != "" {
				by = h.seat(c.by)
			}
			_, err := tool.Do(t.Context(), h.Run, h.Tracker.CommentOnItem, by, c.in)
			if no := refusal.Of(err); err != nil && (c.class == "" || no.Class != c.class || no.Fields[c.field] == "") || err == nil && c.class != "" {
				t.Errorf("got %v %v, want %q on %s", err, no, c.class, c.field)
			}
			if left := len(h.read(c.in.Key).Asks); left != c.open {
				t.Errorf("%d questions are open, want %d", left, c.open)
			}
		})
	}
}

func free(d *tracker.Decision) *tracker.Decision {
	d.Free = true
	return d
}

func multi(d *tracker.Decision) *tracker.Decision {
	d.Multi = true
	return d
}

func TestTwoAnswersAtOnceOneIsTheAnswer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A"}).Key
	asked := h.ask(h.seat("writer"), key, tracker.Ask{To: "reviewer", Decision: yesOrNo()})
	const many = 8
	errs := make([]error, many)
	calls := make([]*tool.Call, many)
	for i := range calls {
		calls[i] = h.human("reviewer")
	}
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			if i%2 == 0 {
				_, errs[i] = tool.Do(t.Context(), h.Run, h.Tracker.AnswerAsk, calls[i], tracker.AnswerAsk{Ask: asked.ID, Choice: []string{"1"}})
				return
			}
			_, errs[i] = tool.Do(t.Context(), h.Run, h.Tracker.CommentOnItem, calls[i], tracker.CommentOnItem{Key: key, Choice: []string{"2"}})
		})
	}
	all.Wait()
	landed := 0
	for _, err := range errs {
		switch {
		case err == nil:
			landed++
		case !refusal.Is(err, refusal.AlreadyAnswered):
			t.Errorf("refused with %v", err)
		}
	}
	if now := h.read(key); landed != 1 || now.Comments != 2 || now.OpenAsks != 0 {
		t.Errorf("%d answers landed; the item has %d comments and %d open questions", landed, now.Comments, now.OpenAsks)
	}
}

func TestAQuestionIsWithdrawnByWhoAsked(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A"}).Key
	asked := h.ask(h.seat("writer"), key, tracker.Ask{To: "reviewer"})
	if no := refused(h, h.Tracker.WithdrawAsk, enginetest.By("ana"), tracker.WithdrawAsk{Ask: asked.ID}, refusal.Forbidden); no.Details["reason"] != "not_author" {
		t.Errorf("forbidden for %v", no.Details)
	}
	gone := do(h, h.Tracker.WithdrawAsk, h.seat("writer"), tracker.WithdrawAsk{Ask: asked.ID})
	if gone.Ask.State != "withdrawn" || gone.Item != key || h.read(key).OpenAsks != 0 {
		t.Errorf("withdrawn %+v", gone)
	}
	same(t, "who was asked", h.inbox(h.human("reviewer")), "asked ask.withdrawn "+key, "asked ask.opened "+key)
	c := h.seat("writer")
	do(h, h.Tracker.WithdrawAsk, c, tracker.WithdrawAsk{Ask: asked.ID})
	if c.Landed.Outcome != "unchanged" {
		t.Errorf("again it is %s", c.Landed.Outcome)
	}
	refused(h, h.Tracker.AnswerAsk, h.human("reviewer"), tracker.AnswerAsk{Ask: asked.ID, Body: "Yes"}, refusal.Conflict)
	second := h.ask(h.seat("writer"), key, tracker.Ask{To: "reviewer"})
	do(h, h.Tracker.AnswerAsk, h.human("reviewer"), tracker.AnswerAsk{Ask: second.ID, Body: "Yes"})
	refused(h, h.Tracker.WithdrawAsk, h.seat("writer"), tracker.WithdrawAsk{Ask: second.ID}, refusal.AlreadyAnswered)
	refused(h, h.Tracker.WithdrawAsk, h.seat("writer"), tracker.WithdrawAsk{Ask: tool.NewKey()}, refusal.NotFound)
	refused(h, h.Tracker.AnswerAsk, h.human("reviewer"), tracker.AnswerAsk{Ask: tool.NewKey(), Body: "x"}, refusal.NotFound)
}

func TestAnItemIsFiledWithAQuestion(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	it := do(h, h.Tracker.CreateItem, h.seat("writer"), tracker.CreateItem{Title: "Which colour?", Ask: &tracker.Ask{To: "reviewer", Body: "Red or blue?", Decision: yesOrNo()}})
	if it.OpenAsks != 1 || it.Comments != 1 || it.Project != "MKT" {
		t.Errorf("filed %+v", it)
	}
	same(t, "who is asked", h.inbox(h.human("reviewer")), "asked ask.opened "+it.Key)
	if asks := h.read(it.Key).Asks; len(asks) != 1 || asks[0].Body != "Red or blue?" {
		t.Errorf("asked %+v", asks)
	}
	no := refused(h, h.Tracker.CreateItem, h.seat("writer"), tracker.CreateItem{Title: "B", Ask: &tracker.Ask{To: "reviewer"}}, refusal.Invalid)
	if no.Fields["ask.body"] == "" {
		t.Errorf("refused %+v", no)
	}
	no = refused(h, h.Tracker.CreateItem, h.seat("writer"), tracker.CreateItem{Title: "B", Ask: &tracker.Ask{To: "reviewerr", Body: "?"}}, refusal.Invalid)
	if no.Fields["ask.to"] == "" || no.Details["candidates"] == nil {
		t.Errorf("refused %+v", no)
	}
}

func TestQuestionsAreListed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	one, two := h.item(tracker.CreateItem{Title: "A"}).Key, h.item(tracker.CreateItem{Title: "B"}).Key
	a := h.ask(h.seat("writer"), one, tracker.Ask{To: "reviewer"}).ID
	b := h.ask(h.human("reviewer"), one, tracker.Ask{To: "platform"}).ID
	c := h.ask(h.seat("writer"), two, tracker.Ask{To: "reviewer"}).ID
	d := h.ask(h.seat("writer"), two, tracker.Ask{To: "platform"}).ID
	do(h, h.Tracker.WithdrawAsk, h.seat("writer"), tracker.WithdrawAsk{Ask: d})
	for name, x := range map[string]struct {
		in   tracker.ListAsks
		want []string
	}{
		"put to me":     {tracker.ListAsks{}, []string{c, a}},
		"put by me":     {tracker.ListAsks{Whose: "mine"}, []string{b}},
		"everybody's":   {tracker.ListAsks{Whose: "all"}, []string{c, b, a}},
		"of an item":    {tracker.ListAsks{Item: one}, []string{b, a}},
		"mine of it":    {tracker.ListAsks{Item: one, Whose: "me"}, []string{a}},
		"withdrawn":     {tracker.ListAsks{Whose: "all", State: "withdrawn"}, []string{d}},
		"in all states": {tracker.ListAsks{Item: two, State: "all"}, []string{d, c}},
		"a page":        {tracker.ListAsks{Whose: "all", Limit: 2}, []string{c, b}},
		"the next":      {tracker.ListAsks{Whose: "all", Limit: 2, Cursor: b}, []string{a}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list, err := tool.Do(t.Context(), h.Run, h.Tracker.ListAsks, h.human("reviewer"), x.in)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, asked := range list.Asks {
				got = append(got, asked.ID)
			}
			same(t, "asks", got, x.want...)
		})
	}
	if no := refused(h, h.Tracker.ListAsks, h.human("reviewer"), tracker.ListAsks{Item: "ENG-99"}, refusal.Invalid); no.Fields["item"] == "" {
		t.Errorf("refused %+v", no)
	}
	refused(h, h.Tracker.ListAsks, h.seat("writer"), tracker.ListAsks{}, refusal.Forbidden)
}
