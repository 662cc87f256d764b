package servers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"crewlet/config/document"
	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
	"crewlet/handlers/web"

	view "crewlet/views/servers"
)

// free is the name, or the first like it that is not taken.
func free(name string, taken map[string]bool) string {
	next := name
	for n := 2; taken[next]; n++ {
		next = name + "_" + strconv.Itoa(n)
	}
	return next
}

// store seals the values that came along with a pasted server, once it is sure
// that the server itself will be taken, and answers the entry that refers to
// them. What is refused then is refused again by the write itself, and told
// there.
func (h *Handlers) store(r *http.Request, call *tool.Call, put company.PutServer, came entry) (json.RawMessage, error) {
	if len(came.Secrets) == 0 {
		return put.Entry, nil
	}
	put.DryRun = true
	if _, err := tool.Do(r.Context(), h.Run, h.Company.PutServer, another(call, tool.NewKey()), put); refusal.Of(err) != nil {
		return put.Entry, nil
	}
	return h.kept(r, call, put.Entry, came)
}

// kept seals the values an entry refers to, and answers the entry with the
// names they got. The same form sent again finds the same names.
func (h *Handlers) kept(r *http.Request, call *tool.Call, declared json.RawMessage, came entry) (json.RawMessage, error) {
	entry := string(declared)
	for _, s := range came.Secrets {
		if s.Value == "" || !strings.Contains(entry, "${"+s.Name+"}") {
			continue
		}
		name, err := h.keep(r, call, s)
		if err != nil {
			return nil, err
		}
		entry = strings.ReplaceAll(entry, "${"+s.Name+"}", "${"+name+"}")
	}
	return json.RawMessage(entry), nil
}

// likeIt is how many names are tried for one value.
const likeIt = 50

// keep stores a value under its name, or the first like it that nobody has: a
// list of names would be old by now, and not everybody may read one. Each name
// has a key, so that the same form sent again finds the same one.
func (h *Handlers) keep(r *http.Request, call *tool.Call, s carried) (string, error) {
	taken := map[string]bool{}
	for {
		name := free(s.Name, taken)
		key, err := sibling(s.Key, len(taken))
		if err != nil {
			return "", err
		}
		_, err = tool.Do(r.Context(), h.Run, h.Secrets.Set, another(call, key), secrets.SetSecret{Name: name, Value: s.Value, New: true})
		if !refusal.Is(err, refusal.Exists) || len(taken) == likeIt {
			return name, err
		}
		taken[name] = true
	}
}

// sibling is the n-th key made of one: the same each time, and the key itself
// for none.
func sibling(key string, n int) (string, error) {
	id, err := uuid.Parse(key)
	if err != nil {
		return "", fmt.Errorf("read the key of a value: %w", err)
	}
	id[len(id)-1] ^= byte(n)
	return id.String(), nil
}

// another is another call of the same caller.
func another(call *tool.Call, key string) *tool.Call {
	return &tool.Call{By: call.By, Key: key, Door: call.Door, RequestID: call.RequestID}
}

// lacking is a name without a value, to be stored in place. One of the node's
// own names can never be stored.
func lacking(name, says string) view.Need {
	if document.Reserved(name) {
		return view.Need{Name: name, Says: "never resolves: names that begin CREWLET_ or PG are the node's own. Write another."}
	}
	return view.Need{Name: name, Says: says, Make: true}
}

// pasted puts a form in its place among what was pasted.
func (h *Handlers) pasted(r *http.Request, form *view.Form, p pile) error {
	if len(p.Entries) == 0 {
		return nil
	}
	text, err := web.Sealed(r, pileField, p)
	if err != nil {
		return err
	}
	e := p.first()
	form.Pasted = &view.Pasted{Sealed: text, At: p.At, Of: p.Of, Homeless: e.Homeless, Notes: e.Notes}
	said := map[string]bool{}
	for _, s := range e.Secrets {
		if said[s.Name] = true; s.Value != "" {
			form.Needs = append(form.Needs, view.Need{Name: s.Name, Says: "will be stored as soon as this is added; its value came with what you pasted."})
		} else {
			form.Needs = append(form.Needs, lacking(s.Name, "has no value yet."))
		}
	}
	return nil
}

// drawPasted draws the form of the first of what was pasted.
func (h *Handlers) drawPasted(w http.ResponseWriter, r *http.Request, p pile, landed, done string) error {
	form := formOf(p.first().Typed)
	form.Key, form.Landed, form.Done = tool.NewKey(), landed, done
	if err := h.pasted(r, &form, p); err != nil {
		return err
	}
	return h.drawNew(w, r, http.StatusOK, form)
}

func (h *Handlers) drawPaste(w http.ResponseWriter, r *http.Request, status int, page view.Paste) error {
	page.Shell = web.Shell(r, "Paste a configuration", "tools", 0)
	page.Shell.Crumbs = crumbs("")
	return web.Render(w, r, status, view.PastePage(page))
}
