package tracker

import "crewlet/engine/tool"

// Talk is what is said about work, who hears of it, and what is theirs to do.
type Talk struct {
	CommentOnItem   tool.Use[CommentOnItem, Said]
	GetComment      tool.Use[GetComment, CommentRead]
	EditComment     tool.Use[EditComment, Commented]
	RemoveComment   tool.Use[RemoveComment, Commented]
	ListAsks        tool.Use[ListAsks, AskList]
	AnswerAsk       tool.Use[AnswerAsk, Said]
	WithdrawAsk     tool.Use[WithdrawAsk, Withdrawn]
	WorkInbox       tool.Use[WorkInbox, Inbox]
	MarkInbox       tool.Use[MarkInbox, Marked]
	SetInboxReasons tool.Use[SetInboxReasons, InboxReasons]
	MyWork          tool.Use[MyWork, Mine]
	GetPriorities   tool.Use[GetPriorities, QueueRead]
	SetPriorities   tool.Use[SetPriorities, Queue]
	PlacePriority   tool.Use[PlacePriority, Queue]
	TaskActivity    tool.Use[TaskActivity, Activity]
	WorkRouting     tool.Use[WorkRouting, Routing]
	ListEditions    tool.Use[ListEditions, EditionList]
	GetEdition      tool.Use[GetEdition, EditionRead]
	RestoreEdition  tool.Use[RestoreEdition, Item]
}

func declareTalk(t *Tracker) Talk {
	return Talk{
		CommentOnItem:   declareCommentOnItem(t),
		GetComment:      declareGetComment(t),
		EditComment:     declareEditComment(t),
		RemoveComment:   declareRemoveComment(t),
		ListAsks:        declareListAsks(t),
		AnswerAsk:       declareAnswerAsk(t),
		WithdrawAsk:     declareWithdrawAsk(t),
		WorkInbox:       declareWorkInbox(t),
		MarkInbox:       declareMarkInbox(t),
		SetInboxReasons: declareSetInboxReasons(t),
		MyWork:          declareMyWork(t),
		GetPriorities:   declareGetPriorities(t),
		SetPriorities:   declareSetPriorities(t),
		PlacePriority:   declarePlacePriority(t),
		TaskActivity:    declareTaskActivity(t),
		WorkRouting:     declareWorkRouting(t),
		ListEditions:    declareListEditions(t),
		GetEdition:      declareGetEdition(t),
		RestoreEdition:  declareRestoreEdition(t),
	}
}

func (t Talk) tools() []tool.Tool {
	return []tool.Tool{
		t.CommentOnItem.Any(),
		t.GetComment.Any(),
		t.EditComment.Any(),
		t.RemoveComment.Any(),
		t.ListAsks.Any(),
		t.AnswerAsk.Any(),
		t.WithdrawAsk.Any(),
		t.WorkInbox.Any(),
		t.MarkInbox.Any(),
		t.SetInboxReasons.Any(),
		t.MyWork.Any(),
		t.GetPriorities.Any(),
		t.SetPriorities.Any(),
		t.PlacePriority.Any(),
		t.TaskActivity.Any(),
		t.WorkRouting.Any(),
		t.ListEditions.Any(),
		t.GetEdition.Any(),
		t.RestoreEdition.Any(),
	}
}
