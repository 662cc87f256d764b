package db

import (
	"testing"

	"github.com/lib/pq"
)

func TestAddress(t *testing.T) {
	for name, c := range map[string]struct {
		given string
		mode  pq.SSLMode
		app   string
	}{
		"this machine":       {"postgres://u@localhost/x", "disable", "node"},
		"this address":       {"postgres://u@127.0.0.1:1234/x", "disable", "node"},
		"this address, IPv6": {"postgres://u@[::1]:5432/x", "disable", "node"},
		"a socket":           {"postgres:///x?host=/run/pg&user=u", "disable", "node"},
		"key=value":          {"host=127.0.0.1 user=u dbname=x", "disable", "node"},
		"somewhere else":     {"postgres://u@db.example/x", "", "node"}, // lib/pq then requires TLS
		"said otherwise":     {"postgres://u@db.example/x?sslmode=verify-full&application_name=mine", "verify-full", "mine"},
		"said here too":      {"host=127.0.0.1 user=u sslmode=require application_name=mine", "require", "mine"},
	} {
		t.Run(name, func(t *testing.T) {
			dsn, err := address(c.given, "node")
			if err != nil {
				t.Fatal(err)
			}
			cfg, err := pq.NewConfig(dsn)
			if err != nil {
				t.Fatal(err)
			}
			if cfg.SSLMode != c.mode || cfg.ApplicationName != c.app || cfg.Runtime["idle_in_transaction_session_timeout"] != "5000" {
				t.Errorf("sslmode %q, app %q, settings %v", cfg.SSLMode, cfg.ApplicationName, cfg.Runtime)
			}
		})
	}
}
