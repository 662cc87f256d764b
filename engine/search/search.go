// Package search is the keyword index: BM25 over all documents, in the memory
// of this node, built from the tables and kept by the change log. It knows
// nothing of what the documents are. Whoever owns some hands in a Source.
//
//	x := search.New(search.Options{
//		Sources: []search.Source{tracker.Documents(), knowledge.Documents()},
//		After:   func(ctx context.Context, p int64, n int) ([]changes.Change, error) { return changes.After(ctx, d, p, n) },
//		Head:    func(ctx context.Context) (int64, error) { return changes.Head(ctx, d) },
//		File:    filepath.Join(data, "search.idx"), Log: log,
//	})
//	feed.Subscribe(x.Hear) // before Start, or rows are missed
//	x.Start(ctx)           // at once; it reads its file or the tables behind
//	defer x.Close(ctx)
//
//	q := search.Parse(text, typing)
//	found, err := x.Search(ctx, q, search.Filter{Containers: readable, Kinds: []string{"item"}}, 20, minPosition)
//	// One query for the rows of found.Hits, in which what may not be read is
//	// missing; then q.Snippet(row.Body, 200) for each.
//
// The index holds no text, so a snippet is cut from the row as it is now. A
// document of 70 words takes about 0.3 KB, twice that while the segment it is
// in is merged, and each search at once 9 bytes for each document of the
// largest segment.
package search

import (
	"context"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"

	"crewlet/engine/changes"
)

// Doc is one document as it is now.
type Doc struct {
	ID          string   // over all sources
	Keys        []string // ENG-412 and what it was called before; the first is also a word of the title
	Title, Text string   // plain
	Kind        string   // for Filter, as are
	Container   string
	Status      string
	Updated     int64 // of two that are as good, the greater comes first
	Gone        bool  // not to be found: removed, or a draft
}

// Source is where documents come from, and how they are kept.
type Source struct {
	// Stamp is another when the same rows make other documents than before: a
	// file written under another is not read.
	Stamp string
	// All is a page of everything, by id, after one; none is the end.
	All func(ctx context.Context, after string, limit int) ([]Doc, error)
	// Some are these documents as they are now; what is missing is gone.
	Some func(ctx context.Context, ids []string) ([]Doc, error)
	// Moved are the ids a row of the log touches. It runs on the feed's own
	// goroutine, so it reads nothing but the row.
	Moved func(changes.Change) []string
}

// Options is what an index is handed.
type Options struct {
	Sources []Source
	After   func(ctx context.Context, position int64, limit int) ([]changes.Change, error) // of the log
	Head    func(ctx context.Context) (int64, error)
	File    string // kept here between starts; "" for not at all
	Log     *slog.Logger
}

// Filter says what is looked through. Nil is everything, empty is nothing.
type Filter struct{ Containers, Statuses, Kinds []string }

// Hit is one document found.
type Hit struct {
	ID    string
	Score float64 // BM25
	First bool    // it has the key or a phrase that was asked for, and so stands before those without
}

// Result is what a search found.
type Result struct {
	Hits   []Hit
	Total  int   // all there are
	AsOf   int64 // position of the log
	Behind bool  // the position asked for was not reached, or the index is still being built
}

// Index is the index of one node. Searches never wait for writes.
type Index struct {
	o    Options
	now  atomic.Pointer[shelves]
	work chan *scratch // one for each search that may run at once

	mu      sync.Mutex
	pending []map[string]bool // ids to read anew, by source
	heard   int64             // the log's position they were heard at
	mark    string            // of the row there

	wake    chan struct{}
	merged  chan merging
	merging bool // one is on its way
	kept    chan *shelves
	saving  bool
	saved   *shelves // what is in the file
	stop    context.CancelFunc
	running sync.WaitGroup
}

// New makes an empty index; see Start.
func New(o Options) *Index {
	x := &Index{
		o: o, work: make(chan *scratch, runtime.GOMAXPROCS(0)),
		wake: make(chan struct{}, 1), merged: make(chan merging, 1), kept: make(chan *shelves, 1),
	}
	for range cap(x.work) {
		x.work <- &scratch{}
	}
	x.pending = make([]map[string]bool, len(o.Sources))
	for i := range x.pending {
		x.pending[i] = map[string]bool{}
	}
	x.now.Store(&shelves{next: make(chan struct{})})
	return x
}

// Start reads the index from its file, or builds it, and keeps it until Close.
// All of that happens behind: until it is built, searches answer with what is
// there and say that it is behind.
func (x *Index) Start(ctx context.Context) {
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	x.stop = stop
	x.running.Go(func() { x.follow(running) })
}

// Close ends what Start began, and writes the file.
func (x *Index) Close(ctx context.Context) {
	if x.stop == nil {
		return
	}
	x.stop()
	x.running.Wait()
	x.saved = x.keep(ctx, x.now.Load(), x.saved)
}

// Size is how many documents there are, and about how many bytes they take.
func (x *Index) Size() (documents, bytes int) {
	now := x.now.Load()
	for _, s := range now.all {
		bytes += s.size()
	}
	return now.living, bytes
}
