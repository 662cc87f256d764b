package search

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"crewlet/engine/changes"
)

// company is documents and a log of what happened to them, as the tables are.
type company struct {
	mu    sync.Mutex
	docs  map[string]Doc
	log   []changes.Change
	kept  int   // rows of the log that are kept no more
	away  error // what every read answers, while it is not nil
	all   int   // pages read
	stamp string
	hears func([]changes.Change)
}

func newCompany(docs ...Doc) *company {
	c := &company{docs: map[string]Doc{}}
	for _, d := range docs {
		c.write(d)
	}
	return c
}

// write changes a document, as one commit does; one without an id changes none.
func (c *company) write(d Doc) int64 {
	c.mu.Lock()
	row := changes.Change{Position: int64(len(c.log) + 1), At: time.Unix(int64(len(c.log)), 0), Kind: "written", Object: d.ID}
	if d.ID != "" {
		c.docs[d.ID] = d
	}
	c.log = append(c.log, row)
	hears := c.hears
	c.mu.Unlock()
	if hears != nil {
		hears([]changes.Change{row})
	}
	return row.Position
}

func (c *company) erase(id string) int64 {
	c.mu.Lock()
	delete(c.docs, id)
	c.log = append(c.log, changes.Change{Position: int64(len(c.log) + 1), At: time.Unix(int64(len(c.log)), 0), Kind: "erased", Object: id})
	rows := c.log[len(c.log)-1:]
	hears := c.hears
	c.mu.Unlock()
	if hears != nil {
		hears(rows)
	}
	return rows[0].Position
}

func (c *company) source() Source {
	return Source{
		Stamp: c.stamp,
		All: func(_ context.Context, after string, limit int) ([]Doc, error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.all++
			var docs []Doc
			for _, id := range slices.Sorted(maps.Keys(c.docs)) {
				if id > after && len(docs) < limit {
					docs = append(docs, c.docs[id])
				}
			}
			return docs, c.away
		},
		Some: func(_ context.Context, ids []string) ([]Doc, error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			var docs []Doc
			for _, id := range ids {
				if d, ok := c.docs[id]; ok {
					docs = append(docs, d)
				}
			}
			return docs, c.away
		},
		Moved: func(row changes.Change) []string {
			if row.Object == "" {
				return nil
			}
			return []string{row.Object}
		},
	}
}

func (c *company) options(file string) Options {
	return Options{
		Sources: []Source{c.source()}, File: file, Log: slog.New(slog.DiscardHandler),
		After: func(_ context.Context, position int64, limit int) ([]changes.Change, error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			rows := c.log[min(max(int(position), c.kept), len(c.log)):]
			return rows[:min(len(rows), limit)], c.away
		},
		Head: func(context.Context) (int64, error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			return int64(len(c.log)), c.away
		},
	}
}

// index starts an index of the company, and waits until it is built.
func (c *company) index(t *testing.T, file string) *Index {
	t.Helper()
	x := New(c.options(file))
	c.mu.Lock()
	c.hears = x.Hear
	c.mu.Unlock()
	x.Start(t.Context())
	t.Cleanup(func() { x.Close(context.WithoutCancel(t.Context())) })
	x.await(t, 0)
	return x
}

// await waits until an index stands at a position.
func (x *Index) await(t *testing.T, position int64) {
	t.Helper()
	limit := time.After(30 * time.Second)
	for {
		now := x.now.Load()
		if now.built && now.position >= position {
			return
		}
		select {
		case <-now.next:
		case <-limit:
			t.Fatalf("the index never came to %d; it stands at %d", position, now.position)
		}
	}
}

func found(t *testing.T, x *Index, query string, f Filter) []string {
	t.Helper()
	out, err := x.Search(t.Context(), Parse(query, false), f, 1000, 0)
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]string, len(out.Hits))
	for i, hit := range out.Hits {
		ids[i] = hit.ID
	}
	if out.Total != len(ids) {
		t.Errorf("%q: %d in all, and %d are there", query, out.Total, len(ids))
	}
	return ids
}

// work is a small tracker, to ask things of.
func work() *company {
	return newCompany(
		Doc{ID: "a", Keys: []string{"ENG-4"}, Title: "Login button does nothing", Text: "On the sign-in page the button is dead.", Kind: "item", Container: "ENG", Status: "open"},
		Doc{ID: "b", Keys: []string{"ENG-41"}, Title: "Users cannot log in", Text: "Logging in fails with an error since Monday, see ENG-4.", Kind: "item", Container: "ENG", Status: "done"},
		Doc{ID: "c", Keys: []string{"OPS-4", "ENG-9"}, Title: "Rotate the logs", Text: "Log files fill the disk. A log in the wrong place.", Kind: "item", Container: "OPS", Status: "open"},
		Doc{ID: "d", Title: "Onboarding", Text: "How to sign in: open the page, press the button, and you are in.", Kind: "page", Container: "company", Status: "published"},
		Doc{ID: "e", Title: "Café crème", Text: "黒猫が好き。The function getUserName of user_name.go, in C++.", Kind: "page", Container: "company", Status: "published"},
		Doc{ID: "f", Title: "Secret plan", Text: "button button button", Kind: "page", Container: "company", Status: "draft", Gone: true},
	)
}

