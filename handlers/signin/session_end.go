package signin

import (
	"net/http"

	"crewlet/engine/access"
	"crewlet/engine/identity"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
)

const signInPath = "/sign-in"

// SignOut ends the session of this browser. Whoever has none is as they want
// to be. The button stands on every page, so its form carries no key.
func (h *Handlers) SignOut(w http.ResponseWriter, r *http.Request) error {
	if web.ViewerOf(r).By.Kind != access.Nobody {
		call := web.Call(r)
		call.Key = tool.NewKey()
		if _, err := tool.Do(r.Context(), h.Run, h.Identity.SignOut, call, identity.SignOut{}); err != nil {
			return err
		}
	}
	return forget(w, r)
}

// EndSignIn ends one of the viewer's sessions, perhaps this one.
func (h *Handlers) EndSignIn(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[identity.EndSignIn](r)
	if err != nil {
		return err
	}
	in.Session = r.PathValue("session")
	out, err := tool.Do(r.Context(), h.Run, h.Identity.EndSignIn, call, in)
	if err != nil {
		return err
	}
	if out.Session == web.ViewerOf(r).Session {
		return forget(w, r)
	}
	return web.SeeLanded(w, r, "/account/sign-ins", call.Key)
}

// forget takes the cookie away.
func forget(w http.ResponseWriter, r *http.Request) error {
	if err := web.SignIn(w, r, ""); err != nil {
		return err
	}
	return web.See(w, r, signInPath)
}
