package client

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// A line is redacted before it is cut: no part of a secret is left, whatever
// its length and wherever the cut falls.
func TestStderrIsRedactedBeforeItIsCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("canary-", 2000)
	const short = "canary-across-the-cut"
	words := func(n int) string { return strings.Repeat("w", n) }
	for name, c := range map[string]struct{ secret, line, want string }{
		"longer than a line":     {long, "key " + long + " end", "key " + redacted + cutMark},
		"longer, after words":    {long, words(4000) + long + "x", words(4000) + redacted + cutMark},
		"across the cut":         {short, words(longestLine-6) + short + " end", words(longestLine-6) + "[redac" + cutMark},
		"at the last byte":       {short, words(longestLine-1) + short, words(longestLine-1) + "[" + cutMark},
		"behind the cut":         {short, words(longestLine) + short, words(longestLine) + cutMark},
		"many before the cut":    {short, strings.Repeat(short, 300), ""},
		"ends with the stream":   {short, words(10) + short, words(10) + redacted},
		"a character on the cut": {short, words(longestLine-1) + "é" + short, words(longestLine-1) + cutMark},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			drain(strings.NewReader(c.line+"\nnext\n"), newRedactor([]string{c.secret}, nil), func(line string) { got = append(got, line) })
			if len(got) != 2 || got[1] != "next" || strings.Contains(got[0], "c") && strings.Contains(got[0], "canary") || len(got[0]) > longestLine+len(cutMark) {
				t.Fatalf("got %d lines, %.100q", len(got), got)
			}
			if c.want != "" && got[0] != c.want {
				t.Errorf("got …%q, want …%q", got[0][max(0, len(got[0])-40):], c.want[max(0, len(c.want)-40):])
			}
		})
	}
}

// printings are ways in which programs print a secret.
func printings(secret string) map[string]string {
	quoted := func(s string) string { text, _ := json.Marshal(s); return string(text[1 : len(text)-1]) }
	numbered := func(format string) string {
		var b strings.Builder
		for _, c := range strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(secret) {
			if c < 0x80 {
				b.WriteRune(c)
				continue
			}
			fmt.Fprintf(&b, format, c)
		}
		return b.String()
	}
	return map[string]string{
		"as it is":              secret,
		"Go's JSON":             quoted(secret),
		"PHP's JSON":            strings.ReplaceAll(numbered(`\u%04x`), "/", `\/`),
		"Python's JSON":         numbered(`\u%04x`),
		"capital digits":        numbered(`\u%04X`),
		"JSON inside of JSON":   quoted(quoted(secret)),
		"a query":               url.QueryEscape(secret),
		"a path":                url.PathEscape(secret),
		"a query, small digits": strings.ToLower(url.QueryEscape(strings.ToLower(secret))),
		"base64":                base64.StdEncoding.EncodeToString([]byte(secret)),
		"base64, bare":          base64.RawURLEncoding.EncodeToString([]byte(secret)),
		"a user's password":     base64.StdEncoding.EncodeToString([]byte("anna:" + secret)),
	}
}

func TestEscapedSecretsAreRedactedInText(t *testing.T) {
	t.Parallel()
	const secret = `canary/with"quotes\and é/名+ &<x>`
	r := newRedactor([]string{secret, strings.ToLower(secret)}, nil)
	for name, text := range printings(secret) {
		got := r.line("before " + text + " after")
		if name == "a user's password" {
			if rest := strings.TrimPrefix(got, "before "); len(rest) > len(redacted)+len(" after")+10 {
				t.Errorf("%s: got %q", name, got)
			}
			continue
		}
		if got != "before [redacted] after" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestSecretsOfSeveralLinesAreRedactedByLine(t *testing.T) {
	t.Parallel()
	r := newRedactor([]string{"-----BEGIN KEY-----\r\ncanary/one=é\r\nshort\r\ncanary/two\r\n-----END KEY-----\r\n"}, nil)
	for _, c := range []struct{ in, want string }{
		{"canary/one=é", redacted},
		{`canary\/one=\u00e9`, redacted},
		{"x canary/two y", "x [redacted] y"},
		{"short", "short"},
		{"-----BEGIN KEY----- canary/one=é short canary/two -----END KEY-----", redacted},
	} {
		if got := r.line(c.in); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

// Overlapping secrets leave nothing of either.
func TestOverlappingSecretsAreOneStretch(t *testing.T) {
	t.Parallel()
	if got := newRedactor([]string{"abcdef", "defghi"}, nil).line("<abcdefghi>"); got != "<[redacted]>" {
		t.Errorf("got %q", got)
	}
}

// Whatever the escapes inside a JSON string, it is redacted by what it says,
// and every byte around it stays.
func TestRedactedJSONKeepsEveryOtherByte(t *testing.T) {
	t.Parallel()
	const secret = `pass/word"é`
	everyByte := ""
	for _, c := range secret {
		everyByte += fmt.Sprintf(`\u%04X`, c)
	}
	r := newRedactor([]string{secret}, nil)
	for name, in := range map[string]string{
		"plain":          `pass/word\"é`,
		"PHP":            `pass\/word\"\u00e9`,
		"by number":      everyByte,
		"mixed":          `p\u0061ss\/word\u0022\u00E9`,
		"JSON in a text": `{\"k\":\"pass\\/word\\\"\\u00e9\"}`,
	} {
		text := ` { "a" : 1.50 , "\u0062" : "x` + in + `y" , "c":[ "\u00e9\/", true,null ] }`
		got := string(r.raw([]byte(text)))
		if name == "JSON in a text" {
			if !json.Valid([]byte(got)) || strings.Contains(got, "word") {
				t.Errorf("%s: got %s", name, got)
			}
			continue
		}
		if want := ` { "a" : 1.50 , "\u0062" : "x[redacted]y" , "c":[ "\u00e9\/", true,null ] }`; got != want {
			t.Errorf("%s: got %s", name, got)
		}
		key := string(r.raw([]byte(`{"` + in + `":1}`)))
		if key != `{"[redacted]":1}` {
			t.Errorf("%s as a key: got %s", name, key)
		}
	}
	same := []byte(` {"a":"\u003c\/\ud83d","n":1e400,"n":9007199254740993} `)
	if got := r.raw(same); &got[0] != &same[0] || len(got) != len(same) {
		t.Errorf("text without secrets was written anew: %s", got)
	}
}

func FuzzRedactedJSON(f *testing.F) {
	for _, seed := range []string{`{"a":"canary"}`, `["\u0063anary",1234567]`, `"\`, `{"canary`, `"\ud83d\ude00canary\/"`, `-1234567e5`} {
		f.Add([]byte(seed))
	}
	secrets := []string{"canary", "1234567", "é/\"\\"}
	r := newRedactor(secrets, nil)
	f.Fuzz(func(t *testing.T, in []byte) {
		out := r.raw(slices.Clone(in))
		if !json.Valid(in) {
			return // whatever comes of it, it must not panic
		}
		if !json.Valid(out) {
			t.Fatalf("%q became %q", in, out)
		}
		var v any
		_ = json.Unmarshal(out, &v) // it is valid
		if s, ok := v.(string); ok && slices.ContainsFunc(secrets, func(secret string) bool { return strings.Contains(s, secret) }) {
			t.Fatalf("%q still says %q", in, s)
		}
	})
}
