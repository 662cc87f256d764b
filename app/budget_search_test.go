//go:build bench

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"crewlet/engine/changes"
	"crewlet/engine/search"
)

// pile is a million documents nobody wrote: titles of 8 words and texts of 60,
// of 200,000 words that are as unevenly common as those of a language. Each
// document is made of its number, so none is kept.
type pile struct {
	words  []string
	making time.Duration // time spent here, which is not the index's
}

const pileSize = 1_000_000

func newPile() *pile {
	p := &pile{}
	r := rand.New(rand.NewPCG(1, 1))
	seen := map[string]bool{}
	for len(p.words) < 200_000 {
		var w strings.Builder
		for range 1 + r.IntN(4) {
			w.WriteByte("bcdfghklmnprstvz"[r.IntN(16)])
			w.WriteByte("aeiou"[r.IntN(5)])
			if r.IntN(3) == 0 {
				w.WriteByte("lmnrst"[r.IntN(6)])
			}
		}
		if !seen[w.String()] {
			seen[w.String()] = true
			p.words = append(p.words, w.String())
		}
	}
	return p
}

// some are words as texts have them: the commonest is in nearly every one.
func (p *pile) some(r *rand.Rand, n int) []string {
	common := rand.NewZipf(r, 1.05, 3, uint64(len(p.words)-1))
	out := make([]string, n)
	for i := range out {
		out[i] = p.words[common.Uint64()]
	}
	return out
}

func (p *pile) doc(i int) search.Doc {
	r := rand.New(rand.NewPCG(uint64(i), 2))
	words := p.some(r, 68)
	return search.Doc{
		ID:    fmt.Sprintf("01900000-0000-7000-8000-%012d", i),
		Keys:  []string{fmt.Sprintf("P%02d-%d", i%50, i/50)},
		Title: strings.Join(words[:8], " "), Text: strings.Join(words[8:], " "),
		Kind: "item", Container: fmt.Sprintf("P%02d", i%50), Status: fmt.Sprintf("s%d", i%5), Updated: int64(i),
	}
}

func (p *pile) source() search.Source {
	return search.Source{
		All: func(_ context.Context, after string, limit int) ([]search.Doc, error) {
			begin := time.Now()
			defer func() { p.making += time.Since(begin) }()
			next := 0
			if after != "" {
				if _, err := fmt.Sscanf(after[24:], "%d", &next); err != nil {
					return nil, err
				}
				next++
			}
			var docs []search.Doc
			for i := next; i < min(next+limit, pileSize); i++ {
				docs = append(docs, p.doc(i))
			}
			return docs, nil
		},
		Some:  func(_ context.Context, ids []string) ([]search.Doc, error) { return nil, nil },
		Moved: func(changes.Change) []string { return nil },
	}
}

// searchIndex builds the index over a million documents, writes it and reads
// it back, and asks it.
func searchIndex(t *testing.T) []budget {
	p := newPile()
	o := search.Options{
		Sources: []search.Source{p.source()}, File: filepath.Join(t.TempDir(), "search.idx"), Log: slog.New(slog.DiscardHandler),
		After: func(_ context.Context, position int64, _ int) ([]changes.Change, error) {
			if position > 0 {
				return nil, nil
			}
			return []changes.Change{{Position: 1}}, nil
		},
		Head: func(context.Context) (int64, error) { return 1, nil },
	}
	empty := heap()
	begin := time.Now()
	x := search.New(o)
	x.Start(t.Context())
	settle(t, x)
	took := time.Since(begin) - p.making
	x.Close(t.Context())
	begin = time.Now()
	x = search.New(o)
	x.Start(t.Context())
	defer x.Close(t.Context())
	settle(t, x)
	read := time.Since(begin)
	what := "search among 1,000,000 documents of 68 words: "
	rows := p.ask(t, x, what)
	rows = append(rows, budget{
		what + "memory, time to build without the database's, time to read back", "stated",
		fmt.Sprintf("%d MB, %.0f s, %.1f s", (restingHeap()-empty)>>20, took.Seconds(), read.Seconds()), true,
	})
	return append(rows, relevance(t)...)
}

// settle waits until an index is whole.
func settle(t *testing.T, x *search.Index) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Minute); ; <-time.After(20 * time.Millisecond) {
		found, err := x.Search(t.Context(), search.Query{}, search.Filter{}, 1, 0)
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("the index is not built: %v", err)
		}
		if !found.Behind {
			return
		}
	}
}

