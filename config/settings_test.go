package config_test

import (
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crewlet/config"
)

func read(env map[string]string) (config.Settings, error) {
	return config.Read(func(name string) string { return env[name] }, slices.Collect(maps.Keys(env)))
}

func TestReadDefaults(t *testing.T) {
	s, err := read(map[string]string{"HOME": "/nowhere", "CREWLET_URL": "x", "CREWLET_TOKEN": "y", "CREWLET_CHILD": "z"})
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if s.Listen != "127.0.0.1:8080" || s.BaseURL.String() != "http://127.0.0.1:8080" || !s.Loopback() {
		t.Errorf("listen %q, base %v", s.Listen, s.BaseURL)
	}
	if s.Data != filepath.Join(here, ".crewlet") || s.Keyring != filepath.Join(s.Data, "keyring") {
		t.Errorf("data %q, keyring %q", s.Data, s.Keyring)
	}
	if !s.MaxGrants.All || s.Log.Level != slog.LevelInfo || s.Log.JSON {
		t.Errorf("grants %+v, log %+v", s.MaxGrants, s.Log)
	}
}

func TestReadAccepts(t *testing.T) {
	for name, c := range map[string]struct {
		env  map[string]string
		want func(config.Settings) bool
	}{
		"behind a proxy": {map[string]string{"CREWLET_LISTEN": "0.0.0.0:80", "CREWLET_TRUSTED_PROXY": "10.1.2.3/8, ::1", "CREWLET_BASE_URL": "https://crewlet.example.com"},
			func(s config.Settings) bool {
				return len(s.TrustedProxy) == 2 && s.TrustedProxy[0].String() == "10.0.0.0/8" && s.TrustedProxy[1].String() == "::1/128" &&
					s.BaseURL.String() == "https://crewlet.example.com" && !s.Loopback()
			}},
		"six on loopback": {map[string]string{"CREWLET_LISTEN": "[::1]:0"}, config.Settings.Loopback},
		"localhost":       {map[string]string{"CREWLET_LISTEN": "localhost:99"}, config.Settings.Loopback},
		"json log":        {map[string]string{"CREWLET_LOG": "json:debug"}, func(s config.Settings) bool { return s.Log.JSON && s.Log.Level == slog.LevelDebug }},
		"json alone":      {map[string]string{"CREWLET_LOG": "JSON"}, func(s config.Settings) bool { return s.Log.JSON && s.Log.Level == slog.LevelInfo }},
		"level alone":     {map[string]string{"CREWLET_LOG": "warn"}, func(s config.Settings) bool { return !s.Log.JSON && s.Log.Level == slog.LevelWarn }},
		"some grants": {map[string]string{"CREWLET_MAX_GRANTS": "work:write, state:read"},
			func(s config.Settings) bool { return s.MaxGrants.Has("state:read") && !s.MaxGrants.Has("config:write") }},
		"base with a path": {map[string]string{"CREWLET_BASE_URL": "https://example.com/crewlet/"},
			func(s config.Settings) bool { return s.BaseURL.String() == "https://example.com/crewlet" }},
		"database by socket": {map[string]string{"CREWLET_DATABASE_URL": "postgres:///crewlet?host=/run/postgresql"},
			func(s config.Settings) bool { return s.DatabaseURL != "" }},
		"a company that is gone": {map[string]string{"CREWLET_COMPANY": "/nowhere/company.yaml"}, func(s config.Settings) bool { return s.Company == "/nowhere/company.yaml" }},
		"set to nothing": {map[string]string{"CREWLET_LISTEN": "", "CREWLET_LOG": " "},
			func(s config.Settings) bool { return s.Listen == "127.0.0.1:8080" }},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := read(c.env)
			if err != nil {
				t.Fatal(err)
			}
			if !c.want(s) {
				t.Errorf("got %+v", s)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "some.txt")
	if err := os.WriteFile(file, []byte("not PEM"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		env            map[string]string
		variable, says string
	}{
		"a spelling mistake":      {map[string]string{"CREWLET_LISTN": "x"}, "CREWLET_LISTN", "Did you mean CREWLET_LISTEN"},
		"nobody's setting":        {map[string]string{"CREWLET_WEATHER_REPORT": "x"}, "CREWLET_WEATHER_REPORT", "the settings are"},
		"no port":                 {map[string]string{"CREWLET_LISTEN": "127.0.0.1"}, "CREWLET_LISTEN", "missing port"},
		"a large port":            {map[string]string{"CREWLET_LISTEN": "127.0.0.1:80800"}, "CREWLET_LISTEN", "0 to 65535"},
		"a proxy, and no address": {map[string]string{"CREWLET_LISTEN": ":8080", "CREWLET_TRUSTED_PROXY": "10.0.0.0/8"}, "CREWLET_BASE_URL", "https://"},
		"open to all":             {map[string]string{"CREWLET_LISTEN": ":8080"}, "CREWLET_LISTEN", "CREWLET_TRUSTED_PROXY"},
		"open by name":            {map[string]string{"CREWLET_LISTEN": "crew.example.com:80"}, "CREWLET_LISTEN", "CREWLET_TLS_CERT"},
		"half of TLS":             {map[string]string{"CREWLET_TLS_CERT": file}, "CREWLET_TLS_KEY", "is not set"},
		"TLS that does not fit":   {map[string]string{"CREWLET_TLS_CERT": file, "CREWLET_TLS_KEY": file}, "CREWLET_TLS_CERT", "PEM"},
		"data is a file":          {map[string]string{"CREWLET_DATA": file}, "CREWLET_DATA", "is a file"},
		"no tokens there":         {map[string]string{"CREWLET_TOKENS": file + "x"}, "CREWLET_TOKENS", "not there"},
		"no path":                 {map[string]string{"CREWLET_COMPANY": "a\x00b"}, "CREWLET_COMPANY", "control"},
		"programs in a file":      {map[string]string{"CREWLET_PG_BIN": file}, "CREWLET_PG_BIN", "not a directory"},
		"another database":        {map[string]string{"CREWLET_DATABASE_URL": "mysql://u:hunter2@h/d"}, "CREWLET_DATABASE_URL", "postgres://"},
		"a replica of nothing":    {map[string]string{"CREWLET_REPLICA_URL": "postgres://h/d"}, "CREWLET_REPLICA_URL", "embedded"},
		"no proxy network":        {map[string]string{"CREWLET_TRUSTED_PROXY": "everyone"}, "CREWLET_TRUSTED_PROXY", "10.0.0.0/8"},
		"a password in a base":    {map[string]string{"CREWLET_BASE_URL": "https://me:hunter2@example.com"}, "CREWLET_BASE_URL", "before the @"},
		"a base without scheme":   {map[string]string{"CREWLET_BASE_URL": "example.com"}, "CREWLET_BASE_URL", "https://"},
		"a node url with query":   {map[string]string{"CREWLET_NODE_URL": "http://h/?a"}, "CREWLET_NODE_URL", "?"},
		"no grant":                {map[string]string{"CREWLET_MAX_GRANTS": "config:wirte"}, "CREWLET_MAX_GRANTS", "config:write"},
		"all and more":            {map[string]string{"CREWLET_MAX_GRANTS": "all,state:read"}, "CREWLET_MAX_GRANTS", "all alone"},
		"no level":                {map[string]string{"CREWLET_LOG": "loud"}, "CREWLET_LOG", "debug, info"},
		"a form without level":    {map[string]string{"CREWLET_LOG": "json:"}, "CREWLET_LOG", "json:info"},
		"mail by http":            {map[string]string{"CREWLET_SMTP_URL": "http://u:hunter2@h"}, "CREWLET_SMTP_URL", "smtps://"},
		"a NUL":                   {map[string]string{"CREWLET_DATA": "a\x00b"}, "CREWLET_DATA", "control"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(c.env)
			found, ok := errors.AsType[config.Problems](err)
			if !ok || !slices.ContainsFunc(found, func(p config.Problem) bool { return p.Variable == c.variable && strings.Contains(p.Says, c.says) }) {
				t.Errorf("got %v, want %s about %q", err, c.variable, c.says)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("a password is in the refusal: %v", err)
			}
		})
	}
}

func TestReadReportsEverything(t *testing.T) {
	_, err := read(map[string]string{"CREWLET_LISTEN": "x", "CREWLET_LOG": "loud", "CREWLET_DAT": "x"})
	if found, _ := errors.AsType[config.Problems](err); len(found) != 3 {
		t.Errorf("got %d problems, want 3:\n%v", len(found), err)
	}
}
