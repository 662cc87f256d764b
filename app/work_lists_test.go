package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestListsOfWork(t *testing.T) {
	_, ana, api := workshop(t)
	for n := range 53 {
		api.act("create_work_item", fmt.Sprintf(`{"project":"ENG","title":"Item %d","assignee":"lead"}`, n))
	}
	for address, want := range map[string]struct {
		status int
		says   string
	}{
		"/work/items/ENG-99":                      {404, "ENG-99"},
		"/work/items/nonsense":                    {404, "nonsense"},
		"/work/items/ENG-99/history":              {404, "ENG-99"},
		"/work/items/ENG-99/told":                 {404, "ENG-99"},
		"/work/projects/NOPE":                     {404, "NOPE"},
		"/work/projects/NOPE?status=nearly":       {404, "NOPE"},
		"/work?colour=red":                        {422, "Colour"},
		"/work?status=nearly":                     {422, "nearly"},
		"/work?status=nearly&assignee=nemo":       {422, "nemo"},
		"/work?sort=shoe-size":                    {422, "sort"},
		"/work?cursor=tampered":                   {422, "cursor"},
		"/work?due=someday":                       {422, "someday"},
		"/work/projects/ENG?status=nearly":        {422, "Engineering"},
		"/work/projects/ENG?cursor=tampered":      {422, "Engineering"},
		"/inbox?cursor=tampered":                  {422, "cursor"},
		onENG1 + "/history?cursor=tampered":       {422, "cursor"},
		onENG1 + "/told?cursor=tampered":          {422, "cursor"},
		onENG1 + "?before=tampered":               {422, ""},
		"/work?assignee=lead&status=todo":         {200, "Take off Assignee: lead"},
		"/work?assignee=lead&sort=key&limit=2":    {200, "ENG-2"},
		"/work/projects/eng?q=Item+5":             {200, "ENG-6"},
		"/work?container=project:ENG&type=bug":    {200, "Take off Container: project:ENG"},
		"/inbox?box=nonsense":                     {200, "Inbox"},
		"/work?labels=&status=&priority=&sort=":   {200, "ENG-53"},
		onENG1 + "/told":                          {200, "Tech lead"},
		"/work?status=todo%2Cin_progress&q=":      {200, "todo,in_progress"},
		"/work/new?title=From+a+link&project=ENG": {200, "From a link"},
	} {
		t.Run(address, func(t *testing.T) {
			v := &visitor{t: t, base: ana.base, http: ana.http}
			a := v.get(address)
			if a.status != want.status || !strings.Contains(a.body, want.says) {
				t.Errorf("answered %d, want %d with %q:\n%s", a.status, want.status, want.says, a.body)
			}
		})
	}
}

// A page further on is drawn anew as that page, and not as the first.
func TestALaterPageStaysWhereItIs(t *testing.T) {
	_, ana, api := workshop(t)
	for n := range 53 {
		api.act("create_work_item", fmt.Sprintf(`{"project":"ENG","title":"Item %d","assignee":"ana.admin"}`, n))
	}
	for range 22 {
		api.act("comment_on_work_item", `{"key":"ENG-1","body":"Hello"}`)
	}
	for first, row := range map[string]string{"/work?sort=key": `id="row-`, "/work/projects/ENG": `id="row-`, "/inbox": `id="entry-`, onENG1: `id="comment-0`} {
		t.Run(first, func(t *testing.T) {
			v := &visitor{t: t, base: ana.base, http: ana.http}
			next := v.get(first).link(t, "href", "cursor=", "before=")
			page := v.get(next)
			part := v.send(http.MethodGet, page.link(t, "hx-get", "cursor=", "before="), "", "HX-Request", "true", "HX-Request-Type", "partial")
			if n := strings.Count(page.body, row); page.status != http.StatusOK || n == 0 || strings.Count(part.body, row) != n {
				t.Errorf("%s: %d with %d rows, drawn anew %d with %d", next, page.status, n, part.status, strings.Count(part.body, row))
			}
		})
	}
}

// link is the first address of an attribute that holds one of some marks.
func (a answer) link(t *testing.T, name string, marks ...string) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		to, _, _ := strings.Cut(attribute(n, name), "#")
		for _, mark := range marks {
			if strings.Contains(to, mark) {
				return to
			}
		}
	}
	t.Fatalf("%d and no %s with %v:\n%s", a.status, name, marks, a.body)
	return ""
}
