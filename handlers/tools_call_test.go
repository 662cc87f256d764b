package handlers

import (
	"encoding/json"
	"net/http"
	"net/url"

	"crewlet/engine/access"
	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/handlers/live"
	"crewlet/handlers/node"
	"crewlet/handlers/signin/signintest"
)

// call sends it through its door.
func (w *world) call(r row, a asking, key string) outcome {
	w.t.Helper()
	switch r.door {
	case page:
		return w.byPage(a, key)
	case api:
		return w.byAPI(a, key)
	case act:
		return w.byAct(r, a, key)
	case assistant:
		return w.byAssistant(r, a, key)
	default:
		return w.byRunner(r, a, key)
	}
}

func (w *world) byRunner(r row, a asking, key string) outcome {
	w.t.Helper()
	c := enginetest.By("terminal")
	c.Door, c.Key = r.door, key
	switch {
	case a.by != nil:
		c.By, c.Door = *a.by, page
	case a.nobody:
		c.By = access.Principal{}
	case a.bare:
		c.By.Grants = access.None
	case r.door == system:
		c.By = access.System()
	}
	out, err := w.tool(r.tool).Do(w.t.Context(), w.Run, c, json.RawMessage(a.body))
	if no := refusal.Of(err); no != nil {
		return outcome{status: no.Status(), class: string(no.Class), body: no.Says}
	}
	return outcome{status: http.StatusOK, body: string(out)}
}

func (w *world) byAPI(a asking, key string) outcome {
	w.t.Helper()
	headers := as(w.token.Value)
	if a.bare {
		headers = as(w.weak.Value)
	}
	if a.method != http.MethodGet {
		headers = append(headers, "Idempotency-Key", key, "X-Summary", "x")
	}
	for name, value := range a.headers {
		headers = append(headers, name, value)
	}
	w.took(a)
	got := w.ask(w.t, a.method, a.path, text(a.body), headers...)
	o := outcome{status: got.status, body: got.text}
	if got.status >= 400 {
		o.class, _ = got.envelope(w.t)["error"].(string)
	}
	return o
}

func (w *world) byPage(a asking, key string) outcome {
	w.t.Helper()
	browser := or(a.browser, w.browser)
	if a.nobody || browser == nil {
		browser = signintest.NewBrowser(w.t, w.url)
	}
	browser = browser.In(w.t)
	if a.bare {
		w.regrant("{}")
		defer w.regrant("{all}")
	}
	w.took(a)
	if a.method == http.MethodGet {
		p := browser.Get(a.path)
		return outcome{status: p.Status}
	}
	fields, err := url.ParseQuery(a.body)
	w.must(err)
	fields.Set("_key", key)
	var headers []string
	for name, value := range a.headers {
		headers = append(headers, name, value)
	}
	p := browser.Post(a.path, "application/x-www-form-urlencoded", fields.Encode(), headers...)
	return outcome{status: p.Status, body: p.Header.Get("Location")}
}

// took notes which address of the route table was gone to.
func (w *world) took(a asking) {
	w.t.Helper()
	mux := http.NewServeMux()
	for _, route := range Routes(w.Engine, &node.Handlers{}, &live.Handlers{}, nil) {
		mux.HandleFunc(route.Pattern, http.NotFound)
	}
	r, err := http.NewRequestWithContext(w.t.Context(), a.method, w.url+a.path, nil)
	w.must(err)
	_, pattern := mux.Handler(r)
	w.made["route "+pattern] = "taken"
}
