package history

import "crewlet/engine/tool"

// History is the area's service.
type History struct {
	ListAudit   tool.Use[ListAudit, AuditPage]
	ListChanges tool.Use[ListChanges, ChangePage]
}

// New makes the service.
func New() *History {
	h := &History{}
	h.ListAudit = declareListAudit(h)
	h.ListChanges = declareListChanges(h)
	return h
}

// Tools lists the area's use cases for the catalogue.
func (h *History) Tools() []tool.Tool {
	return []tool.Tool{h.ListAudit.Any(), h.ListChanges.Any()}
}
