package refusal

// Class is what a caller branches on. The words are part of the contract of
// every door and never change.
type Class string

// The classes a use case may refuse with.
const (
	Invalid            Class = "invalid"             // a named argument is wrong: change it
	NotFound           Class = "not_found"           // the thing addressed is not there: stop
	Forbidden          Class = "forbidden"           // not this caller's: ask those it names
	Stale              Class = "stale_version"       // newer than what was read: read and decide anew
	Conflict           Class = "conflict"            // another writer or another state won
	Exists             Class = "exists"              // it is there, and handed back
	AlreadyAnswered    Class = "already_answered"    // the question has its answer
	ReassignmentBudget Class = "reassignment_budget" // handed on too often
	InboxFull          Class = "inbox_full"          // the caller's own list is at its ceiling
	NotRunning         Class = "not_running"         // nothing runs or waits there
	SteerUnsupported   Class = "steer_unsupported"   // this turn takes no note
	BudgetExhausted    Class = "budget_exhausted"    // no tokens left in a window
	TurnQuota          Class = "turn_quota"          // this turn's share is used
	RateLimited        Class = "rate_limited"        // too many calls: wait
	AwaitingApproval   Class = "awaiting_approval"   // a person decides
	Unavailable        Class = "unavailable"         // a condition of this node
	Internal           Class = "internal_error"      // ours; the cause is in the log
)

// Codes that stand where a class stands but belong to a door or to the
// company document's own addresses.
const (
	OpIDInvalid      Class = "op_id_invalid"     // no key, or not a UUIDv7
	ReadOnlyTool     Class = "read_only_tool"    // a read was sent to the door for writes
	SummaryRequired  Class = "summary_required"  // a change of configuration says why
	NoSuchEntity     Class = "no_such_entity"    // a replace of something not declared
	EntityExists     Class = "entity_exists"     // a create of something declared
	RevisionAdvanced Class = "revision_advanced" // a newer revision than the one written over
	StillReferenced  Class = "still_referenced"  // something still names it
	Malformed        Class = "malformed"         // the request itself cannot be read
	Unauthenticated  Class = "unauthenticated"   // nobody: nothing presented, or not valid any more
	TooLarge         Class = "too_large"         // the body is over the limit named
	WrongMediaType   Class = "wrong_media_type"  // a content type this address does not take
	WrongMethod      Class = "wrong_method"      // the address takes other methods: the header Allow names them
	UnknownOutcome   Class = "unknown"           // a commit whose acknowledgement was lost and could not be settled
)

// Classes lists every class a use case may refuse with, in the order people
// read them in.
func Classes() []Class {
	return []Class{
		Invalid, NotFound, Forbidden, Stale, Conflict, Exists, AlreadyAnswered,
		ReassignmentBudget, InboxFull, NotRunning, SteerUnsupported,
		BudgetExhausted, TurnQuota, RateLimited, AwaitingApproval, Unavailable, Internal,
	}
}

// Codes lists what stands where a class stands, and belongs to a door or to
// the company document's own addresses.
func Codes() []Class {
	return []Class{
		OpIDInvalid, ReadOnlyTool, SummaryRequired, NoSuchEntity, EntityExists, RevisionAdvanced, StillReferenced, Malformed,
		Unauthenticated, TooLarge, WrongMediaType, WrongMethod, UnknownOutcome,
	}
}
