package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"crewlet/config"
	"crewlet/db"
	"crewlet/engine"
	"crewlet/engine/access"
	"crewlet/engine/secrets"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/handlers/node"
	"crewlet/mcp/client"
)

// machine is an opened node: its settings, database and engine.
type machine struct {
	settings config.Settings
	self     servers.Self
	alone    io.Closer // held while this program serves as the node; nil for commands
	log      *slog.Logger
	records  *patient // behind log
	db       *db.DB
	ring     *secrets.Keyring
	engine   *engine.Engine
	metrics  *node.Metrics
	spawner  *client.Spawner // nil for commands that start no servers
}

// role is what a node is opened for.
type role int

const (
	attached  role = iota // a command beside what serves
	launching             // such a command that starts servers of its own
	owning                // the node that serves, which owns the data directory
)

func (p *program) getenv(name string) string {
	for i := len(p.environ) - 1; i >= 0; i-- {
		if key, value, _ := strings.Cut(p.environ[i], "="); key == name {
			return value
		}
	}
	return ""
}

func (p *program) settings() (config.Settings, error) {
	names := make([]string, len(p.environ))
	for i, e := range p.environ {
		names[i], _, _ = strings.Cut(e, "=")
	}
	return config.Read(p.getenv, names)
}

func logger(s config.Settings, to io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{Level: s.Log.Level}
	if s.Log.JSON {
		return slog.New(slog.NewJSONHandler(to, o))
	}
	return slog.New(slog.NewTextHandler(to, o))
}

// open opens the node for serving, or for a command, which attaches to what
// serves.
func (p *program) open(ctx context.Context, as role) (*machine, error) {
	s, err := p.settings()
	if err != nil {
		return nil, err
	}
	n := &machine{settings: s, records: newPatient(p.stderr), metrics: node.NewMetrics()}
	n.log = logger(s, n.records)
	if err := n.begin(ctx, p, as); err != nil {
		return nil, errors.Join(err, n.release(ctx))
	}
	return n, nil
}

func (n *machine) begin(ctx context.Context, p *program, as role) error {
	s := n.settings
	// 0711, not 0700: a database server that runs as another user must be able
	// to reach its folder inside.
	if err := os.MkdirAll(s.Data, 0o711); err != nil {
		return fmt.Errorf("make the data directory: %w; CREWLET_DATA names another", err)
	}
	var err error
	n.self = servers.Self{Name: hostname(), Version: version, Loopback: s.Loopback()}
	if s.NodeURL != nil {
		n.self.URL = s.NodeURL.String()
	}
	if n.self.ID, err = identityOf(s.Data); err != nil {
		return fmt.Errorf("%w; the data folder has to be this user's own, and CREWLET_DATA names another", err)
	}
	if as == owning {
		if err := n.stand(); err != nil {
			return err
		}
	}
	n.db, err = db.Open(ctx, db.Options{
		URL: s.DatabaseURL, Dir: filepath.Join(s.Data, "postgres"), Bin: s.PGBin, Serve: as == owning, App: "crewlet", Log: n.log,
	})
	if err != nil {
		return err
	}
	return n.ready(ctx, p, as)
}

// hostname is how people call the machine this node runs on.
func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return "node"
	}
	return name
}

// ready brings the schema up to date and wires the engine.
func (n *machine) ready(ctx context.Context, p *program, as role) error {
	if err := n.db.Migrate(ctx); err != nil {
		return err
	}
	inUse, err := secrets.KeysInUse(ctx, n.db)
	if err != nil {
		return err
	}
	if n.ring, err = keyring(n.settings.Keyring, len(inUse) > 0); err != nil {
		return err
	}
	if err := secrets.CheckRing(n.ring, inUse); err != nil {
		return err
	}
	if as == owning {
		if err := n.claim(ctx); err != nil {
			return err
		}
	}
	if as != attached {
		if n.spawner, err = spawner(ctx, n, as); err != nil {
			return err
		}
	}
	o := engine.Options{
		DB: n.db, Ring: n.ring, Now: time.Now, Log: n.log, Max: access.Granted(n.settings.MaxGrants), Environ: p.environ, Landed: n.metrics.Landed,
		Node: n.self, Spawner: n.spawner, Index: filepath.Join(n.settings.Data, "search.idx"),
	}
	if n.settings.Tokens != "" {
		if o.Tokens, err = config.ReadTokens(n.settings.Tokens); err != nil {
			return err
		}
	}
	n.engine, err = engine.New(ctx, o)
	return err
}

// farewell is how long requests and servers may take to end.
const farewell = 10 * time.Second

// release ends what open began, in the opposite order.
func (n *machine) release(ctx context.Context) error {
	var err error
	if n.engine != nil {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
		defer cancel()
		err = n.engine.Close(last)
	}
	if n.spawner != nil {
		n.spawner.Close()
	}
	if n.db != nil {
		if n.alone != nil { // a start that failed has claimed the node, too
			_ = servers.Leave(ctx, n.db, n.self)
		}
		err = errors.Join(err, n.db.Close())
	}
	if n.alone != nil {
		_ = n.alone.Close()
	}
	n.records.close()
	return err
}

// identityOf reads the node's id, made on its first start.
func identityOf(dir string) (string, error) {
	path := filepath.Join(dir, "node")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		id := uuid.Must(uuid.NewV7()).String()
		return id, os.WriteFile(path, []byte(id+"\n"), 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("read this node's id: %w", err)
	}
	id, err := uuid.Parse(strings.TrimSpace(string(text)))
	if err != nil {
		return "", fmt.Errorf("%s holds no node id; remove the file to be given a new one", path)
	}
	return id.String(), nil
}

// atTerminal is whoever gives a command on the node's host: they can read the
// keyring, so nothing is kept from them.
func atTerminal() access.Principal {
	name := "host"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return access.Principal{
		Kind: access.Machine, ID: "host", Credential: "host:" + name, Name: name + ":terminal", Grants: access.All, Fresh: true,
	}
}

// system is a call the engine makes by itself.
func system() *tool.Call { return &tool.Call{By: access.System(), Door: "engine"} }

// call is one command's call.
func call() *tool.Call {
	return &tool.Call{By: atTerminal(), Key: tool.NewKey(), Door: "command"}
}
