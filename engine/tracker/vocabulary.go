package tracker

import "slices"

// The words an item's columns are written with, in the order people read them.
var (
	statuses     = []string{"todo", "in_progress", "in_review", "done", "cancelled", "closed"}
	statusGroups = []string{"not_started", "active", "done", "closed"}
	priorities   = []string{"none", "low", "normal", "high", "urgent"}
	types        = []string{"task", "bug", "epic", "story", "spike", "chore", "milestone"}
)

// Limits of an item. Sizes of text are in bytes where nothing else is said.
const (
	maxDescription = 128 << 10
	maxDepth       = 8  // parents above an item
	maxWatchers    = 64 // joining past it is refused, leaving never is
	maxLabels      = 40
	maxLinks       = 64 // dependencies each way
	maxURLs        = 40
	maxURLBytes    = 16 << 10 // together, so that one item always fits an answer
	maxTags        = 512      // of a project, archived ones included
)

// normal is the priority of an item nobody gave one.
const normal = 2

// Statuses lists the states an item can be in, in their order.
func Statuses() []string { return slices.Clone(statuses) }

// OpenStatuses lists the states of unfinished items.
func OpenStatuses() []string {
	return slices.DeleteFunc(Statuses(), over)
}

// Priorities lists the priorities, the lowest first.
func Priorities() []string { return slices.Clone(priorities) }

// Types lists the types an item can have.
func Types() []string { return slices.Clone(types) }

// groupOf is the group a status counts in.
func groupOf(status string) string {
	switch status {
	case "todo":
		return "not_started"
	case "done":
		return "done"
	case "cancelled", "closed":
		return "closed"
	default:
		return "active"
	}
}

// over reports that work in this status is finished, well or not.
func over(status string) bool { return groupOf(status) == "done" || groupOf(status) == "closed" }
