// Package tool is the spine: a use case is declared once and run by one
// runner, whichever door it was called through. The declaration holds the row
// of the authority table, the arguments struct describes the arguments, and
// the runner alone opens transactions.
package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"

	"crewlet/engine/access"
)

// Mode is how a use case meets the database.
type Mode int

// The three kinds of use case.
const (
	// Write is one transaction with a key; the default.
	Write Mode = iota
	// Read is one snapshot, and says as of when.
	Read
	// Outside leaves the database: the key is claimed and "started" recorded,
	// the call runs with no transaction open, then its outcome is recorded.
	Outside
)

// Audience is who finds the use case in a catalogue.
type Audience int

// The audiences, combined by or. None is page-only: declared, with its row,
// in no MCP list.
const (
	PageOnly  Audience = 0
	Operators Audience = 1
	Seats     Audience = 2
)

// Hints are what a caller may assume, for MCP's annotations.
type Hints struct {
	Destructive bool
	Idempotent  bool
	OpenWorld   bool
}

// Spec declares a use case. A bad one panics when the program starts.
type Spec struct {
	Name     string // snake_case, verb first: create_work_item
	Title    string
	Brief    string // what it does, for the caller's model
	Access   access.Row
	Audience Audience
	Mode     Mode
	Hints    Hints
	Delivers string // where a call puts something in front of somebody
	// Once keeps the answer without its value: a repeat says that it landed
	// and that the value was shown once. Out then has WithoutValue.
	Once bool
}

// Writes reports whether a call carries a key: everything but a proven read.
func (s Spec) Writes() bool { return s.Mode != Read }

// Once is an answer whose value is shown once.
type Once[Out any] interface{ WithoutValue() Out }

// Failing is an answer that may hold another program's failure.
type Failing interface{ Failure() Failure }

// Use is a declared use case.
type Use[In, Out any] struct {
	Spec
	run   func(context.Context, *Call, In) (Out, error)
	facts func(context.Context, *Call, In) (access.Facts, error)
	ahead func(context.Context, *Call, In) (In, error)
	// single is asked of a read, whether it is one statement; see Glance.
	single func(In) bool
	// harmless is asked of a call that leaves the database, before it does.
	harmless func(context.Context, In) bool
	// reserved is the name that an answer gives to what was made.
	reserved func(Out) string
	ends     landings
}

// plain is shared by all that record nothing of their own.
var plain = landingsOf()

var toolName = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)

// Declare makes a use case of a spec and the function that runs it.
func Declare[In, Out any](spec Spec, run func(context.Context, *Call, In) (Out, error)) Use[In, Out] {
	var out Out
	_, once := any(out).(Once[Out])
	switch {
	case !toolName.MatchString(spec.Name):
		panic(fmt.Sprintf("tool %q: a name is snake_case", spec.Name))
	case spec.Brief == "":
		panic("tool " + spec.Name + ": no brief")
	case spec.Access.Rule == "":
		panic("tool " + spec.Name + ": no row of the authority table")
	case reflect.TypeFor[In]().Kind() != reflect.Struct:
		panic("tool " + spec.Name + ": arguments are a struct")
	case reflect.TypeFor[Out]().Kind() != reflect.Struct:
		panic("tool " + spec.Name + ": an answer is a struct")
	case spec.Once != once:
		panic("tool " + spec.Name + ": Once and WithoutValue go together")
	case run == nil:
		panic("tool " + spec.Name + ": nothing to run")
	}
	return Use[In, Out]{Spec: spec, run: run, ends: plain}
}

// Owned adds the facts the row's object rule is asked of, loaded on the
// call's own transaction.
func (u Use[In, Out]) Owned(facts func(context.Context, *Call, In) (access.Facts, error)) Use[In, Out] {
	u.facts = facts
	return u
}

// Ahead adds work that is too slow for the transaction of a write or a read,
// such as hashing a password or waiting. It runs before one is opened, may
// read, and hands on what it found in fields of the arguments that are not
// exported. A repeat of a key that landed passes through it too.
func (u Use[In, Out]) Ahead(work func(context.Context, *Call, In) (In, error)) Use[In, Out] {
	u.ahead = work
	return u
}

// Harmless tells calls apart that leave the database and are known to change
// nothing anywhere. Their key is not claimed, so a repeat asks anew; they open
// no transaction and leave no row of their own; what is recorded of them is
// the area's to write behind.
func (u Use[In, Out]) Harmless(known func(context.Context, In) bool) Use[In, Out] {
	if u.Mode != Outside {
		panic("tool " + u.Name + ": only what leaves the database claims its key first")
	}
	u.harmless = known
	return u
}

// Reserving tells which name what a write makes has from before its COMMIT: one
// that is answered, as if_landed, where nobody knows whether that landed.
func (u Use[In, Out]) Reserving(name func(Out) string) Use[In, Out] {
	u.reserved = name
	return u
}

// Recording adds what an area keeps of each call that left the database: INSERTs
// of what they select from $1::json, an array of the rows the call was given by
// Record. They have no WHERE, for they are part of the one statement that ends
// the call.
func (u Use[In, Out]) Recording(inserts ...string) Use[In, Out] {
	if u.Mode != Outside {
		panic("tool " + u.Name + ": only what leaves the database is recorded apart")
	}
	u.ends = landingsOf(inserts...)
	return u
}

// Addressed is implemented by arguments that name what they are about, for
// the record of a call that was refused before it ran.
type Addressed interface{ Object() string }

// Tool is a use case with its types taken off, as catalogues and doors that
// carry raw JSON see it.
type Tool struct {
	Spec
	Arguments reflect.Type
	Answer    reflect.Type
	// Do runs it; how the call ended is in c.Landed.
	Do func(ctx context.Context, r *Runner, c *Call, raw json.RawMessage) (json.RawMessage, error)

	input, output func() json.RawMessage
}

// Any takes the types off.
func (u Use[In, Out]) Any() Tool {
	return Tool{
		Spec:      u.Spec,
		Arguments: reflect.TypeFor[In](),
		Answer:    reflect.TypeFor[Out](),
		input:     described(reflect.TypeFor[In](), true),
		output:    described(reflect.TypeFor[Out](), false),
		Do: func(ctx context.Context, r *Runner, c *Call, raw json.RawMessage) (json.RawMessage, error) {
			in, err := Decode[In](raw)
			if err != nil {
				return nil, r.refused(ctx, u.Spec, c, "", err)
			}
			out, err := Do(ctx, r, u, c, in)
			if err != nil {
				return nil, err
			}
			if f, ok := any(out).(Failing); ok {
				c.Failed = f.Failure()
			}
			return Encode(out)
		},
	}
}
