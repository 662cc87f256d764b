package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"crewlet/db"
	"crewlet/handlers"
	"crewlet/handlers/live"
	"crewlet/handlers/node"
)

// stop is one page of the walk.
type stop struct {
	at       string // an address of the route's pattern; {setup} is the set-up link
	lit      string // the place the navigation shows it under; "" for a page that stands alone
	stranger bool   // looked at by somebody who is not signed in
	file     string // a download, and no page: its media type
	refused  string // the status of a page that says no
	full     bool   // it is there only in a company that declares something
}

// stops are the pages there are, by the pattern of their route.
func stops() map[string]stop {
	const settings = "/settings/"
	return map[string]stop{
		"/":                                {at: "/nothing/of/this/name", refused: "404"},
		"GET /{$}":                         {at: "/", lit: "/inbox"},
		"GET /sign-in":                     {at: "/sign-in", stranger: true},
		"GET /setup/{token}":               {at: "{setup}", stranger: true},
		"GET /invitation/{token}":          {at: "/invitation/" + strings.Repeat("a", 43), refused: "404"},
		"GET /account/sign-ins":            {at: "/account/sign-ins", lit: "/account/sign-ins"},
		"GET /inbox":                       {at: "/inbox", lit: "/inbox"},
		"GET /work":                        {at: "/work", lit: "/work"},
		"GET /work/mine":                   {at: "/work/mine", lit: "/work/mine"},
		"GET /work/new":                    {at: "/work/new", lit: "/work"},
		"GET /work/projects":               {at: "/work/projects", lit: "/work/projects"},
		"GET /work/projects/{key}":         {at: "/work/projects/ENG", lit: "/work/projects", full: true},
		"GET /work/history":                {at: "/work/history", lit: "/work/history"},
		"GET /work/projects/{key}/history": {at: "/work/projects/ENG/history", lit: "/work/projects", full: true},
		"GET /work/items/{key}/editions":   {at: "/work/items/ENG-1/editions", lit: "/work", full: true},
		"GET /work/items/{key}/editions/{edition}":   {at: "/work/items/ENG-1/editions/1", lit: "/work", full: true},
		"GET /work/items/{key}":                      {at: "/work/items/ENG-1", lit: "/work", full: true},
		"GET /work/items/{key}/history":              {at: "/work/items/ENG-1/history", lit: "/work", full: true},
		"GET /work/items/{key}/told":                 {at: "/work/items/ENG-1/told", lit: "/work", full: true},
		"GET /company":                               {at: "/company", lit: "/company"},
		"GET /company/seats/{handle}/rename":         {at: "/company/seats/chief/rename", lit: "/company", full: true},
		"GET /settings/tools":                        {at: settings + "tools", lit: settings + "tools"},
		"GET /settings/tools/new":                    {at: settings + "tools/new", lit: settings + "tools"},
		"GET /settings/tools/paste":                  {at: settings + "tools/paste", lit: settings + "tools"},
		"GET /settings/tools/servers/{name}":         {at: settings + "tools/servers/broken", lit: settings + "tools", full: true},
		"GET /settings/tools/servers/{name}/edit":    {at: settings + "tools/servers/broken/edit", lit: settings + "tools", full: true},
		"GET /settings/tools/servers/{name}/rename":  {at: settings + "tools/servers/broken/rename", lit: settings + "tools", full: true},
		"GET /settings/tools/tool/{name}":            {at: settings + "tools/tool/get_config", lit: settings + "tools"},
		"GET /settings/secrets":                      {at: settings + "secrets", lit: settings + "secrets"},
		"GET /settings/configuration":                {at: settings + "configuration", lit: settings + "configuration"},
		"GET /settings/configuration/revisions":      {at: settings + "configuration/revisions", lit: settings + "configuration"},
		"GET /settings/configuration/revisions/{id}": {at: settings + "configuration/revisions/1", lit: settings + "configuration"},
		"GET /settings/people":                       {at: settings + "people", lit: settings + "people"},
		"GET /settings/people/{person}":              {at: settings + "people/{person}", lit: settings + "people", full: true},
		"GET /settings/tokens/programs":              {at: settings + "tokens/programs", lit: settings + "tokens"},
		"GET /settings/tokens":                       {at: settings + "tokens", lit: settings + "tokens"},
		"GET /api":                                   {at: "/api", lit: settings + "tokens"},
		"GET /settings/audit":                        {at: settings + "audit", lit: settings + "audit"},
		"GET /settings/audit.csv":                    {at: settings + "audit.csv", file: "text/csv"},
	}
}

