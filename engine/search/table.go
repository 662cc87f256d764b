package search

import (
	"container/heap"
	"sort"
)

// table is a list of strings in one piece of memory, so that a million of them
// are two things to the collector and not a million.
type table struct {
	blob []byte
	ends []uint32
}

func (t *table) len() int { return len(t.ends) }

func (t *table) at(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = t.ends[i-1]
	}
	return t.blob[from:t.ends[i]]
}

func (t *table) add(s []byte) {
	t.blob = append(t.blob, s...)
	t.ends = append(t.ends, uint32(len(t.blob)))
}

// seek is the first place that is not before s, in a table that is sorted.
func (t *table) seek(s string) int {
	return sort.Search(t.len(), func(i int) bool { return string(t.at(i)) >= s })
}

// find is where s is, or -1.
func (t *table) find(s string) int {
	if i := t.seek(s); i < t.len() && string(t.at(i)) == s {
		return i
	}
	return -1
}

// span is where the strings that begin with prefix are: from, and behind.
func (t *table) span(prefix string) (from, behind int) {
	from = t.seek(prefix)
	n := sort.Search(t.len()-from, func(i int) bool {
		s := t.at(from + i)
		return len(s) < len(prefix) || string(s[:len(prefix)]) != prefix
	})
	return from, from + n
}

// cursor walks one of several sorted tables that are read as one.
type cursor struct {
	table *table
	of    int // which of them
	at    int
}

// cursors are a heap by string, then by table.
type cursors []*cursor

func (c cursors) Len() int { return len(c) }
func (c cursors) Less(i, j int) bool {
	a, b := c[i].table.at(c[i].at), c[j].table.at(c[j].at)
	if string(a) != string(b) {
		return string(a) < string(b)
	}
	return c[i].of < c[j].of
}
func (c cursors) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c *cursors) Push(x any)   { *c = append(*c, x.(*cursor)) }
func (c *cursors) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

// together hands out the strings of sorted tables in order, each with every
// place it has: the number of the table, and where in it.
func together(tables []*table, each func(s []byte, places []place)) {
	var all cursors
	for i, t := range tables {
		if t.len() > 0 {
			all = append(all, &cursor{table: t, of: i})
		}
	}
	heap.Init(&all)
	var places []place
	for len(all) > 0 {
		s := all[0].table.at(all[0].at)
		places = places[:0]
		for len(all) > 0 && string(all[0].table.at(all[0].at)) == string(s) {
			c := all[0]
			places = append(places, place{c.of, c.at})
			if c.at++; c.at < c.table.len() {
				heap.Fix(&all, 0)
			} else {
				heap.Pop(&all)
			}
		}
		each(s, places)
	}
}

// place is where a string is, among several tables.
type place struct{ table, at int }
