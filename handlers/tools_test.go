package handlers

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"crewlet/engine/access"
	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/live"
	"crewlet/handlers/node"
	"crewlet/handlers/signin/signintest"
)

// Doors a tool is called through.
const (
	page    = "page"    // a form or an address of the dashboard, signed in
	api     = "api"     // a token over HTTP
	command = "command" // the runner, as the program's own words call it
	system  = "engine"  // the runner, as the program itself
	runner  = "runner"  // the runner, for what a page asks on the way
)

// asking is one call of a tool through one door.
type asking struct {
	method, path string
	body         string            // a form's fields, a raw body, or the runner's arguments
	headers      map[string]string // of the API
	bare         bool              // the caller holds no grant that helps
	nobody       bool              // the caller is not signed in
	browser      *signintest.Browser
	by           *access.Principal // of the runner
}

// outcome is what came of it, as the door tells it.
type outcome struct {
	status int
	class  string // of a refusal; pages tell it only in words
	body   string // what a repeat has to answer again
}

// row is a tool at one door: one success, one refusal, and the success again
// under the same key.
type row struct {
	tool, door string
	does       func(*world) asking
	status     int // of the success; 0 at the runner
	landed     counts
	object     string // of the record; a kind alone ("token:") stands for any of it
	outcome    string // of the record: applied where nothing is said
	once       string // the part of the answer that only the first holds
	refuses    func(*world) asking
	class      refusal.Class
	unrecorded bool // the refusal leaves no record: a read, or nobody to name
}

// world is the site with those who call it.
type world struct {
	*bench
	t       *testing.T
	browser *signintest.Browser
	id      string // of the administrator
	token   identity.Minted
	weak    identity.Minted // without a right

	made map[string]string // what an earlier call made, by what it is
}

func newWorld(t *testing.T) *world {
	b := open(t)
	w := &world{bench: b, t: t, made: map[string]string{}}
	w.token, w.weak = b.mint(true, "all"), b.mint(true, nobodysRights...)
	return w
}

// Plain arguments go to the runner in one world, and over HTTP in another.
func TestEveryToolThroughEveryDoor(t *testing.T) {
	t.Parallel()
	for _, plain := range []string{command, act, assistant} {
		t.Run("plain by "+plain, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			rows := slices.Concat(identityRows(), secretRows(), companyRows(), serverRows(), fleetRows(), plainRows(), peopleRows(), talkRows(), workRows())
			rows = append(rows, plainReads(w.Tools, rows)...)
			reached := map[string]bool{}
			for _, r := range rows {
				if plain == act && (r.door == command || r.door == runner) {
					r.door = act
				}
				if plain == assistant && w.offered(r) {
					r.door = assistant
				}
				t.Run(r.tool+" by "+r.door, func(t *testing.T) {
					w.t = t
					r.walk(t, w)
				})
				reached[r.tool] = true
				reached[r.tool+" by "+r.door] = true
			}
			for _, one := range w.Tools {
				if !reached[one.Name] {
					t.Errorf("%s has no row", one.Name)
				}
			}
			if plain == act {
				w.t = t
				w.everyToolWasActed(t, reached)
				w.everyRouteWasTaken(t)
			}
		})
	}
}

// everyRouteWasTaken fails for an address of a use case that no row went to.
func (w *world) everyRouteWasTaken(t *testing.T) {
	t.Helper()
	for _, route := range Routes(w.Engine, &node.Handlers{}, &live.Handlers{}, nil) {
		noTool := []string{
			"GET /metrics", "GET /viewer", "GET /live", "GET /operator/mcp", "POST /operator/mcp", // the node's own
			"GET /api", "GET /api/v1/openapi.json", // the catalogue described
			"GET /settings/tools/new", "GET /settings/tools/paste", "POST /settings/tools/paste", "GET /settings/tools/servers/{name}/rename", // forms alone
			"GET /company/seats/{handle}/rename",
		}
		if route.Access.Rule == access.RuleOpen && !strings.HasPrefix(route.Pattern, "POST ") || slices.Contains(noTool, route.Pattern) {
			continue
		}
		if w.made["route "+route.Pattern] == "" {
			t.Errorf("no row goes to %s", route.Pattern)
		}
	}
}