func TestSearchFinds(t *testing.T) {
	x := work().index(t, "")
	for query, want := range map[string][]string{
		"button":        {"a", "d"},      // in the title
		"buttons":       {"a", "d"},      // of one stem
		"login button":  {"a", "d"},      // both, then one
		"ENG-4":         {"a", "b"},      // its own, then who speaks of it
		"eng-4":         {"a", "b"},      //
		"ENG-9":         {"c"},           // what it was called before
		"ENG-4*":        {"a", "b"},      // keys that begin so
		"ENG-5":         {"b", "a"},      // nobody has it: its parts
		`"log in"`:      {"c", "b"},      // not "login", not "logs"
		`"log in" disk`: {"c", "b"},      // phrases before words
		"log -disk":     {"b"},           //
		`in -"log in"`:  {"d", "a", "e"}, // stop words, where there is nothing else
		"the cafe":      {"e"},           // stop words left out
		"CREME":         {"e"},           //
		"黒猫":            {"e"},           //
		"猫":             {"e"},           // one letter begins a pair
		"get_user_name": {"e", "b"},      //
		"user_name":     {"e", "b"},      //
		"name":          {"e"},           //
		"c++":           {"e"},           //
		"onboard*":      {"d"},           //
		"onb":           nil,             // a word is whole
		"":              nil,             //
		"-button":       nil,             // nothing to look for
		`"`:             nil,             //
		"secret plan":   nil,             // gone
		"zebra":         nil,             //
	} {
		if got := found(t, x, query, Filter{}); !slices.Equal(got, want) {
			t.Errorf("%q finds %v, want %v", query, got, want)
		}
	}
}

func TestWhileTypingTheLastWordIsOnlyBegun(t *testing.T) {
	x := work().index(t, "")
	for query, want := range map[string][]string{
		"onb": {"d"}, "onb ": nil, "butt": {"a", "d"}, "ENG-4": {"a", "b"}, "rotate lo": {"c"}, "sign-i": {"a", "d"}, "organiz": nil,
	} {
		out, err := x.Search(t.Context(), Parse(query, true), Filter{}, 10, 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, hit := range out.Hits {
			got = append(got, hit.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %v, want %v", query, got, want)
		}
	}
}

func TestSearchLooksThroughWhatIsAllowed(t *testing.T) {
	x := work().index(t, "")
	for name, c := range map[string]struct {
		filter Filter
		want   []string
	}{
		"one container":        {Filter{Containers: []string{"ENG"}}, []string{"a"}},
		"several, one unknown": {Filter{Containers: []string{"ENG", "company", "HR"}}, []string{"a", "d"}},
		"kind and status":      {Filter{Kinds: []string{"page"}, Statuses: []string{"published"}}, []string{"d"}},
		"none of them":         {Filter{Containers: []string{"ENG"}, Kinds: []string{"page"}}, []string{}},
		"nothing is allowed":   {Filter{Containers: []string{}}, []string{}},
	} {
		if got := found(t, x, "button", c.filter); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	out, err := x.Search(t.Context(), Parse("button ENG-4", false), Filter{}, 1, 0)
	if err != nil || len(out.Hits) != 1 || out.Hits[0].ID != "a" || !out.Hits[0].First || out.Total != 3 {
		t.Errorf("the first of three is %+v, %v", out, err)
	}
}

func TestOfTwoAsGoodTheNewerComesFirst(t *testing.T) {
	x := newCompany(Doc{ID: "1", Title: "same", Updated: 1}, Doc{ID: "2", Title: "same", Updated: 3}, Doc{ID: "3", Title: "same", Updated: 3}).index(t, "")
	if got := found(t, x, "same", Filter{}); !slices.Equal(got, []string{"2", "3", "1"}) {
		t.Error(got)
	}
}

func TestWordsOfMostDocumentsAreLeftOutOfAQuestion(t *testing.T) {
	c := newCompany()
	for i := range 1200 {
		c.write(Doc{ID: name(i), Keys: []string{fmt.Sprintf("ENG-%d", i)}, Title: "fill", Text: []string{"every day", "every other day"}[i%2]})
	}
	c.write(Doc{ID: "z", Text: "every zebra, day and night"})
	x := c.index(t, "")
	for query, want := range map[string]int{
		"every zebra": 1, "every": 1201, "every day fill": 1201, `"every day" zebra`: 1, `zebra "day and"`: 1, "ENG-11*": 111, "-every zebra": 0,
	} {
		if got := counted(t, x, query); got != want {
			t.Errorf("%q finds %d, want %d", query, got, want)
		}
	}
}

func counted(t *testing.T, x *Index, query string) int {
	t.Helper()
	out, err := x.Search(t.Context(), Parse(query, true), Filter{}, 10, 0)
	if err != nil || len(out.Hits) != min(10, out.Total) {
		t.Fatalf("%q: %+v, %v", query, out, err)
	}
	return out.Total
}

var errAway = errors.New("the database is away")

// keptIn is a file for an index, in a folder of the test.
func keptIn(t *testing.T) string { return filepath.Join(t.TempDir(), "search.idx") }

func name(i int) string { return fmt.Sprintf("d%04d", i) }
