package client

// An instance is moved by events, and by nothing else. What each does in each
// state is this table; a pair that is not in it leaves everything as it is.
// A new name is taken on in every state and moves none.

// kind names an event.
type kind string

const (
	// From the pool.
	evReplace kind = "replace" // a spec, new or changed
	evShelve  kind = "shelve"  // a new spec, lazy, whose tools are known
	evApply   kind = "apply"   // the same spec was applied again
	evRename  kind = "rename"  // the same spec has another name
	evRestart kind = "restart"
	evRetire  kind = "retire"
	evWake    kind = "wake" // a call of a lazy instance
	// From the clock.
	evDue    kind = "due"
	evUnused kind = "unused" // look whether a lazy instance is still used
	// From a life.
	evPhase   kind = "phase"
	evStray   kind = "stray" // it printed what is no message
	evUp      kind = "up"
	evRenewed kind = "renewed" // up again, with a new session
	evListed  kind = "listed"
	evEnded   kind = "ended"
)

// step is what one event does in one state.
type step struct {
	to State
	do func(*supervisor, event)
}

var machine = map[State]map[kind]step{
	Stopped: {
		evReplace: {Starting, (*supervisor).startAfresh},
		evShelve:  {Idle, (*supervisor).note},
	},
	Starting: {
		evReplace: {Replacing, (*supervisor).end},
		evRestart: {Replacing, (*supervisor).end},
		evRetire:  {Stopping, (*supervisor).end},
		evPhase:   {Starting, (*supervisor).advance},
		evStray:   {Starting, (*supervisor).heed},
		evUp:      {Running, (*supervisor).settle}, // and on to Resting when it was only to be listed
		evEnded:   {Failed, (*supervisor).fall},
	},
	Running: {
		evReplace: {Replacing, (*supervisor).end},
		evRestart: {Replacing, (*supervisor).end},
		evRetire:  {Stopping, (*supervisor).end},
		evRenewed: {Running, (*supervisor).renew},
		evListed:  {Running, (*supervisor).refile},
		evStray:   {Running, (*supervisor).heed},
		evUnused:  {Running, (*supervisor).sleep}, // and on to Resting when it is not
		evEnded:   {Failed, (*supervisor).fall},
	},
	Resting: {
		evReplace: {Replacing, (*supervisor).note},
		evRestart: {Replacing, (*supervisor).note},
		evWake:    {Replacing, (*supervisor).note},
		evRetire:  {Stopping, (*supervisor).note},
		evEnded:   {Idle, (*supervisor).doze},
	},
	Idle: {
		evReplace: {Starting, (*supervisor).startAfresh},
		evRestart: {Starting, (*supervisor).startAfresh},
		evWake:    {Starting, (*supervisor).startAfresh},
		evRetire:  {Stopped, (*supervisor).rest},
	},
	Failed: {
		evReplace: {Starting, (*supervisor).startAfresh},
		evApply:   {Starting, (*supervisor).startAfresh},
		evRestart: {Starting, (*supervisor).startAfresh},
		evDue:     {Starting, (*supervisor).startAgain},
		evRetire:  {Stopped, (*supervisor).rest},
	},
	Replacing: {
		evRetire: {Stopping, (*supervisor).note},
		evEnded:  {Starting, (*supervisor).startAfresh},
	},
	Stopping: {
		evReplace: {Replacing, (*supervisor).note},
		evShelve:  {Replacing, (*supervisor).note},
		evEnded:   {Stopped, (*supervisor).rest},
	},
}
