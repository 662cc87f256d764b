package paste

import (
	"slices"
	"strings"
	"time"

	"crewlet/config/document"
)

// reading is one entry on its way.
type reading struct {
	names   *names
	entry   Entry
	inner   string // a name written inside the entry
	written string // the transport as it was written
	env     []pair
	headers []pair
}

// pair is a variable or a header, as it was written.
type pair struct{ key, value string }

// taker takes the value of one key; it answers false when the value means
// nothing here.
type taker func(path string, v *value) bool

func readEntry(from source, n *names) Entry {
	r := &reading{names: n, entry: Entry{Server: document.NewServer()}}
	r.take("", from.value, r.keys())
	r.settle(from.name)
	return r.entry
}

// take hands each member to whoever knows its key, and lists those that
// nobody does.
func (r *reading) take(at string, v *value, keys map[string]taker) {
	for _, m := range v.members {
		if m.value.null {
			continue // says no more than leaving it out
		}
		path := at + clip(m.key)
		if known, ok := keys[fold(m.key)]; !ok || !known(path, m.value) {
			r.homeless(path)
		}
	}
}

func (r *reading) homeless(path string) { r.entry.Homeless = append(r.entry.Homeless, path) }

func (r *reading) note(says string) {
	if !slices.Contains(r.entry.Notes, says) {
		r.entry.Notes = append(r.entry.Notes, says)
	}
}

// keys is every key that means something here, folded: our own, and what
// other clients call the same.
func (r *reading) keys() map[string]taker {
	s := &r.entry.Server
	keys := map[string]taker{
		"name":                      text(&r.inner),
		"shared":                    flag(&s.Shared),
		"enabled":                   flag(&s.Enabled),
		"optionalkeys":              texts(&s.OptionalKeys),
		"toolprefix":                text(&s.ToolPrefix),
		"start":                     oneOf(&s.Start, "eager", "lazy"),
		"trust":                     oneOf(&s.Trust, "pin", "follow"),
		"toolannotations":           r.annotations,
		"supportsparalleltoolcalls": flag(&s.ParallelCalls),
		"roots":                     texts(&s.Roots),
		"allowprivateaddresses":     flag(&s.AllowPrivate),
		"limits":                    r.inside(map[string]taker{"perminute": count(&s.Limits.PerMinute), "perday": count(&s.Limits.PerDay)}),
		"sampling":                  r.sampling,
		"tools":                     r.tools,
		"auth":                      r.auth,
	}
	for _, more := range []struct {
		keys string
		take taker
	}{
		{"command cmd", r.command},
		{"args arguments", r.arguments},
		{"env envs environment envvars environmentvariables", r.variables(&r.env)},
		{"headers httpheaders requestheaders", r.variables(&r.headers)},
		{"envhttpheaders envheaders headersfromenv", r.headersFromEnv},
		{"bearertokenenvvar bearertokenenv", r.bearer},
		{"url httpurl serverurl uri endpoint", text(&s.URL)},
		{"type transport transporttype", text(&r.written)},
		{"isactive active", flag(&s.Enabled)},
		{"disabled isdisabled", not(&s.Enabled)},
		{"oauth authentication", r.auth},
		{"includetools enabledtools allowedtools toolsallowlist allowtools includedtools availabletools", texts(&s.Tools.Include)},
		{"excludetools disabledtools blockedtools deniedtools toolsdenylist denytools excludedtools", texts(&s.Tools.Exclude)},
	} {
		for key := range strings.FieldsSeq(more.keys) {
			keys[key] = more.take
		}
	}
	r.spans(keys, &s.Timeout, time.Hour, "timeout tooltimeout calltimeout requesttimeout executiontimeout")
	r.spans(keys, &s.StartupTimeout, 10*time.Minute, "startuptimeout connecttimeout connectiontimeout inittimeout initializationtimeout")
	r.spans(keys, &s.IdleStop, time.Hour, "idlestop idletimeout")
	return keys
}

// inside is a taker for a map with keys of its own.
func (r *reading) inside(keys map[string]taker) taker {
	return func(path string, v *value) bool {
		if v.kind != object {
			return false
		}
		r.take(path+".", v, keys)
		return true
	}
}

// tools reads a list of the tools that are offered, or our own block and what
// others call its keys.
func (r *reading) tools(path string, v *value) bool {
	t := &r.entry.Server.Tools
	if v.kind != object {
		if v.kind == list && len(v.items) == 0 {
			r.note("The list of tools was empty, which would offer none; it was left out, and all are offered. Switch the server off to offer none.")
		}
		return texts(&t.Include)(path, v)
	}
	keys := map[string]taker{
		"resources": flag(&t.Resources), "prompts": flag(&t.Prompts), "approve": texts(&t.Approve),
	}
	for key := range strings.FieldsSeq("include included allow allowed allowlist only enabled") {
		keys[key] = texts(&t.Include)
	}
	for key := range strings.FieldsSeq("exclude excluded deny denied denylist block blocked disabled") {
		keys[key] = texts(&t.Exclude)
	}
	r.take(path+".", v, keys)
	return true
}

func (r *reading) sampling(path string, v *value) bool {
	s := &r.entry.Server.Sampling
	if v.kind == scalar {
		return flag(&s.Enabled)(path, v)
	}
	keys := map[string]taker{
		"enabled": flag(&s.Enabled), "model": text(&s.Model), "maxtokenscap": count(&s.MaxTokensCap), "maxtokens": count(&s.MaxTokensCap),
		"maxrpm": count(&s.MaxRPM), "maxtoolrounds": count(&s.MaxToolRounds), "allowedmodels": texts(&s.AllowedModels),
		"loglevel": oneOf(&s.LogLevel, "debug", "info", "warn", "error"),
	}
	r.spans(keys, &s.Timeout, time.Hour, "timeout")
	return r.inside(keys)(path, v)
}

// auth reads OAuth: the word, yes, or its options.
func (r *reading) auth(path string, v *value) bool {
	if v.kind == scalar {
		switch strings.ToLower(v.text) {
		case "oauth", "oauth2", "true":
			r.entry.Server.Auth = &document.Auth{Type: "oauth", Redirect: "node"}
		case "none", "false", "":
		default:
			return false
		}
		return true
	}
	on, a := true, document.Auth{Type: "oauth", Redirect: "node"}
	if !r.inside(map[string]taker{
		"enabled": flag(&on), "type": oneOf(&a.Type, "oauth"), "scopes": texts(&a.Scopes), "scope": texts(&a.Scopes),
		"clientid": text(&a.ClientID), "clientsecret": text(&a.ClientSecret),
		"authorizationserver": text(&a.Server), "issuer": text(&a.Server), "redirect": oneOf(&a.Redirect, "node", "loopback"),
	})(path, v) {
		return false
	}
	if on {
		r.entry.Server.Auth = &a
	}
	return true
}

func (r *reading) annotations(path string, v *value) bool {
	if v.kind != object {
		return false
	}
	all := map[string]document.Hints{}
	for _, m := range v.members {
		var h document.Hints
		keys := map[string]taker{}
		for key, to := range map[string]**bool{"readonly": &h.ReadOnly, "destructive": &h.Destructive, "idempotent": &h.Idempotent, "openworld": &h.OpenWorld} {
			keys[key], keys[key+"hint"] = hint(to), hint(to)
		}
		at := path + "." + clip(m.key)
		if !r.inside(keys)(at, m.value) {
			r.homeless(at)
			continue
		}
		all[m.key] = h
	}
	r.entry.Server.ToolAnnotations = all
	return true
}
