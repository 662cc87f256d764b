package handlers

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/signin/signintest"
	"crewlet/handlers/web"
)

// cause is what really happened; it is for the log alone.
const cause = "the database's password is swordfish"

// classes is every class and code there is, and the status it has at a door.
var classes = map[refusal.Class]int{
	refusal.Invalid: 422, refusal.NotFound: 404, refusal.Forbidden: 403, refusal.Stale: 409, refusal.Conflict: 409, refusal.Exists: 409,
	refusal.AlreadyAnswered: 409, refusal.ReassignmentBudget: 409, refusal.InboxFull: 409, refusal.NotRunning: 409,
	refusal.SteerUnsupported: 409, refusal.BudgetExhausted: 409, refusal.TurnQuota: 409, refusal.RateLimited: 429,
	refusal.AwaitingApproval: 409, refusal.Unavailable: 503, refusal.Internal: 500,
	refusal.OpIDInvalid: 400, refusal.ReadOnlyTool: 400, refusal.SummaryRequired: 400, refusal.NoSuchEntity: 404,
	refusal.EntityExists: 412, refusal.RevisionAdvanced: 409, refusal.StillReferenced: 409, refusal.Malformed: 400,
	refusal.Unauthenticated: 401, refusal.TooLarge: 413, refusal.WrongMediaType: 415, refusal.UnknownOutcome: 503, refusal.WrongMethod: 405,
}

// fail serves addresses that answer what their names say.
func (b *bench) fail(log *record) string {
	door := newDoor(Options{Engine: b.Engine, Ring: b.Ring, Log: slog.New(slog.NewTextHandler(log, nil))}, false)
	fails := func(_ http.ResponseWriter, r *http.Request) error {
		switch class := r.PathValue("class"); class {
		case "panic":
			panic(cause)
		case "unclassified":
			return fmt.Errorf("read it: %w", errors.New(cause))
		case "step_up":
			if _, err := web.Values(r); err != nil {
				return err
			}
			return refusal.Forbidden.Say("Type it again.").With("reason", "step_up")
		default:
			return withDetails(class)
		}
	}
	half := func(w http.ResponseWriter, _ *http.Request) error {
		_, _ = w.Write([]byte("half"))
		panic(cause)
	}
	table := []Route{
		{"/page/{class}", Page, access.Open(), fails}, {"/api/{class}", API, access.Open(), fails}, {"/half", API, access.Open(), half},
		{"POST /operator/act/{tool}", API, access.Self(), failures(b.Run).Act}, {"GET /api/v1/tools/{tool}", API, access.Self(), failures(b.Run).Read},
	}
	server := httptest.NewServer(web.Around(mount(door, table), slog.New(slog.NewTextHandler(log, nil)), false))
	b.t.Cleanup(server.Close)
	return server.URL
}

// withDetails refuses with a class, and all that may go with it.
func withDetails(class string) error {
	no := refusal.Class(class).Say("It is %s.", class).With("detail", 7).For(errors.New(cause))
	if class == string(refusal.RateLimited) || class == string(refusal.Unavailable) {
		no = no.After(1500 * time.Millisecond)
	}
	return no
}

func TestEveryClassAtEveryDoor(t *testing.T) {
	t.Parallel()
	b, log := open(t), &record{}
	b.url = b.fail(log)
	token := b.mint(true, "all").Value
	for _, class := range append(refusal.Classes(), refusal.Codes()...) {
		if classes[class] == 0 {
			t.Errorf("%s is not walked", class)
		}
	}
	walk := map[string]int{"panic": 500, "unclassified": 500}
	for class, status := range classes {
		walk[string(class)] = status
	}
	for class, status := range walk {
		t.Run(class, func(t *testing.T) {
			t.Parallel()
			says := class
			if status == 500 {
				says = string(refusal.Internal)
			}
			for door, got := range map[string]reply{
				"the API": b.ask(t, "POST", "/api/"+class, nil),
				"act":     b.ask(t, "POST", actHere+"fail", text(`{"args":{"class":"`+class+`"}}`), as(token, "Content-Type", asJSON, "Idempotency-Key", tool.NewKey())...),
				"a read":  b.ask(t, "GET", "/api/v1/tools/look?class="+class, nil, as(token)...),
			} {
				asTold(t, door, class, says, status, got)
			}
			b.onPage(t, class, status)
		})
	}
	t.Cleanup(func() {
		if !strings.Contains(log.String(), "swordfish") {
			t.Error("the log does not say what happened")
		}
	})
}

