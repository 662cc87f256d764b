package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// rebuilt is the index as it would be were it built now, in one piece.
func (c *company) rebuilt() *shelves {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := newBuilder()
	for _, d := range c.docs {
		if !d.Gone {
			b.add(d)
		}
	}
	s := shelved(b.freeze())
	return &shelves{all: []shelf{s}, living: s.living(), title: s.title, text: s.text}
}

// whole is the index in one piece, as merging makes it.
func (x *Index) whole() *shelves {
	into, _ := merge(x.now.Load().all)
	s := shelved(into)
	return &shelves{all: []shelf{s}, living: s.living(), title: s.title, text: s.text}
}

var few = []string{"log", "logs", "logging", "button", "user_name", "page", "pages", "disk", "déjà", "黒猫が", "HTTPServer", "organize", "organized", "in", "the", "C++", "utf-8"}

func anyDoc(r *rand.Rand) Doc {
	text := func(n int) string {
		out := ""
		for range r.IntN(n) {
			out += few[r.IntN(len(few))] + " "
		}
		return out
	}
	i := r.IntN(300)
	return Doc{
		ID: name(i), Keys: []string{fmt.Sprintf("ENG-%d", i), fmt.Sprintf("OLD-%d", r.IntN(50))}, Title: text(5), Text: text(40),
		Kind: "item", Container: []string{"ENG", "OPS"}[r.IntN(2)], Status: []string{"open", "done"}[r.IntN(2)],
		Updated: int64(r.IntN(5)), Gone: r.IntN(10) == 0,
	}
}

var questions = []string{
	"log", "log button", `"log in"`, "page -disk", "organiz*", "ENG-4", "ENG-1*", "OLD-7", "user_name", "deja", "猫", "黒猫", "the in",
	`the "in the" c++ utf-8`, `logs -"log page"`, "server http disk button page in", "zebra",
}

// Whatever is written, changed and erased, and however it was cut and merged
// meanwhile, an index finds what one built anew finds.
func TestAnIndexIsAsIfItWereBuiltAnew(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 9))
		c := newCompany()
		x := c.index(t, "")
		last := int64(0)
		for round := range 6 {
			for range 150 {
				if d := anyDoc(r); r.IntN(4) == 0 {
					last = c.erase(d.ID)
				} else {
					last = c.write(d)
				}
			}
			x.await(t, last)
			same(t, fmt.Sprintf("seed %d, round %d", seed, round), x, c.rebuilt())
		}
		if n := len(x.now.Load().all); n > 6*factor {
			t.Errorf("%d segments were never merged", n)
		}
	}
}

func same(t *testing.T, when string, x *Index, anew *shelves) {
	t.Helper()
	whole, now := x.whole(), x.now.Load()
	for _, question := range questions {
		for _, f := range []Filter{{}, {Containers: []string{"ENG"}, Statuses: []string{"open"}}} {
			q, work := Parse(question, false), &scratch{}
			want, total := anew.find(q, f, 1000, work)
			if got, n := whole.find(q, f, 1000, work); n != total || !slices.Equal(got, want) {
				t.Fatalf("%s: %q finds in one piece %d %v\nbuilt anew %d %v", when, question, n, got, total, want)
			}
			if few, n := whole.find(q, f, 3, work); n != total || !slices.Equal(few, want[:min(3, len(want))]) {
				t.Fatalf("%s: %q finds first, of %d, %v\namong all %d %v", when, question, n, few, total, want)
			}
			got, n := now.find(q, f, 1000, work)
			if n != total || !slices.Equal(ids(got), ids(want)) {
				t.Fatalf("%s: %q finds %d %v\nbuilt anew %d %v", when, question, n, ids(got), total, ids(want))
			}
		}
	}
}

// ids are in order of id: what is gone and not yet merged away still counts
// for how rare a word is, so that scores may differ a little.
func ids(hits []Hit) []string {
	var out []string
	for _, hit := range hits {
		out = append(out, hit.ID)
	}
	slices.Sort(out)
	return out
}

