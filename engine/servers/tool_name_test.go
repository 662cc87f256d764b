package servers

import (
	"regexp"
	"strings"
	"testing"
)

func TestAssign(t *testing.T) {
	t.Parallel()
	order := []declared{{ID: "a", Name: "alpha"}, {ID: "b", Name: "beta"}, {ID: "p", Name: "pre", Prefix: "gh_"}}
	long := strings.Repeat("x", 70)
	for name, c := range map[string]struct {
		tools []naming
		want  map[string]string // server/name to registered
	}{
		"plain":                   {[]naming{{Server: "a", Name: "echo"}}, map[string]string{"a/echo": "echo"}},
		"prefix":                  {[]naming{{Server: "p", Name: "echo"}}, map[string]string{"p/echo": "gh_echo"}},
		"the later one gives way": {[]naming{{Server: "b", Name: "echo"}, {Server: "a", Name: "echo"}}, map[string]string{"a/echo": "echo", "b/echo": "mcp__beta__echo"}},
		"an earlier one that lists later": {
			[]naming{{Server: "b", Name: "echo", Base: "echo", Registered: "echo"}, {Server: "a", Name: "echo"}},
			map[string]string{"a/echo": "echo", "b/echo": "mcp__beta__echo"},
		},
		"a resolved name stays": {
			[]naming{{Server: "b", Name: "echo", Base: "echo", Registered: "mcp__beta__echo", Resolved: true}},
			map[string]string{"b/echo": "mcp__beta__echo"},
		},
		"a builtin has the name":  {[]naming{{Server: "a", Name: "list_tools"}}, map[string]string{"a/list_tools": "mcp__alpha__list_tools"}},
		"names of objects":        {[]naming{{Server: "a", Name: "constructor"}, {Server: "a", Name: "__proto__"}}, map[string]string{"a/constructor": "constructor", "a/__proto__": "__proto__"}},
		"characters not allowed":  {[]naming{{Server: "a", Name: "say.it now"}}, map[string]string{"a/say.it now": "say_it_now"}},
		"two that look the same":  {[]naming{{Server: "a", Name: "x.y"}, {Server: "a", Name: "x/y"}}, map[string]string{"a/x.y": "x_y", "a/x/y": "mcp__alpha__x_y"}},
		"over-long":               {[]naming{{Server: "a", Name: long}}, map[string]string{"a/" + long: callable(long)}},
		"seats do not meet":       {[]naming{{Server: "a", Seat: "1", Name: "echo"}, {Server: "a", Seat: "2", Name: "echo"}}, map[string]string{"a/echo": "echo"}},
		"not declared any more":   {[]naming{{Server: "z", Name: "echo", Base: "echo", Registered: "echo"}, {Server: "a", Name: "echo"}}, map[string]string{"a/echo": "echo", "z/echo": "mcp__z__echo"}},
		"a prefix that was taken": {[]naming{{Server: "p", Name: "x", Base: "x", Registered: "x"}}, map[string]string{"p/x": "gh_x"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tools []*naming
			for i := range c.tools {
				tools = append(tools, &c.tools[i])
			}
			assign(tools, order, map[string]bool{"list_tools": true})
			for _, n := range tools {
				if want := c.want[n.Server+"/"+n.Name]; n.Registered != want {
					t.Errorf("%s/%s is %q, want %q", n.Server, n.Name, n.Registered, want)
				}
			}
			again := make([]naming, len(tools))
			for i, n := range tools {
				again[i] = *n
			}
			assign(tools, order, map[string]bool{"list_tools": true})
			for i, n := range tools {
				if *n != again[i] {
					t.Errorf("named again it is %q, and was %q", n.Registered, again[i].Registered)
				}
			}
		})
	}
}

func FuzzCallable(f *testing.F) {
	for _, seed := range []string{"", "echo", "a.b", strings.Repeat("é", 40), "\x00", strings.Repeat("x", 64)} {
		f.Add(seed)
	}
	shape := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	f.Fuzz(func(t *testing.T, name string) {
		if got := callable(name); !shape.MatchString(got) || got != callable(name) {
			t.Errorf("%q became %q", name, got)
		}
		if got := hashed(name, name); !shape.MatchString(got) {
			t.Errorf("%q became %q", name, got)
		}
	})
}
