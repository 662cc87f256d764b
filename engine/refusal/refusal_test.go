package refusal

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestEveryClassHasItsStatus(t *testing.T) {
	want := map[Class]int{
		Invalid: 422, NotFound: 404, Forbidden: 403, RateLimited: 429, Unavailable: 503, Internal: 500,
		OpIDInvalid: 400, ReadOnlyTool: 400, SummaryRequired: 400, Malformed: 400,
		NoSuchEntity: 404, EntityExists: 412, RevisionAdvanced: 409, StillReferenced: 409,
		Unauthenticated: 401, WrongMethod: 405, TooLarge: 413, WrongMediaType: 415, UnknownOutcome: 503,
	}
	for _, c := range Classes() {
		if _, named := want[c]; !named {
			want[c] = 409
		}
	}
	for class, status := range want {
		if got := class.Say("no").Status(); got != status {
			t.Errorf("%s is %d, want %d", class, got, status)
		}
	}
}

func TestCauseIsToldToNobody(t *testing.T) {
	cause := errors.New("password of the database is swordfish")
	for name, err := range map[string]error{
		"unclassified": cause,
		"wrapped":      fmt.Errorf("load: %w", cause),
		"classified":   Unavailable.Say("Try again.").For(cause),
	} {
		t.Run(name, func(t *testing.T) {
			no := Of(err)
			if strings.Contains(fmt.Sprint(no, no.Says, no.Envelope()), "swordfish") {
				t.Errorf("the cause shows in %v", no)
			}
			if !errors.Is(no, cause) {
				t.Error("the log has lost the cause")
			}
		})
	}
}

func TestEnvelopeKeepsItsOwnNames(t *testing.T) {
	no := Invalid.Say("A title is one line.").On("title").With("error", "mine").With("limit", 300)
	env := no.Envelope()
	if env["error"] != "invalid" || env["limit"] != 300 || env["fields"].(map[string]string)["title"] == "" {
		t.Errorf("envelope %v", env)
	}
}
