package signin

import (
	"net/http"
	"strings"
	"time"

	"crewlet/engine/identity"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	view "crewlet/views/signin"
)

// SignIns lists the viewer's own sessions.
func (h *Handlers) SignIns(w http.ResponseWriter, r *http.Request) error {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Identity.ListSignIns, call, identity.ListSignIns{})
	if err != nil {
		return err
	}
	if web.WantsJSON(r) {
		return web.Answer(w, r, http.StatusOK, out)
	}
	list := signIns(out, call)
	if web.Partial(r) {
		return web.Render(w, r, http.StatusOK, view.SignInList(list))
	}
	shell := web.Shell(r, "Your sign-ins", "sign-ins", call.Landed.Position)
	if shell.Landed != "" {
		shell.Done = "That sign-in is ended."
	}
	return web.Render(w, r, http.StatusOK, view.SignInsPage(view.SignIns{Shell: shell, List: list}))
}

func signIns(out identity.SignIns, c *tool.Call) view.List {
	list := view.List{Now: c.Now, AsOf: c.Landed.Position}
	for _, s := range out.SignIns {
		seen := s.Seen
		if s.Here {
			seen = c.Now // what is written may be a minute old
		}
		list.Rows = append(list.Rows, row(s, seen))
	}
	return list
}

func row(s identity.BrowserSession, seen time.Time) view.Row {
	return view.Row{
		ID: s.ID, Browser: named(s.Agent), Agent: s.Agent, Source: s.Source,
		Created: s.Created, Seen: seen, Here: s.Here, Key: tool.NewKey(),
	}
}

// named reads what people call a browser out of what it calls itself. The
// order matters: most claim to be those before them too.
func named(agent string) string {
	browser := first(agent, "a browser", [][2]string{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"}, {"CriOS/", "Chrome"},
		{"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"},
	})
	system := first(agent, "", [][2]string{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"},
		{"CrOS", "ChromeOS"}, {"Linux", "Linux"},
	})
	if system == "" {
		return browser
	}
	return browser + " on " + system
}

func first(agent, otherwise string, marks [][2]string) string {
	for _, m := range marks {
		if strings.Contains(agent, m[0]) {
			return m[1]
		}
	}
	return otherwise
}
