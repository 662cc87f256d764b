package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// headBytes is how much of an unexpected answer is kept.
const headBytes = 512

// longestRetryAfter bounds what a server may ask us to wait.
const longestRetryAfter = time.Hour

// answered is an HTTP answer that is an error.
type answered struct {
	status    int
	head      string    // the beginning of its body
	retryAt   time.Time // of Retry-After; zero when there was none
	challenge string    // of WWW-Authenticate
}

func (e *answered) Error() string {
	text := fmt.Sprintf("it answered %d", e.status)
	if name := http.StatusText(e.status); name != "" {
		text += " " + name
	}
	switch {
	case e.status == http.StatusUnauthorized && e.challenge == "":
		text += ": it wants a credential it was not given, or refuses the one it was"
	case e.status == http.StatusUnauthorized:
		text += ": it refuses the credential, or wants one; it asks for " + e.challenge
	case e.status == http.StatusForbidden:
		text += ": it refuses the credential"
	}
	if e.head != "" {
		text += ": " + e.head
	}
	return text
}

// fault is what kind of a failure the answer is to a caller.
func (e *answered) fault() Fault {
	switch e.status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return Unauthorized
	case http.StatusTooManyRequests:
		return Throttled
	}
	return Rejected
}

// settled reports that asking in the other era would get the same answer.
func (e *answered) settled() bool { return e.fault() != Rejected }

func readAnswered(resp *http.Response, body []byte, now time.Time) *answered {
	e := &answered{status: resp.StatusCode, challenge: oneLine(resp.Header.Get("WWW-Authenticate"))}
	if len(e.challenge) > headBytes {
		e.challenge = e.challenge[:headBytes]
	}
	body = body[:min(len(body), headBytes)]
	if utf8.Valid(body) {
		e.head = oneLine(strings.Map(printable, string(body)))
	}
	e.retryAt = retryAfter(resp.Header.Get("Retry-After"), now)
	return e
}

func printable(r rune) rune {
	if unicode.IsControl(r) {
		return ' '
	}
	return r
}

// retryAfter reads seconds or a date (RFC 9110, 10.2.3).
func retryAfter(text string, now time.Time) time.Time {
	if text == "" {
		return time.Time{}
	}
	wait := time.Duration(0)
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		wait = time.Duration(n) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		wait = at.Sub(now)
	}
	if wait <= 0 {
		return time.Time{}
	}
	return now.Add(min(wait, longestRetryAfter))
}

// lostSession is the end of a session that a new one may follow at once.
type lostSession string

func (e lostSession) Error() string { return string(e) }

const (
	errForgotten   lostSession = "it has forgotten its session"
	errStreamEnded lostSession = "it ended its stream"
)

var (
	// errBrokeOff is an answer that ended before the result.
	errBrokeOff = errors.New("it broke off its answer")
	errNoAnswer = errors.New("it accepted the request and answered nothing")
)

// unreachable is a request that did not get an answer at all.
type unreachable struct{ cause error }

func (e unreachable) Error() string { return "it cannot be reached: " + e.cause.Error() }
func (e unreachable) Unwrap() error { return e.cause }

// unreached reads the error of a request: without the address, which may hold
// a secret, and never as if our own giving up were the server's doing.
func unreached(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if no, ok := errors.AsType[forbidden](err); ok {
		return no
	}
	if no, ok := errors.AsType[strayed](err); ok {
		return no
	}
	return unreachable{err}
}

// readLimited reads a whole body, up to the longest message there may be.
func readLimited(r io.Reader) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, maxFrame+1))
	switch {
	case err != nil:
		return nil, errBrokeOff
	case len(body) > maxFrame:
		return nil, errFrameTooLarge
	}
	return body, nil
}