func TestSearchWaitsForThePositionAskedFor(t *testing.T) {
	c := work()
	x := c.index(t, "")
	position := c.write(Doc{ID: "z", Title: "Zebra"})
	out, err := x.Search(t.Context(), Parse("zebra", false), Filter{}, 10, position)
	if err != nil || out.Behind || out.AsOf < position || out.Total != 1 {
		t.Errorf("after the write: %+v, %v", out, err)
	}
	out, err = x.Search(t.Context(), Parse("zebra", false), Filter{}, 10, position+1)
	if err != nil || !out.Behind || out.Total != 1 {
		t.Errorf("before the next: %+v, %v", out, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err = x.Search(ended, Parse("zebra", false), Filter{}, 10, position+1); err == nil {
		t.Error("a search outlasts its context")
	}
	position = c.erase("z")
	if out, err = x.Search(t.Context(), Parse("zebra", false), Filter{}, 10, position); err != nil || out.Behind || out.Total != 0 {
		t.Errorf("after the removal: %+v, %v", out, err)
	}
}

func TestRowsThatTouchNothingMoveThePosition(t *testing.T) {
	c := work()
	x := c.index(t, "")
	x.await(t, c.write(Doc{}))
}

func TestADatabaseThatIsAwayIsWaitedFor(t *testing.T) {
	c := work()
	x := c.index(t, "")
	c.mu.Lock()
	c.away = errAway
	c.mu.Unlock()
	position := c.write(Doc{ID: "z", Title: "Zebra"})
	if out, err := x.Search(t.Context(), Parse("button", false), Filter{}, 10, position); err != nil || !out.Behind || out.Total != 2 {
		t.Errorf("while it is away: %+v, %v", out, err)
	}
	c.mu.Lock()
	c.away = nil
	c.mu.Unlock()
	x.await(t, position)
	if got := found(t, x, "zebra", Filter{}); !slices.Equal(got, []string{"z"}) {
		t.Error(got)
	}
}

func TestWhatChangesWhileItIsBuiltIsNotLost(t *testing.T) {
	c := work()
	x := New(c.options(""))
	c.hears = x.Hear
	write := c.options("").Sources[0].All
	x.o.Sources[0].All = func(ctx context.Context, after string, limit int) ([]Doc, error) {
		docs, err := write(ctx, after, limit)
		if after == "" { // read, and changed before it is in the index
			c.write(Doc{ID: "a", Title: "Zebra"})
			c.erase("d")
		}
		return docs, err
	}
	if out, err := x.Search(t.Context(), Parse("button", false), Filter{}, 10, 0); err != nil || !out.Behind {
		t.Errorf("before it is built: %+v, %v", out, err)
	}
	x.Start(t.Context())
	t.Cleanup(func() { x.Close(context.WithoutCancel(t.Context())) })
	x.await(t, 8) // six documents, and the two changes
	if got := append(found(t, x, "zebra", Filter{}), found(t, x, "button", Filter{})...); !slices.Equal(got, []string{"a"}) {
		t.Errorf("found %v", got)
	}
}

func TestReadersAndWritersDoNotWaitForEachOther(t *testing.T) {
	c := newCompany()
	x := c.index(t, "")
	done := make(chan struct{})
	go func() {
		defer close(done)
		r := rand.New(rand.NewPCG(5, 5))
		for range 2000 {
			c.write(anyDoc(r))
		}
	}()
	for {
		for _, question := range questions {
			out, err := x.Search(t.Context(), Parse(question, true), Filter{}, 10, 0)
			if err != nil || out.Total < len(out.Hits) {
				t.Fatalf("%q: %+v, %v", question, out, err)
			}
		}
		select {
		case <-done:
			x.await(t, 2000)
			same(t, "at the end", x, c.rebuilt())
			return
		default:
		}
	}
}
