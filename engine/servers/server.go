package servers

import (
	"strings"
	"time"

	"crewlet/config/document"
)

// Server is one row of the servers' list: what is declared, and how it stands.
// It never holds an environment or headers.
type Server struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	State      State    `json:"state"`
	Phase      string   `json:"phase,omitempty"`  // of a start under way
	Reason     string   `json:"reason,omitempty"` // why it does not run, in one sentence or two
	Configured bool     `json:"configured"`       // false: declared no more, and still running somewhere
	Shared     bool     `json:"shared"`
	Transport  string   `json:"transport"`
	Command    string   `json:"command,omitempty"`
	Args       []string `json:"args,omitempty"`
	URL        string   `json:"url,omitempty"`
	Started    int      `json:"started"` // instances that are up
	Failed     int      `json:"failed"`
	Waiting    int      `json:"waiting"`
	Tools      int      `json:"tools"` // listed, offered or not
	// Utilities are the tools beside those that stand for its resources and prompts.
	Utilities int `json:"utility_tools"`
	// UnlistedAnnotations are keys of tool_annotations that name no listed tool.
	UnlistedAnnotations []string   `json:"unlisted_annotations"`
	NoMatch             []string   `json:"unmatched_includes"`  // include entries that name nothing it lists
	Uncovered           []string   `json:"uncovered"`           // tools that neither its include nor its exclude list names
	ContextTokens       int        `json:"context_tokens"`      // what its offered tools cost a model, about: bytes by four
	Nothing             string     `json:"nothing,omitempty"`   // why none of its own tools is offered, once it was listed
	ListedAt            *time.Time `json:"listed_at,omitempty"` // UTC; of the catalogue
	LeftOut             []string   `json:"left_out,omitempty"`  // what the listing had beyond what is kept
	Nodes               []Cell     `json:"nodes"`
}

// Cell is a server on one node.
type Cell struct {
	Node       string     `json:"node"`
	Reported   bool       `json:"reported"` // the node lives
	Started    int        `json:"started"`
	Failed     int        `json:"failed"`
	Waiting    int        `json:"waiting"`
	Phase      string     `json:"phase,omitempty"`
	Error      string     `json:"error,omitempty"`
	ErrorSeat  string     `json:"error_seat,omitempty"`
	RetryAt    *time.Time `json:"retry_at,omitempty"` // UTC
	StderrTail []string   `json:"stderr_tail,omitempty"`
}

// servers lists what is declared, in the document's order, then what is
// declared no more and still runs somewhere.
func (f *facts) servers() []Server {
	list := []Server{}
	for i := range f.doc.MCPServers {
		list = append(list, f.declaredServer(&f.doc.MCPServers[i]))
	}
	known := map[string]bool{}
	for _, id := range f.ids {
		known[id] = true
	}
	live := f.live()
	for _, st := range f.states {
		if _, here := live[st.Node]; !here || known[st.Server] {
			continue
		}
		known[st.Server] = true
		list = append(list, f.retiredServer(st))
	}
	return list
}

func (f *facts) declaredServer(entry *document.Server) Server {
	id := f.ids[entry.Name]
	out := Server{
		ID: id, Name: entry.Name, Configured: true, Shared: entry.Shared, Transport: entry.Transport(),
		Command: entry.Command, Args: entry.Args, URL: entry.URL,
	}
	n := f.stand(&out)
	out.State = stateOf(entry.Enabled, len(f.live()), n)
	out.UnlistedAnnotations = f.unlisted(entry, id)
	out.NoMatch, out.Uncovered = f.uncovered(entry, id)
	out.ContextTokens, out.Nothing = f.cost(entry, id), f.nothing(entry, id)
	f.catalogued(&out)
	out.Utilities = f.utilities(entry, id)
	if out.Reason == "" {
		out.Reason = f.why(entry, out)
	}
	if out.State == Disabled {
		out.Phase, out.Reason = "", "It is switched off in the configuration (enabled: false)."
	}
	return out
}

// retiredServer is one that is declared no more.
func (f *facts) retiredServer(st stateFact) Server {
	out := Server{
		ID: st.Server, Name: st.Name, Shared: st.Seat == "", Transport: st.Transport,
		UnlistedAnnotations: []string{}, NoMatch: []string{}, Uncovered: []string{},
	}
	n := f.stand(&out)
	out.State = stateOf(true, len(f.live()), n)
	f.catalogued(&out)
	if out.Reason == "" {
		out.Reason = "It is no longer configured and is being stopped."
	}
	return out
}

// stand fills in one cell for each node, and sums up those that live.
func (f *facts) stand(out *Server) counted {
	out.Nodes = []Cell{}
	var all counted
	for _, node := range f.nodes {
		cell := Cell{Node: node.Name, Reported: node.Live}
		if node.Live {
			n := f.cell(out, node, &cell)
			all.up, all.failed, all.starting = all.up+n.up, all.failed+n.failed, all.starting+n.starting
			all.waiting += n.waiting
			if cell.Error != "" && out.Reason == "" {
				out.Reason = cell.Error
			}
			if cell.Phase != "" && out.Phase == "" {
				out.Phase = cell.Phase
			}
		}
		out.Nodes = append(out.Nodes, cell)
	}
	out.Started, out.Failed, out.Waiting = all.up, all.failed, all.waiting
	return all
}

func (f *facts) cell(out *Server, node Node, cell *Cell) counted {
	var n counted
	for _, st := range f.states {
		if st.Server != out.ID || st.Node != node.ID {
			continue
		}
		h := healthOf(st.State, st.Error)
		n.add(h)
		if h == asStarting && cell.Phase == "" {
			cell.Phase = phaseOf(st)
		}
		if h == asFailed && cell.Error == "" {
			cell.Error, cell.ErrorSeat, cell.RetryAt = st.Error, st.Seat, st.RetryAt
			cell.StderrTail = lines(st.StderrTail)
		}
	}
	cell.Started, cell.Failed, cell.Waiting = n.up, n.failed, n.waiting
	return n
}

func phaseOf(st stateFact) string {
	if st.Phase != "" {
		return st.Phase
	}
	return st.State
}

// why says what keeps a server that has not failed from running.
func (f *facts) why(entry *document.Server, out Server) string {
	switch {
	case out.State == NotReported:
		return "No node has been heard of for 45 seconds, so nobody knows how it stands."
	case out.State != NotStarted || out.Phase != "":
		return ""
	default:
		if says := unstarted(entry); says != "" {
			return says
		}
		if entry.Lazy() && out.ListedAt != nil {
			return "It starts on the first call, and rests between calls."
		}
		return "The nodes have not started it yet."
	}
}

func (f *facts) catalogued(out *Server) {
	for _, c := range f.catalogues {
		if c.Server != out.ID {
			continue
		}
		out.Tools += c.Tools
		at := c.ListedAt
		out.ListedAt = &at
		if c.Dropped > 0 || c.Duplicates > 0 || c.Oversize > 0 {
			out.LeftOut = append(out.LeftOut, leftOut(c))
		}
		if c.Stuck {
			out.LeftOut = append(out.LeftOut, endless(c.Loop))
		}
	}
}

// endless says why a listing was ended.
func endless(loop string) string {
	if loop == "" { // it was filed before it was told
		loop = "The server gave one page of its listing twice."
	}
	return loop + " What comes after it is not known."
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