// walk refuses, does and repeats.
func (r row) walk(t *testing.T, w *world) {
	no := r.refuses(w)
	before := w.counts()
	got := w.call(r, no, tool.NewKey())
	if want := r.class.Say("").Status(); r.class == refusal.Unauthenticated && r.door == page {
		if got.status != http.StatusSeeOther && got.status != want {
			t.Errorf("refused with %d", got.status)
		}
	} else if got.status != want || got.class != "" && got.class != string(r.class) {
		t.Errorf("refused with %d %s, want %d %s: %.500s", got.status, got.class, want, r.class, got.body)
	}
	recorded := counts{Audit: 1}
	if r.unrecorded {
		recorded.Audit = 0
	}
	if left := w.counts().since(before); left != recorded {
		t.Errorf("a refusal left %+v, want %+v", left, recorded)
	}
	if !r.unrecorded {
		w.newest(r, no, string(r.class), "")
	}

	if r.does == nil {
		return
	}
	yes, key := r.does(w), tool.NewKey()
	before = w.counts()
	first := w.call(r, yes, key)
	if first.status != or(r.status, http.StatusOK) {
		t.Fatalf("answered %d %s, want %d: %.500s", first.status, first.class, r.status, first.body)
	}
	if left := w.counts().since(before); left != r.landed {
		t.Errorf("it left %+v, want %+v", left, r.landed)
	}
	if r.landed.Audit > 0 {
		w.newest(r, yes, or(r.outcome, "applied"), r.object)
	}
	before = w.counts()
	again := w.call(r, yes, key)
	if !w.tool(r.tool).Writes() && again.body != first.body {
		// The last use of a credential is written behind the request that saw it,
		// once a minute at most: a listing may show it between two looks, not three.
		first, again = again, w.call(r, yes, key)
	}
	if r.once != "" {
		if !strings.Contains(first.body, r.once) || strings.Contains(again.body, r.once) {
			t.Errorf("%s is not shown once: %s then %s", r.once, first.body, again.body)
		}
	} else if again.status != first.status || again.body != first.body {
		t.Errorf("a repeat answers %d %.300s, the first %d %.300s", again.status, again.body, first.status, first.body)
	}
	if left := w.counts().since(before); left != (counts{}) {
		t.Errorf("a repeat left %+v", left)
	}
}

func or[T comparable](given, otherwise T) T {
	var none T
	if given == none {
		return otherwise
	}
	return given
}

const newest = `SELECT actor, credential, door, verb, object, outcome FROM audit ORDER BY id DESC LIMIT 1`

// newest compares the last record with what was called.
func (w *world) newest(r row, a asking, outcome, object string) {
	w.t.Helper()
	var got struct{ Actor, Credential, Door, Verb, Object, Outcome string }
	w.must(w.DB.GetContext(w.t.Context(), &got, newest))
	door := r.door
	switch {
	case door == runner, door == assistant && a.by != nil:
		door = page
	case door == act && !w.tool(r.tool).Writes():
		door = api
	}
	if got.Verb != r.tool || got.Door != door && !(door == system && a.bare) || got.Outcome != outcome {
		w.t.Errorf("the record says %+v, want %s by %s: %s", got, r.tool, r.door, outcome)
	}
	if object != "" && got.Object != object && (!strings.HasSuffix(object, ":") || !strings.HasPrefix(got.Object, object)) {
		w.t.Errorf("the record names %s, want %s", got.Object, object)
	}
	actor, credential := w.actor(r, a, outcome)
	if got.Actor != actor || !strings.HasPrefix(got.Credential, credential) {
		w.t.Errorf("the record names %s by %s, want %s by %s", got.Actor, got.Credential, actor, credential)
	}
}

// actor is who the record has to name.
func (w *world) actor(r row, a asking, outcome string) (actor, credential string) {
	switch {
	case a.nobody && outcome != "applied":
		return ":", ""
	case r.tool == "redeem_invitation": // by whom it made
		var joined string
		w.must(w.DB.GetContext(w.t.Context(), &joined, `SELECT id FROM people WHERE login = 'bo.berg'`))
		return "person:" + joined, "session:"
	case r.door == page:
		if w.id == "" {
			w.must(w.DB.GetContext(w.t.Context(), &w.id, `SELECT id FROM people`))
		}
		return "person:" + w.id, "session:"
	case r.door == act && a.by != nil: // by the browser of the same person
		return a.by.Key(), "session:"
	case r.door == assistant && a.by != nil:
		return a.by.Key(), a.by.Credential
	case (r.door == api || r.door == act || r.door == assistant) && a.bare:
		return "machine:" + w.weak.ID, "token:" + w.weak.ID
	case r.door == api || r.door == act || r.door == assistant:
		return "machine:" + w.token.ID, "token:" + w.token.ID
	case a.by != nil:
		return a.by.Key(), a.by.Credential
	default:
		return "person:terminal", "session:terminal"
	}
}
