package ui

import (
	"strconv"
	"strings"
)

// RegionView is a part of a page that keeps itself current.
type RegionView struct {
	ID string // of the element; the fragment answered at Href has no such wrapper
	// Href answers the region's content alone to HX-Request-Type: partial. It is
	// asked with min_position, the position of the change that caused it.
	Href   string
	Topics []string // such as "tools", "servers"
	AsOf   int64    // the position its content was read at
}

// trigger lists the events of its topics. They are waited for together for a
// moment: a change of two topics is one request.
func (r RegionView) trigger() string {
	events := make([]string, 0, len(r.Topics))
	for _, topic := range r.Topics {
		events = append(events, "live:"+topic+" from:body delay:20ms")
	}
	return strings.Join(events, ", ")
}

func (r RegionView) topics() string { return strings.Join(r.Topics, " ") }

func (r RegionView) asOf() string { return strconv.FormatInt(r.AsOf, 10) }
