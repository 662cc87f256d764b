package web

import "net/http"

// Origin is where the caller reaches this dashboard, such as
// https://crew.example, for addresses that are copied out of a page.
func Origin(r *http.Request) string {
	if visitOf(r).door.Secure {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
