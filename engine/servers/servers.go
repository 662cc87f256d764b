// Package servers turns the company document and its secrets into running MCP
// servers on this node, tells everybody how they stand, and keeps the
// catalogue of the tools they list. What runs is the work of mcp/client; every
// word about it reaches the database through the one runner.
package servers

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	"crewlet/db"
	"crewlet/engine/changes"
	"crewlet/engine/company"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

// Self is this node, as the others see it.
type Self struct {
	ID      string
	Name    string // as people read it
	URL     string // where other nodes reach it; may be empty
	Version string
	// Run is this start of the program: where it runs, which no two do at
	// once, a slash, and a word of its own. Without a place it may run anywhere.
	Run string
	// Loopback says that the node can be reached from its own machine only:
	// then servers on that machine may be reached, too.
	Loopback bool
}

// Options is what the area is built on.
type Options struct {
	DB      *db.DB
	Run     *tool.Runner
	Feed    *changes.Feed // tells when to reconcile
	Company *company.Company
	Secrets *secrets.Secrets
	Spawner *client.Spawner // starts every child; it outlives Close
	Node    Self
	Environ []string           // this process's environment, NAME=value
	Builtin func() []tool.Tool // every use case, the catalogue's first part
	// Offers reports whether the company has a builtin now; nil where it has all.
	Offers func(name string) bool
	Clock  client.Clock // nil for the machine's own
	Log    *slog.Logger
}

// Servers is the area's service.
type Servers struct {
	Overview    tool.Use[ToolsOverview, Overview]
	ListServers tool.Use[ListServers, ServerList]
	ListTools   tool.Use[ListTools, ToolList]
	Restart     tool.Use[RestartServer, Restarted]
	GetServer   tool.Use[GetServer, ServerRead]
	GetTool     tool.Use[GetTool, ToolRead]
	Try         tool.Use[TryServer, Tried]
	Check       tool.Use[CheckServer, Checked]
	Call        tool.Use[CallTool, Called]
	ListCalls   tool.Use[ListCalls, CallList]
	GetCall     tool.Use[GetCall, CallRead]

	recordState   tool.Use[recordServerState, recorded]
	fileCatalogue tool.Use[fileCatalogue, filed]
	nameTools     tool.Use[nameTools, renamed]
	recordApply   tool.Use[recordApply, recorded]
	recordReload  tool.Use[recordReload, recorded]

	o        Options
	builtins func() []Tool
	pool     *client.Pool
	hidden   client.Hidden // every sealed value there is
	records  *recorder
	offers   offers
	listed   keptTools
	behind   *behindLog

	wake   chan struct{}
	ousted chan struct{} // closed when another start has made the node its own
	told   atomic.Bool   // somebody changed something since the last apply
	reload atomic.Int64  // position of the newest reload asked for
	stop   context.CancelFunc
	unsub  func()
	tended sync.WaitGroup
	peers  peers
	last   applied // touched by the reconciling goroutine alone

	mu       sync.Mutex
	standing *standing             // the newest declarations read
	held     map[client.Key]string // kept from starting, and why; the pool's word on them is not passed on
	sent     map[client.Key]string // what may be wrong with the credential each is sent
	refused  map[client.Key]string // the last error of those that refused it
	closing  bool

	onPresence func() // see Presence; nil for nobody
}

// New makes the service. Nothing runs before Start.
func New(o Options) *Servers {
	if o.Clock == nil {
		o.Clock = client.SystemClock()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Servers{o: o, wake: make(chan struct{}, 1), ousted: make(chan struct{}), held: map[client.Key]string{}, refused: map[client.Key]string{}, behind: newBehindLog()}
	s.builtins = sync.OnceValue(func() []Tool { return builtin(o.Builtin) })
	s.Overview = declareOverview(s)
	s.ListServers = declareListServers(s)
	s.ListTools = declareListTools(s)
	s.Restart = declareRestart(s)
	s.GetServer = declareGetServer(s)
	s.GetTool = declareGetTool(s)
	s.Try = declareTry(s)
	s.Check = declareCheck(s)
	s.Call = declareCall(s)
	s.ListCalls = declareListCalls(s)
	s.GetCall = declareGetCall(s)
	s.recordState = declareRecordState(s)
	s.fileCatalogue = declareFileCatalogue(s)
	s.nameTools = declareNameTools(s)
	s.recordApply = declareRecordApply(s)
	s.recordReload = declareRecordReload(s)
	return s
}

// Tools lists the area's use cases for the catalogue.
func (s *Servers) Tools() []tool.Tool {
	return []tool.Tool{
		s.Overview.Any(), s.ListServers.Any(), s.ListTools.Any(), s.Restart.Any(),
		s.GetServer.Any(), s.GetTool.Any(), s.Try.Any(), s.Check.Any(), s.Call.Any(), s.ListCalls.Any(), s.GetCall.Any(),
		s.recordState.Any(), s.fileCatalogue.Any(), s.nameTools.Any(), s.recordApply.Any(), s.recordReload.Any(),
	}
}
