package search

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// shown is a snippet as text: what is marked in brackets, an ellipsis where
// the text goes on.
func shown(s Snippet) string {
	out, at := "", 0
	for _, m := range s.Marks {
		out += s.Text[at:m[0]] + "[" + s.Text[m[0]:m[1]] + "]"
		at = m[1]
	}
	out += s.Text[at:]
	if s.Before {
		out = "…" + out
	}
	if s.After {
		out += "…"
	}
	return out
}

func TestSnippets(t *testing.T) {
	filler := strings.Repeat("Nothing is here to see. ", 20)
	for name, c := range map[string]struct{ query, text, want string }{
		"short text":     {"button", "The buttons and the button.", "The [buttons] and the [button]."},
		"no match":       {"zebra", "One two three four five six seven eight nine ten eleven.", "One two three four five six seven eight…"},
		"far in":         {"zebra", filler + "A zebra ran." + filler, "…to see. A [zebra] ran.Nothing is here to…"},
		"most words":     {"red zebra", "red, " + filler + "and a red zebra.", "…Nothing is here to see. and a [red] [zebra]."},
		"a whole":        {"user_name", "call user_name now", "call [user_name] now"},
		"accents":        {"cafe", "un café ici", "un [café] ici"},
		"pairs":          {"黒猫", "私は黒猫が好き", "私は[黒猫]が好き"},
		"a beginning":    {"organiz*", "We organized it.", "We [organized] it."},
		"a key":          {"ENG-412", "See ENG-412.", "See [ENG-412]."},
		"nothing at all": {"", "", ""},
		"a long address": {"end", "x https://example.com/" + strings.Repeat("a/", 40) + " the end.", "…the [end]."},
		"in an address":  {"bbb", "x https://e.com/" + strings.Repeat("a", 50) + "-bbb-" + strings.Repeat("c", 50) + " the end.", "…https://e.com/" + strings.Repeat("a", 50) + "-[bbb]-" + strings.Repeat("c", 50) + "…"},
		"an entity":      {"amp", strings.Repeat("x", 30) + " &quot;&amp;" + strings.Repeat("y", 30) + " z", "…&quot;&[amp];" + strings.Repeat("y", 30) + "…"},
		"no spaces":      {"犬", strings.Repeat("猫", 50) + "犬" + strings.Repeat("猫", 50), "…猫猫猫[犬]猫猫猫猫猫猫猫猫猫…"},
		"markup stays":   {"b", "<b>&amp;</b>", "<[b]>&amp;</[b]>"},
	} {
		if got := shown(Parse(c.query, false).Snippet(c.text, 40)); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

// Whatever is asked of whatever text: nothing breaks, what is marked lies in
// the snippet in order, and no letter is cut.
func FuzzQuery(f *testing.F) {
	f.Add(`login "log in" -draft ENG-4*`, "A user cannot log in, see ENG-41.", true)
	f.Add("黒猫 user_name c++ utf-8", "黒猫が好き getUserName user_name.go C++", false)
	f.Add(`-"`, "\xff\xfe", true)
	f.Add(`"in the" "`, "in the in the", false)
	f.Add("don't l'eau", "it’s e\u0301te\u0301 \u0301", true)
	f.Fuzz(func(t *testing.T, question, text string, typing bool) {
		q := Parse(question, typing)
		b := newBuilder()
		b.add(Doc{ID: "1", Keys: []string{question}, Title: question, Text: text})
		b.add(Doc{ID: "2", Title: "log", Text: text + " " + question})
		s := shelved(b.freeze())
		all := &shelves{all: []shelf{s}, living: 2, title: s.title, text: s.text}
		hits, total := all.find(q, Filter{}, 10, &scratch{})
		if len(hits) != total || total > 2 {
			t.Fatalf("%d hits of %d", len(hits), total)
		}
		cut := q.Snippet(text, 60)
		if !strings.Contains(text, cut.Text) || utf8.ValidString(text) && !utf8.ValidString(cut.Text) {
			t.Fatalf("%q is no piece of %q", cut.Text, text)
		}
		at := 0
		for _, m := range cut.Marks {
			if m[0] < at || m[1] <= m[0] || m[1] > len(cut.Text) {
				t.Fatalf("marks %v in %q", cut.Marks, cut.Text)
			}
			at = m[1]
		}
	})
}
