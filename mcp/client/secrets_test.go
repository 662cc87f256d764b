package client

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A server that prints its environment everywhere it can gives away nothing.
func TestSecretsShowNowhere(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	spec := fault("env")
	secrets := map[string]string{
		"TOKEN":  "s3cr3t-canary",
		"QUOTED": `canary"with\quotes<&>`,
		"PEM":    "-----BEGIN-----\ncanary-line-one\ncanary-line-two\n-----END-----",
		"LONGER": "s3cr3t-canary-and-more",
	}
	spec.Env = WithEnv(spec.Env, secrets)
	for _, v := range secrets {
		spec.Secrets = append(spec.Secrets, v)
	}
	h.pool.Apply([]Spec{spec})
	r := h.running(spec.Name)
	if !strings.Contains(r.Catalogue.Tools[1].Description, "TOKEN=[redacted]") {
		t.Errorf("got %q", r.Catalogue.Tools[1].Description)
	}
	seen := []any{r}
	res, err := h.pool.Call(t.Context(), spec.Key, "echo", nil)
	if err != nil || !strings.Contains(string(res.Content), "LONGER=[redacted]\\n") {
		t.Errorf("got %s %v", res.Content, err)
	}
	_, err = h.pool.Call(t.Context(), spec.Key, "refuse", nil)
	refused := fails(t, err, Rejected)
	if refused.Code != -32042 || !json.Valid(refused.Data) {
		t.Errorf("got %+v", refused)
	}
	seen = append(seen, string(res.Raw), refused.Says, string(refused.Data))
	at := h.now()
	_, err = h.pool.Call(t.Context(), spec.Key, "die", nil)
	fails(t, err, Lost)
	fallen := h.until(at, spec.Name, isFailed)
	if !strings.Contains(strings.Join(fallen.StderrTail, "\n"), "TOKEN=[redacted]") {
		t.Errorf("got %q", fallen.StderrTail)
	}
	seen = append(seen, fallen, h.log.String())
	for _, s := range seen {
		text, _ := json.Marshal(s)
		if at := strings.Index(fmt.Sprintf("%+v %s", s, text), "canary"); at >= 0 {
			t.Errorf("a secret shows in %.300v", s)
		}
	}
}

// Progress is redacted; a cursor goes back as it came and is shown to nobody.
func TestSecretsInProgressAndCursors(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	spec := fault("leaky")
	spec.Env, spec.Secrets = WithEnv(spec.Env, map[string]string{"TOKEN": "canary-token"}), []string{"canary-token"}
	h.pool.Apply([]Spec{spec})
	if cat := h.running(spec.Name).Catalogue; len(cat.Tools) != 2 {
		t.Errorf("got %d tools, want two pages of one", len(cat.Tools))
	}
	said := make(chan string, 1)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	_, err := h.pool.Call(ctx, spec.Key, "first", nil, OnProgress(func(p Progress) {
		said <- p.Message
		cancel() // it answers nothing else
	}))
	fails(t, err, Cancelled)
	select {
	case got := <-said:
		if got != "using [redacted]" {
			t.Errorf("got %q", got)
		}
	default:
		t.Error("there was no progress")
	}
}

// The child has its own environment and nothing of ours.
func TestChildSeesOnlyItsEnvironment(t *testing.T) {
	h := newHouse(t, SystemClock())
	t.Setenv("CREWLET_DATABASE_URL", "postgres://ours")
	t.Setenv("OUR_PRIVATE_THING", "x")
	spec := fault("env")
	spec.Env = []string{"PATH=/bin", "ONLY=this", MarkName + "=forged"}
	h.pool.Apply([]Spec{spec})
	h.running(spec.Name)
	res, err := h.pool.Call(t.Context(), spec.Key, "echo", nil)
	if err != nil {
		t.Fatal(err)
	}
	var said []struct{ Text string }
	if err := json.Unmarshal(res.Content, &said); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(said[0].Text, "\n")
	if len(got) != 3 || got[0] != "PATH=/bin" || got[1] != "ONLY=this" || !strings.HasPrefix(got[2], MarkName+"="+h.mark+".") {
		t.Errorf("got %q", got)
	}
}

func TestRedactedJSONStaysJSON(t *testing.T) {
	t.Parallel()
	r := newRedactor([]string{"12345678", "abc", "line", "two\nlines-here"}, nil)
	for name, c := range map[string]struct{ in, want string }{
		"in text":          {`{"a":"x12345678y"}`, `{"a":"x[redacted]y"}`},
		"as a number":      {`{"a":12345678,"b":1}`, `{"a":"[redacted]","b":1}`},
		"in a key":         {`{"12345678":1}`, `{"[redacted]":1}`},
		"too short":        {`{"a":"abc"}`, `{"a":"abc"}`},
		"a line of many":   {`{"a":"lines-here"}`, `{"a":"[redacted]"}`},
		"nothing to hide":  {`{"n":9007199254740993}`, `{"n":9007199254740993}`},
		"escaped newlines": {`{"a":"two\nlines-here"}`, `{"a":"[redacted]"}`},
	} {
		if got := string(r.raw([]byte(c.in))); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}