func asTold(t *testing.T, door, class, says string, status int, got reply) {
	t.Helper()
	env := got.envelope(t)
	if got.status != status || env["error"] != says {
		t.Errorf("%s answers %d %s, want %d %s", door, got.status, got.text, status, says)
	}
	if class != "panic" && class != "unclassified" && env["detail"] != float64(7) {
		t.Errorf("%s loses the details: %s", door, got.text)
	}
	waits := class == "rate_limited" || class == "unavailable"
	if (got.header.Get("Retry-After") == "2") != waits {
		t.Errorf("%s: Retry-After is %q", door, got.header.Get("Retry-After"))
	}
	if (got.header.Get("WWW-Authenticate") != "") != (status == 401) {
		t.Errorf("%s: WWW-Authenticate is %q", door, got.header.Get("WWW-Authenticate"))
	}
	if strings.Contains(got.text, "swordfish") {
		t.Errorf("%s tells the cause: %s", door, got.text)
	}
}

func (b *bench) onPage(t *testing.T, class string, status int) {
	t.Helper()
	drawn := b.ask(t, "GET", "/page/"+class, nil, "Accept", "text/html")
	if status == 401 {
		if drawn.status != 303 || drawn.header.Get("Location") != "/sign-in?next=%2Fpage%2Funauthenticated" {
			t.Errorf("the page answers %d to %s", drawn.status, drawn.header.Get("Location"))
		}
		htmx := b.ask(t, "POST", "/page/"+class, nil, "HX-Request", "true", "Referer", b.url+"/settings/tools?x=1")
		if htmx.status != 401 || htmx.header.Get("HX-Redirect") != "/sign-in?next=%2Fsettings%2Ftools%3Fx%3D1" {
			t.Errorf("htmx is answered %d %v", htmx.status, htmx.header)
		}
	} else if drawn.status != status || !strings.HasPrefix(drawn.text, "<!doctype html>") {
		t.Errorf("the page answers %d, want %d: %.200s", drawn.status, status, drawn.text)
	}
	facts := b.ask(t, "GET", "/page/"+class, nil, "Accept", "application/json")
	if facts.status != status || facts.envelope(t)["error"] == "" {
		t.Errorf("asked for JSON the page answers %d", facts.status)
	}
	for door, got := range map[string]reply{"page": drawn, "json": facts, "api": b.ask(t, "GET", "/api/"+class, nil)} {
		if strings.Contains(got.text, "swordfish") {
			t.Errorf("the cause is told by %s: %s", door, got.text)
		}
		if got.header.Get("Content-Security-Policy") == "" || got.header.Get("X-Request-Id") == "" {
			t.Errorf("%s lacks its security headers: %v", door, got.header)
		}
	}
}

// An answer that has begun cannot be taken back: it is cut off, so that nobody
// takes the half for the whole.
func TestAPanicAfterTheFirstByteCutsTheAnswerOff(t *testing.T) {
	t.Parallel()
	b, log := open(t), &record{}
	url := b.fail(log)
	r, err := http.NewRequestWithContext(t.Context(), "GET", url+"/half", nil)
	b.must(err)
	got, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		_, err = got.Body.Read(make([]byte, 100))
		_ = got.Body.Close()
	}
	if err == nil || !strings.Contains(log.String(), "swordfish") {
		t.Errorf("it ends with %v; the log: %s", err, log)
	}
}

func TestASensitiveActAsksForThePassword(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.administrator()
	b.Clock.Move(2 * time.Hour)
	machine := b.ask(t, "PUT", "/secrets/A", text("v"), as(b.mint(false, "all").Value)...)
	if machine.status != 403 || machine.envelope(t)["reason"] != "step_up" {
		t.Errorf("a token is answered %d %s", machine.status, machine.text)
	}
	p := w.Get("/settings/secrets").Send("/settings/secrets", url.Values{"name": {"A"}, "value": {"v"}})
	if p.Status != 403 || p.Value("_login") != signintest.Login || !strings.Contains(p.Text(), "Type your password again") {
		t.Errorf("a person is answered %d %s", p.Status, p.Text())
	}
}
