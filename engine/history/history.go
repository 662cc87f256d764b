package history

import (
	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// Options is what the area is built on.
type Options struct {
	Run  *tool.Runner
	Feed *changes.Feed // wakes those who wait
}

// History is the area's service.
type History struct {
	ListAudit   tool.Use[ListAudit, AuditPage]
	ListChanges tool.Use[ListChanges, ChangePage]
	PollEvents  tool.Use[PollEvents, EventPage]
	WaitEvents  tool.Use[WaitEvents, EventPage]

	run  *tool.Runner
	feed *changes.Feed
}

// New makes the service.
func New(o Options) *History {
	h := &History{run: o.Run, feed: o.Feed}
	h.ListAudit = declareListAudit(h)
	h.ListChanges = declareListChanges(h)
	h.PollEvents = declarePollEvents(h)
	h.WaitEvents = declareWaitEvents(h)
	return h
}

// Tools lists the area's use cases for the catalogue.
func (h *History) Tools() []tool.Tool {
	return []tool.Tool{h.ListAudit.Any(), h.ListChanges.Any(), h.PollEvents.Any(), h.WaitEvents.Any()}
}
