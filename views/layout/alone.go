package layout

// Alone is a page outside the dashboard: signing in, setting up.
type Alone struct {
	Title string
	Lede  string // one sentence under the title, or ""
	// Landed is as in Shell.
	Landed string
}

// Lost is what a page says that could not be shown.
type Lost struct {
	Path      string // what was asked for; shown as text
	RequestID string // how the log names this request; "" leaves it out
	SignedIn  bool   // whether the dashboard is worth offering
}
