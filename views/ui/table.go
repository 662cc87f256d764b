package ui

// Column is one heading of a Table.
type Column struct {
	Label  string
	Number bool // figures: aligned at their end
	Hidden bool // the heading is for screen readers alone, as over a row's buttons
}

// TableView is a table; its children are the rows, <tr> with <td>. On a phone it
// scrolls within itself, never the page; Stack draws each row as a small card
// there instead, each <td> under its data-label.
type TableView struct {
	Caption string // read by screen readers; it says what the rows are
	Columns []Column
	Stack   bool
}

// Fact is one pair of a Facts list.
type Fact struct {
	Label string
	Text  string
	Mono  bool
}

// PagerView leads to the next page of a list that is read by cursor.
type PagerView struct {
	Shown string // such as "50 shown"
	First string // address of the first page; "" on it
	Next  string // address of the next page; "" at the end
}

// FiltersView is a form that narrows a list: GET, so the address says it all.
type FiltersView struct {
	Action string
	Label  string // what it filters, for screen readers: "Filter the audit trail"
	Clear  string // address without filters; "" when none is set
}
