package paste

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// settle makes an entry of what was read: what belongs together is known
// only now.
func (r *reading) settle(written string) {
	s := &r.entry.Server
	if written == "" {
		written = r.inner
	} else if r.inner != "" && fold(r.inner) != fold(written) {
		r.homeless("name")
	}
	r.tidyCommand()
	r.direct()
	r.reach()
	r.secondAuth()
	name, note := r.names.server(written, s)
	if r.entry.Name, s.Name = name, name; note != "" {
		r.note(note)
	}
	if s.URL != "" {
		s.URL = r.reference("url", s.URL)
		s.URL = r.address(s.URL)
		s.Headers = r.values(r.headers)
	} else {
		s.Env = r.values(r.env)
	}
	if s.Auth != nil && s.Auth.ClientSecret != "" && !holdsReference(s.Auth.ClientSecret) {
		s.Auth.ClientSecret = r.conceal("auth.client_secret", "CLIENT_SECRET", s.Auth.ClientSecret)
	} else if s.Auth != nil {
		s.Auth.ClientSecret = r.reference("auth.client_secret", s.Auth.ClientSecret)
	}
	r.filters()
	r.asWritten()
}

// secondAuth takes OAuth out where an Authorization header says who calls:
// both write the same header.
func (r *reading) secondAuth() {
	s := &r.entry.Server
	given := func(p pair) bool { return strings.EqualFold(p.key, "authorization") }
	if s.Auth == nil || s.URL != "" && !slices.ContainsFunc(r.headers, given) {
		return
	}
	s.Auth = nil
	r.homeless("auth")
	if s.URL != "" {
		r.note("It has an Authorization header and OAuth, which writes the same header. The header was kept.")
	}
}

// tidyCommand parts a command line, which no shell would part here, and takes
// Windows' wrapper off.
func (r *reading) tidyCommand() {
	s := &r.entry.Server
	first, _, several := strings.Cut(strings.TrimSpace(s.Command), " ")
	if several && !strings.ContainsAny(first, `/\"'`) {
		all := words(s.Command)
		s.Command, s.Args = all[0], slices.Concat(all[1:], s.Args)
		r.note("The command was a whole line and was parted into a program and its arguments.")
	}
	if base := strings.ToLower(path.Base(s.Command)); (base == "cmd" || base == "cmd.exe") && len(s.Args) > 1 && strings.EqualFold(s.Args[0], "/c") {
		s.Command, s.Args = s.Args[1], s.Args[2:]
		r.note("cmd /c, which Windows needs, was taken off the command.")
	}
}

// reach decides between a command and a url, and how the url is spoken to.
func (r *reading) reach() {
	s := &r.entry.Server
	kind := transport(r.written)
	if r.written != "" && kind == "" {
		r.homeless("type")
	}
	switch {
	case s.Command != "" && s.URL != "":
		r.chooseReach(kind)
	case s.Command == "" && s.URL == "":
		r.note("It has neither a command nor a url. Write the program to start, or the address to reach.")
	}
	if s.URL == "" {
		if kind == "http" || kind == "sse" {
			r.note(fmt.Sprintf("It was written as %s and has a command: it is started here.", r.written))
		}
		r.strand("headers", r.headers)
		return
	}
	r.strand("env", r.env)
	if len(s.Args) > 0 {
		s.Args = nil
		r.homeless("args")
	}
	r.legacy(kind)
}

// legacy recognises addresses of the older of the two transports.
func (r *reading) legacy(kind string) {
	s := &r.entry.Server
	before, _, _ := strings.Cut(s.URL, "?")
	switch {
	case kind == "sse":
		s.Kind = "sse"
	case kind == "" && strings.HasSuffix(strings.TrimRight(before, "/"), "/sse"):
		s.Kind = "sse"
		r.note("The address ends in /sse, so it is spoken to over the legacy SSE transport. Choose http if the server knows Streamable HTTP.")
	}
}

// chooseReach keeps the one of a command and a url that the transport speaks
// for.
func (r *reading) chooseReach(kind string) {
	s := &r.entry.Server
	if kind == "http" || kind == "sse" {
		s.Command, s.Args = "", nil
		r.homeless("command")
	} else {
		s.URL = ""
		r.homeless("url")
	}
	r.note("It had a command and a url, and a server has one of the two.")
}

// strand lists values that this kind of server cannot be given.
func (r *reading) strand(key string, pairs []pair) {
	for _, p := range pairs {
		r.homeless(key + "." + clip(p.key))
	}
}

func transport(written string) string {
	switch fold(written) {
	case "stdio", "local", "command":
		return "stdio"
	case "http", "https", "streamablehttp", "streaminghttp", "httpstream", "remote", "streamable":
		return "http"
	case "sse":
		return "sse"
	}
	return ""
}

// values puts references where credentials are, and ours where others' are.
func (r *reading) values(pairs []pair) map[string]string {
	if len(pairs) == 0 {
		return nil
	}
	all := map[string]string{}
	for _, p := range pairs {
		value := r.reference(p.key, p.value)
		if IsCredential(p.key, value) {
			value = r.conceal(p.key, p.key, value)
		}
		all[p.key] = value
	}
	return all
}

// conceal moves a credential out of the entry: its reference stays, behind
// the scheme a header begins with. key is where it stands, of what its name
// is made.
func (r *reading) conceal(key, of, value string) string {
	before := ""
	if m := scheme.FindStringSubmatch(strings.TrimSpace(value)); m != nil {
		before, value = m[1]+" ", m[2]
		if strings.EqualFold(key, "authorization") {
			of = "TOKEN"
		}
	}
	if isPlaceholder(value) {
		value = ""
	}
	name := r.names.secret(r.entry.Name, of, value)
	r.entry.Secrets = append(r.entry.Secrets, Secret{Name: name, Key: key, Value: value})
	return before + "${" + name + "}"
}

// filters settles what others understand differently: elsewhere exclude wins,
// here include does, and "*" is all.
func (r *reading) filters() {
	t := &r.entry.Server.Tools
	if slices.Contains(t.Include, "*") {
		t.Include = nil
	}
	if len(t.Include) == 0 || len(t.Exclude) == 0 {
		return
	}
	t.Include = slices.DeleteFunc(t.Include, func(name string) bool {
		return slices.ContainsFunc(t.Exclude, func(glob string) bool {
			covers, err := path.Match(glob, name)
			return err == nil && covers
		})
	})
	switch {
	case len(t.Include) == 0:
		r.note("Every tool it includes it also excludes; the excluded ones stay out, and the rest are offered.")
	case !slices.ContainsFunc(t.Include, isGlob):
		t.Exclude = nil // nothing is left for it to take out
	default:
		r.note("It lists tools to include and tools to exclude. Here include wins: a tool that entries of both cover is offered.")
	}
}

func isGlob(name string) bool { return strings.ContainsAny(name, "*?[") }

// asWritten warns of what stands in the command line: nothing is put in there,
// and everybody who reads the configuration sees it.
func (r *reading) asWritten() {
	s := &r.entry.Server
	all := append([]string{s.Command}, s.Args...)
	for i, arg := range all {
		where := "The command"
		if i > 0 {
			where = fmt.Sprintf("args[%d]", i-1)
		}
		switch {
		case strings.Contains(arg, "${") || loneDollar.MatchString(arg):
			r.note(where + " holds a variable, and a command line is passed as written: nothing is put in its place. Write the value itself, or give it under env if the server reads one.")
		case exposed(all, i):
			r.note(where + " looks like a credential. Everybody who reads the configuration would see it: give it under env, as ${NAME}, if the server reads one.")
		}
	}
}