// walk is every page the route table has, in order. A route without an entry
// above fails the test, and so does an entry without a route.
func (s *site) walk(t *testing.T) []stop {
	t.Helper()
	var table []handlers.Route
	p := &program{environ: s.environ, stdin: strings.NewReader(""), stdout: &said{}, stderr: &said{}}
	if err := p.with(t.Context(), func(n *machine) error {
		table = handlers.Routes(n.engine, &node.Handlers{}, &live.Handlers{}, nil)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	known, anybody := stops(), s.somebody(t)
	var list []stop
	for _, r := range table {
		if r.Kind != handlers.Page && r.Kind != handlers.Look || strings.HasPrefix(r.Pattern, "POST ") {
			continue
		}
		next, ok := known[r.Pattern]
		if !ok {
			t.Errorf("%s is a page without a stop on the walk: add an address of it", r.Pattern)
			continue
		}
		delete(known, r.Pattern)
		next.at = strings.Replace(next.at, "{setup}", strings.TrimPrefix(s.setupLink(t), s.url), 1)
		next.at = strings.ReplaceAll(next.at, "{person}", anybody)
		list = append(list, next)
	}
	for _, pattern := range slices.Sorted(maps.Keys(known)) {
		t.Errorf("the walk stops at %s, which is no route", pattern)
	}
	return list
}

// somebody is the id of one of the people there are; "nobody" before there is
// any.
func (s *site) somebody(t *testing.T) string {
	t.Helper()
	id := "nobody"
	s.inTx(t, func(tx *db.Tx) error {
		return tx.GetContext(t.Context(), &id, `SELECT coalesce(min(id::text), 'nobody') FROM people`)
	})
	return id
}

func walkEmpty(t *testing.T, b *browser) {
	s := serving(t)
	pages := s.walk(t)
	stranger := b.person(t, s.url)
	stranger.pass(pages, func(p stop) bool { return p.stranger })
	ana := b.person(t, s.url)
	s.setUp(ana)
	ana.pass(pages, func(p stop) bool { return !p.stranger && !p.full && p.refused == "" })
	lost := ana.beside()
	lost.allow("404")
	lost.pass(pages, func(p stop) bool { return p.refused != "" })
}

func walkFull(t *testing.T, b *browser) {
	s := fullCompany(t)
	pages := s.walk(t)
	stranger := b.person(t, s.url)
	stranger.allow("409") // the set-up link was used
	stranger.pass(pages, func(p stop) bool { return p.stranger })
	ana := b.person(t, s.url)
	ana.signIn()
	ana.pass(pages, func(p stop) bool { return !p.stranger && p.refused == "" })
	ana.pass([]stop{
		{at: "/settings/configuration/revisions/3", lit: "/settings/configuration"},
		{at: "/settings/audit?outcome=refused", lit: "/settings/audit"},
		{at: "/settings/tools?text=nothing+like+this", lit: "/settings/tools"},
		{at: "/work?q=nothing+like+this&assignee=me&priority=high", lit: "/work"},
		{at: "/inbox?box=other", lit: "/inbox"},
		{at: "/work/mine?person=chief", lit: "/work/mine"},
		{at: "/work/history?author=me&kind=ask&since=-7d", lit: "/work/history"},
		{at: "/settings/tools/new?preset=github", lit: "/settings/tools"},
		{at: "/settings/tools/servers/waiting-for-a-secret", lit: "/settings/tools"},
	}, func(stop) bool { return true })
	first := s.visitor(t)
	first.signIn()
	for _, p := range pages {
		if p.file != "" {
			a := first.get(p.at)
			if got := a.header.Get("Content-Type"); a.status != 200 || !strings.HasPrefix(got, p.file) || strings.Count(a.body, "\n") < 50 {
				t.Errorf("GET %s: %d %s, %d lines", p.at, a.status, got, strings.Count(a.body, "\n"))
			}
		}
	}
}

// pass looks at pages, each wide and narrow, light and dark.
func (x *tab) pass(pages []stop, choose func(stop) bool) {
	x.t.Helper()
	for _, width := range []int{1280, 390} {
		for _, dark := range []bool{false, true} {
			x.look(width, dark)
			for _, p := range pages {
				if p.file == "" && choose(p) {
					x.visit(p, width, dark)
				}
			}
		}
	}
}

// faults is what no page may have, as text; "" when all is well.
const faults = `(() => {
	const wrong = [];
	const headings = document.querySelectorAll("h1").length;
	if (headings !== 1) wrong.push("it has " + headings + " h1");
	if (!document.title.trim() || document.title.startsWith("·")) wrong.push("its title is " + JSON.stringify(document.title));
	const over = document.documentElement.scrollWidth - innerWidth;
	if (over > 0) {
		const wide = [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1);
		wrong.push("it scrolls " + over + " px sideways, by " + (wide.at(-1)?.outerHTML.slice(0, 300) ?? "nothing in main"));
	}
	if (!document.querySelector("main")) wrong.push("it has no main");
	return wrong.join("; ");
})()`

const lit = `[...document.querySelectorAll("#nav [aria-current]")].map((a) => a.getAttribute("href")).join(" ")`

func (x *tab) visit(p stop, width int, dark bool) {
	x.t.Helper()
	x.open(p.at)
	x.until("the whole page", `document.readyState === "complete"`)
	look := fmt.Sprintf("%s at %d, dark %t", p.at, width, dark)
	if wrong := x.ask(faults); wrong != "" {
		x.t.Errorf("%s: %s", look, wrong)
	}
	if got := x.ask(lit); got != p.lit {
		x.t.Errorf("%s: the place lit is %q, want %q", look, got, p.lit)
	}
	if width > 390 || !dark {
		x.accessible()
	}
	shot := fmt.Sprintf("%s-%d-%t", strings.NewReplacer("/", "_", "?", "_").Replace(p.at), width, dark)
	x.shot(shot)
	if !dark && x.ask(`document.querySelector("main details") !== null`) == "true" {
		x.eval(`document.querySelectorAll("main details").forEach((d) => (d.open = true))`)
		if wrong := x.ask(faults); wrong != "" {
			x.t.Errorf("%s, all drawers open: %s", look, wrong)
		}
		x.accessible()
		x.shot(shot + "-open")
	}
	x.quiet()
}
