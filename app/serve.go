package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"crewlet/config/document"
	"crewlet/engine/changes"
	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/handlers"
	"crewlet/static"
)

func serve(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	if _, done, err := p.parse(named("serve"), flags, args, 0, 0); done || err != nil {
		return err
	}
	if missing := static.Missing(); missing != "" {
		return errors.New(missing)
	}
	n, err := p.open(ctx, owning)
	if err != nil {
		return err
	}
	return errors.Join(n.serve(ctx, p), n.release(ctx))
}

// serve listens, starts what the node does by itself, and ends it all in the
// opposite order.
func (n *machine) serve(ctx context.Context, p *program) error {
	listener, err := n.listen()
	if err != nil {
		return err
	}
	if err := n.firstRevision(ctx, p); err != nil {
		return errors.Join(err, listener.Close())
	}
	door := handlers.New(handlers.Options{
		Engine: n.engine, Ring: n.ring, Log: n.log, BaseURL: n.settings.BaseURL, Proxies: n.settings.TrustedProxy,
		Version: version, Metrics: n.metrics, Ping: n.db.Ping,
	})
	if err := n.engine.Start(ctx); err != nil {
		return errors.Join(err, listener.Close())
	}
	server := &http.Server{
		Handler: door, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
	}
	server.RegisterOnShutdown(door.Close)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	if err := n.greet(ctx, p); err != nil {
		n.log.ErrorContext(ctx, "greeting_failed", "error", err)
	}
	select {
	case err = <-failed:
	case <-n.engine.Servers.Ousted():
		err = n.taken(servers.ErrTaken)
	case <-ctx.Done():
		err = nil
	}
	n.log.InfoContext(ctx, "stopping")
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	if down := server.Shutdown(last); down != nil {
		_ = server.Close()
	}
	return err
}

// firstRevision makes the company document of a new company: the file
// CREWLET_COMPANY names, or a short one that says how to go on. Where there is
// a revision already, nothing is read.
func (n *machine) firstRevision(ctx context.Context, p *program) error {
	if begun, err := n.engine.Company.Begun(ctx, n.db); begun || err != nil {
		return err
	}
	text, from := document.Starter("My company"), "A new company"
	if path := n.settings.Company; path != "" {
		var err error
		if text, err = p.document(path); err != nil {
			return fmt.Errorf("there is no company yet, and CREWLET_COMPANY names the file of the first: %w. Name a file this user may read, or unset it to begin with a short one", err)
		}
		from = "Imported from " + filepath.Base(path)
	}
	_, err := n.engine.Company.Import(ctx, n.engine.Run, text, from)
	return err
}

func (n *machine) listen() (net.Listener, error) {
	s := n.settings
	listener, err := net.Listen("tcp", s.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w; CREWLET_LISTEN names another address", s.Listen, err)
	}
	if s.TLSCert == "" {
		return listener, nil
	}
	pair, err := tls.LoadX509KeyPair(s.TLSCert, s.TLSKey)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read CREWLET_TLS_CERT and CREWLET_TLS_KEY: %w", err), listener.Close())
	}
	return tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}), nil
}

// greet says where the dashboard is and, while nobody has an account, how the
// first one is made.
func (n *machine) greet(ctx context.Context, p *program) error {
	fmt.Fprintf(p.stdout, "\nCrewlet %s is ready at %s\n", version, n.settings.BaseURL)
	// The file is of no use once somebody is there.
	n.engine.Feed.Subscribe(func(rows []changes.Change) {
		if slices.ContainsFunc(rows, func(row changes.Change) bool { return row.Kind == "person.created" }) {
			_ = os.Remove(n.setupFile())
		}
	})
	link, err := n.freshSetupLink(ctx)
	if refusal.Is(err, refusal.Conflict) {
		fmt.Fprintln(p.stdout)
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "\nNobody has an account yet. Open this link to make the first administrator:\n\n  %s\n\nIt works once and for 24 hours. \"crewlet setup-link\" prints a new one.\n\n", link)
	return nil
}

func (n *machine) setupFile() string { return filepath.Join(n.settings.Data, "setup-link") }

// freshSetupLink makes a new link and keeps it in a file beside the data, for
// whoever did not see it printed.
func (n *machine) freshSetupLink(ctx context.Context) (string, error) {
	path := n.setupFile()
	made, err := tool.Do(ctx, n.engine.Run, n.engine.Identity.MakeSetupLink, system(), identity.MakeSetupLink{})
	if err != nil {
		if refusal.Is(err, refusal.Conflict) {
			_ = os.Remove(path) // set-up is over; the file is of no use
		}
		return "", err
	}
	link := n.settings.BaseURL.JoinPath("setup", made.Token).String()
	if err := os.WriteFile(path, []byte(link+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("keep the set-up link: %w", err)
	}
	return link, nil
}