// restingHeap waits until the heap moves no more, since an index merges its
// parts behind, and takes twice the memory meanwhile.
func restingHeap() int64 {
	for before := heap(); ; {
		<-time.After(5 * time.Second)
		now := heap()
		if before-now < 1<<20 && now-before < 1<<20 {
			return now
		}
		before = now
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// ask asks what people ask, of one to four words as they are in the texts, the
// commonest too.
func (p *pile) ask(t *testing.T, x *search.Index, what string) []budget {
	t.Helper()
	filter := search.Filter{Containers: []string{"P07", "P11", "P13"}, Statuses: []string{"s1", "s2"}}
	var rows []budget
	for _, kind := range []struct {
		name   string
		filter search.Filter
		query  func(r *rand.Rand) search.Query
	}{
		{"1 to 4 words", search.Filter{}, func(r *rand.Rand) search.Query { return search.Parse(strings.Join(p.some(r, 1+r.IntN(4)), " "), false) }},
		{"the same with a filter", filter, func(r *rand.Rand) search.Query { return search.Parse(strings.Join(p.some(r, 1+r.IntN(4)), " "), false) }},
		{"as it is typed", search.Filter{}, func(r *rand.Rand) search.Query {
			text := strings.Join(p.some(r, 1+r.IntN(3)), " ")
			return search.Parse(text[:max(2, len(text)-r.IntN(4))], true)
		}},
		{"a phrase and a word", search.Filter{}, func(r *rand.Rand) search.Query {
			words := strings.Fields(p.doc(r.IntN(pileSize)).Text)
			return search.Parse(`"`+words[4]+" "+words[5]+`" `+words[9], false)
		}},
	} {
		r := rand.New(rand.NewPCG(3, 3))
		all := series{}
		for range 1000 {
			q := kind.query(r)
			begin := time.Now()
			if _, err := x.Search(t.Context(), q, kind.filter, 20, 0); err != nil {
				t.Fatal(err)
			}
			all.took = append(all.took, time.Since(begin))
		}
		slices.Sort(all.took)
		p99 := all.took[len(all.took)*99/100]
		rows = append(rows, budget{
			what + kind.name, "p99 < 20 ms", fmt.Sprintf("%s, half of them %s", tenths(p99), tenths(all.median())), p99 < 20*time.Millisecond,
		})
	}
	return rows
}

// relevance scores two public sets of questions with judged answers, where
// CREWLET_BENCH_RELEVANCE names the folder they are in.
func relevance(t *testing.T) []budget {
	t.Helper()
	dir := os.Getenv("CREWLET_BENCH_RELEVANCE")
	if dir == "" {
		return nil
	}
	var rows []budget
	for _, set := range []struct {
		file, name string
		least      float64
	}{{"cran.json", "Cranfield", .38}, {"cacm.json", "CACM", .47}} {
		gain := judged(t, filepath.Join(dir, set.file))
		rows = append(rows, budget{"relevance of search: nDCG@10 on " + set.name, fmt.Sprintf("≥ %.2f", set.least), fmt.Sprintf("%.3f", gain), gain >= set.least})
	}
	return rows
}

func judged(t *testing.T, path string) float64 {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var set struct {
		Docs    []struct{ ID, Title, Text string }
		Queries []struct{ ID, Text string }
		Qrels   map[string][]string
	}
	if err := json.Unmarshal(text, &set); err != nil {
		t.Fatal(err)
	}
	x := search.New(search.Options{
		Log:  slog.New(slog.DiscardHandler),
		Head: func(context.Context) (int64, error) { return 0, nil },
		Sources: []search.Source{{All: func(_ context.Context, after string, _ int) ([]search.Doc, error) {
			var docs []search.Doc
			for _, d := range set.Docs {
				docs = append(docs, search.Doc{ID: d.ID, Title: d.Title, Text: d.Text})
			}
			if after != "" {
				docs = nil
			}
			return docs, nil
		}}},
	})
	x.Start(t.Context())
	defer x.Close(t.Context())
	settle(t, x)
	sum, count := 0.0, 0
	for _, q := range set.Queries {
		wanted := set.Qrels[q.ID]
		if len(wanted) == 0 {
			continue
		}
		found, err := x.Search(t.Context(), search.Parse(q.Text, false), search.Filter{}, 10, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, best := 0.0, 0.0
		for i, hit := range found.Hits {
			if slices.Contains(wanted, hit.ID) {
				got += 1 / math.Log2(float64(i+2))
			}
		}
		for i := range min(10, len(wanted)) {
			best += 1 / math.Log2(float64(i+2))
		}
		sum, count = sum+got/best, count+1
	}
	return sum / float64(count)
}
