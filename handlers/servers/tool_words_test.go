package servers

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"crewlet/handlers/signin/signintest"
)

const (
	spelled = "It does odd.⟨U+202E⟩gninaelc rof⟨U+001B⟩[2J"
	mark    = "Holds invisible characters"
)

// What cannot be seen in a server's words is written out and marked, wherever
// they stand.
func TestInvisibleCharactersAreSeen(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	tried := status(t, trial(w, filled("tiny", "look", "odd")), http.StatusOK)
	status(t, w.Get(form).Send(form, filled("tiny", "look", "odd")), http.StatusSeeOther)
	list := eventually(t, func() *signintest.Page { return w.Get(page) }, func(p *signintest.Page) bool { return p.ByID("tool-odd") != "" })
	of, server := status(t, w.Get(page+"/tool/odd"), 200), status(t, w.Get(page+"/servers/tiny"), 200)
	for where, text := range map[string]string{
		"the list": list.ByID("tool-odd"), "the server's page": server.ByID("tool-odd"), "the tool's page": of.Text(), "a trial": tried.ByID("tried"),
	} {
		if !strings.Contains(text, spelled) || strings.Count(text, mark) != 1 {
			t.Errorf("on %s it reads %q", where, text)
		}
	}
	for where, text := range map[string]string{"the list": list.ByID("tool-look"), "its own page": w.Get(page + "/tool/look").Text()} {
		if strings.Contains(text, mark) {
			t.Errorf("on %s a tool in plain words is marked: %q", where, text)
		}
	}
	palette := status(t, w.Get("/palette"), 200)
	for name, marked := range map[string]bool{"look": false, "odd": true} {
		entry := palette.Find(func(n *html.Node) bool { return signintest.Attr(n, "href") == page+"/tool/"+name })
		if entry == nil || strings.Contains(palette.ByID(signintest.Attr(entry, "id")), "holds invisible characters") != marked {
			t.Errorf("the palette's entry of %s is marked: %v, want %v", name, !marked, marked)
		}
	}
	for where, p := range map[string]*signintest.Page{"list": list, "server": server, "tool": of, "trial": tried, "palette": palette} {
		if strings.ContainsAny(p.Body, "\u202e\x1b") {
			t.Errorf("the page of the %s holds the characters themselves", where)
		}
	}
}

// The row, the server's page and the catalogue count a server's tools alike.
func TestToolsAreCountedAlike(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	status(t, w.Get(form).Send(form, filled("tiny", "look", "notes")), http.StatusSeeOther)
	list := eventually(t, func() *signintest.Page { return w.Get(page) }, func(p *signintest.Page) bool { return p.ByID("tool-notes") != "" })
	if row := list.ByID("server-tiny"); !strings.Contains(row, "2 and 2 for resources and prompts") {
		t.Errorf("the row reads %q", row)
	}
	const says = "2 tools and 2 for resources and prompts"
	if group := list.ByID("from-mcp-tiny"); !strings.Contains(group, says) || list.ByID("tool-mcp__tiny__read_resource") == "" {
		t.Errorf("the catalogue reads %q", group)
	}
	if own := status(t, w.Get(page+"/servers/tiny"), 200).ByID("its-tools"); !strings.Contains(own, says) {
		t.Errorf("the server's page reads %q", own)
	}
}
