package client

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// Base names every child is given when the engine has them: where programs
// are, how text is written, which certificates and proxies the machine uses,
// and where the user's own files are.
var baseNames = map[string]bool{
	"PATH": true, "LANG": true, "LANGUAGE": true, "LC_ALL": true, "LC_CTYPE": true,
	"LC_NUMERIC": true, "TERM": true, "TZ": true,
	"SSL_CERT_FILE": true, "SSL_CERT_DIR": true, "REQUESTS_CA_BUNDLE": true,
	"CURL_CA_BUNDLE": true, "NODE_EXTRA_CA_CERTS": true,
	"HTTP_PROXY": true, "HTTPS_PROXY": true, "ALL_PROXY": true, "NO_PROXY": true,
	"http_proxy": true, "https_proxy": true, "all_proxy": true, "no_proxy": true,
	"HOME": true, "USER": true, "LOGNAME": true, "TMPDIR": true,
	"XDG_CONFIG_HOME": true, "XDG_CACHE_HOME": true, "XDG_DATA_HOME": true,
	"XDG_STATE_HOME": true, "XDG_RUNTIME_DIR": true,
}

// Container engines find their daemon and their registries by these.
var (
	containerNames    = map[string]bool{"REGISTRY_AUTH_FILE": true, "DBUS_SESSION_BUS_ADDRESS": true}
	containerPrefixes = []string{"DOCKER_", "CONTAINER_", "CONTAINERS_", "PODMAN_"}
)

// BaseEnv picks, from an environment of NAME=value entries, what a child
// started by command is given before anything it declares. It is sorted, and
// of a name given twice the last value stands.
func BaseEnv(environ []string, command string) []string {
	tool := path.Base(command)
	container := tool == "docker" || tool == "podman"
	picked := map[string]string{}
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		if ok && (baseNames[name] || container && forContainers(name)) {
			picked[name] = value
		}
	}
	return entries(picked)
}

// WithEnv lays maps of names and values over base, the last one winning, and
// returns the whole environment, sorted.
func WithEnv(base []string, layers ...map[string]string) []string {
	all := map[string]string{}
	for _, entry := range base {
		if name, value, ok := strings.Cut(entry, "="); ok {
			all[name] = value
		}
	}
	for _, layer := range layers {
		maps.Copy(all, layer)
	}
	return entries(all)
}

func forContainers(name string) bool {
	return containerNames[name] || slices.ContainsFunc(containerPrefixes, func(p string) bool {
		return strings.HasPrefix(name, p)
	})
}

func entries(env map[string]string) []string {
	out := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		out = append(out, name+"="+env[name])
	}
	return out
}

// lookup is the last value of name in an environment.
func lookup(env []string, name string) string {
	value := ""
	for _, entry := range env {
		if n, v, ok := strings.Cut(entry, "="); ok && n == name {
			value = v
		}
	}
	return value
}
