package config

import (
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// short keeps a value that is shown in a refusal to a length people read.
func short(v string) string {
	if len(v) <= 80 {
		return v
	}
	return strings.ToValidUTF8(v[:80], "") + "…"
}

// path makes a variable's path absolute, so that a later change of directory
// changes nothing.
func (r *reading) path(variable, otherwise string) string {
	v := r.value(variable)
	if v == "" {
		v = otherwise
	}
	if v == "" {
		return ""
	}
	abs, err := filepath.Abs(v)
	if err != nil {
		r.say(variable, "cannot be made an absolute path (%v). Give one that begins with /.", err)
		return ""
	}
	return abs
}

// directory is a directory that is there, or can be made later.
func (r *reading) directory(variable, otherwise string) string {
	dir := r.path(variable, otherwise)
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		r.say(variable, "%s is a file. Name a directory; it is made when it is missing.", dir)
	}
	return dir
}

// existing is a file, or a directory, that has to be there now.
func (r *reading) existing(variable string, directory bool) string {
	p := r.path(variable, "")
	if p == "" {
		return ""
	}
	what := "a file"
	if directory {
		what = "a directory"
	}
	info, err := os.Stat(p)
	switch {
	case os.IsNotExist(err):
		r.say(variable, "%s is not there. Name %s that exists, or unset it.", p, what)
	case err != nil:
		r.say(variable, "%s cannot be looked at (%v). Name %s this user may read.", p, err, what)
	case info.IsDir() != directory:
		r.say(variable, "%s is not %s. Name %s.", p, what, what)
	}
	return p
}

// database is a Postgres address. It may hold a password, so it is never
// part of a sentence.
func (r *reading) database(variable string) string {
	v := r.value(variable)
	if v == "" {
		return ""
	}
	u, err := url.Parse(v)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") {
		r.say(variable, "is not a Postgres address. Write it like postgres://user:password@host:5432/crewlet.")
		return ""
	}
	if u.Host == "" && u.Query().Get("host") == "" {
		r.say(variable, "names no host. Write it like postgres://user:password@host:5432/crewlet, or ?host=/directory for a socket.")
		return ""
	}
	return v
}

// address is an http(s) address with nothing behind the host but, perhaps, a
// path.
func (r *reading) address(variable string) *url.URL {
	v := r.value(variable)
	if v == "" {
		return nil
	}
	u, err := url.Parse(v)
	switch {
	case err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "":
		r.say(variable, "is not a web address. Write it like https://crewlet.example.com.")
	case u.User != nil:
		r.say(variable, "holds a user name or password. Leave everything before the @ away.")
	case u.RawQuery != "" || u.Fragment != "":
		r.say(variable, "has something after ? or #. Leave it away.")
	default:
		u.Path = strings.TrimRight(u.Path, "/")
		return u
	}
	return nil
}

func (r *reading) smtp(variable string) *url.URL {
	v := r.value(variable)
	if v == "" {
		return nil
	}
	u, err := url.Parse(v)
	if err != nil || (u.Scheme != "smtp" && u.Scheme != "smtps") || u.Hostname() == "" {
		r.say(variable, "is not a mail server's address. Write it like smtps://user:password@mail.example.com:465, or smtp://… for STARTTLS.")
		return nil
	}
	return u
}

// networks is a list of networks, or single addresses, parted by commas.
func (r *reading) networks(variable string) []netip.Prefix {
	var out []netip.Prefix
	for part := range strings.SplitSeq(r.value(variable), ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if ip, err := netip.ParseAddr(part); err == nil && ip.Zone() == "" {
			out = append(out, netip.PrefixFrom(ip.Unmap(), ip.Unmap().BitLen()))
			continue
		}
		net, err := netip.ParsePrefix(part)
		if err != nil {
			r.say(variable, "%q is not a network. Write networks like 10.0.0.0/8,fd00::/8, parted by commas.", short(part))
			continue
		}
		out = append(out, net.Masked())
	}
	return out
}

// log reads debug, info, warn or error, with json: or text: before it when
// the form matters: json:info. A form alone (json) is taken at info.
func (r *reading) log(variable string) Log {
	out := Log{Level: slog.LevelInfo}
	v := strings.ToLower(r.value(variable))
	form, level, both := strings.Cut(v, ":")
	if !both && form != "json" && form != "text" {
		form, level = "text", v
	}
	levels := map[string]slog.Level{
		"": slog.LevelInfo, "debug": slog.LevelDebug, "info": slog.LevelInfo,
		"warn": slog.LevelWarn, "error": slog.LevelError,
	}
	at, ok := levels[level]
	if !ok || (form != "json" && form != "text") || (both && level == "") {
		r.say(variable, "%q is not a log level. Write debug, info, warn or error; put json: before it for one JSON object a line, as in json:info.", short(v))
		return out
	}
	out.Level, out.JSON = at, form == "json"
	return out
}
