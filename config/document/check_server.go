package document

import (
	"path/filepath"
	"regexp"
	"strings"
)

var prefixShape = regexp.MustCompile(`^[A-Za-z0-9_-]*$`)

func (c *checks) checkServer(s *Server, at string) {
	c.checkReach(s, at)
	if s.URL != "" {
		c.checkURL(s, at)
	}
	c.checkValues(at+".env", s.Env, false)
	c.checkValues(at+".headers", s.Headers, true)
	c.checkOptional(s, at)
	c.checkAuth(s, at)
	c.globs(at+".tools.include", s.Tools.Include)
	c.globs(at+".tools.exclude", s.Tools.Exclude)
	c.globs(at+".tools.approve", s.Tools.Approve)
	if !prefixShape.MatchString(s.ToolPrefix) {
		c.fault(at+".tool_prefix", "%q is no prefix. Write letters, digits, - and _ only, such as files_.", clip(s.ToolPrefix))
	}
	c.twice(at+".roots", s.Roots)
	for i, root := range s.Roots {
		if !filepath.IsAbs(root) {
			c.fault(index(at+".roots", i), "%q is no absolute directory. Write the whole path, beginning with /.", clip(root))
		}
	}
}

// checkReach: a command or a url, one of the two, and what goes with it.
func (c *checks) checkReach(s *Server, at string) {
	written := func(k string) bool { _, ok := c.places[at+"."+k]; return ok }
	switch {
	case s.Command != "" && s.URL != "":
		c.fault(at+".url", "This server has a command and a url. A command is started here, a url is reached elsewhere: keep one of the two.")
		return
	case s.Command == "" && s.URL == "":
		c.missing(at, "This server has neither a command nor a url. Write command: and the program to start, or url: and the address to reach.")
		return
	}
	if s.Command != "" {
		if s.Transport() != "stdio" {
			c.fault(at+".transport", "%s is for a url, and this server has a command. Write stdio, or take transport out.", s.Kind)
		}
		c.onlyWith(written("headers"), at+".headers", "a url", "Variables of a command are written under env.")
		c.onlyWith(written("auth"), at+".auth", "a url", "A command is given its credentials under env.")
		if strings.ContainsAny(s.Command, " \t") && !strings.Contains(s.Command, "/") {
			c.fault(at+".command", "is more than one word, and no shell parts them. Write the program alone, and the rest under args: [\"-y\", \"…\"].")
		}
		return
	}
	if s.Transport() == "stdio" {
		c.fault(at+".transport", "stdio is for a command, and this server has a url. Write http (or sse), or take transport out.")
	}
	c.onlyWith(written("args"), at+".args", "a command", "Take them out, or put them into the url.")
	c.onlyWith(written("env"), at+".env", "a command", "Credentials of a url are written under headers.")
}

func (c *checks) onlyWith(written bool, at, what, instead string) {
	if written {
		c.fault(at, "is for a server with %s, and this one has none. %s", what, instead)
	}
}

func (c *checks) checkURL(s *Server, at string) {
	if _, found := withDefault(s.URL); found {
		c.references(at+".url", s.URL, true)
		return
	}
	if refusesAddress(s.URL) != "" {
		c.webAddress(at+".url", s.URL)
		return
	}
	if plainHTTP(s.URL) && (s.Auth != nil || c.carriesCredential(s)) {
		c.fault(at+".url", "is http, and a credential goes along: anybody on the way could read it. Write https.")
	}
}

// carriesCredential reports whether a header of the entry, or one that a
// unit or a seat adds, holds something secret.
func (c *checks) carriesCredential(s *Server) bool {
	blocks := []map[string]string{s.Headers}
	blocks = append(blocks, c.blocks[s.Name]...)
	for _, b := range blocks {
		for name, value := range b {
			name = strings.ToLower(name)
			if len(namesIn(value)) > 0 || name == "cookie" || strings.Contains(name, "auth") ||
				strings.Contains(name, "key") || strings.Contains(name, "token") || strings.Contains(name, "secret") {
				return true
			}
		}
	}
	return false
}

func (c *checks) checkAuth(s *Server, at string) {
	if s.Auth == nil {
		return
	}
	at += ".auth"
	for name := range s.Headers {
		if strings.EqualFold(name, "Authorization") {
			c.fault(at, "OAuth writes the Authorization header itself, and headers gives one. Take one of the two out.")
		}
	}
	if s.Auth.ClientSecret != "" && !isReference(s.Auth.ClientSecret) {
		c.fault(at+".client_secret", "is not one reference. Seal the secret under Settings › Secrets and write its name here, as ${NAME}.")
	}
	if s.Auth.ClientSecret != "" && s.Auth.ClientID == "" {
		c.missing(at, "There is a client_secret and no client_id. Write client_id: beside it.")
	}
	if s.Auth.Server != "" {
		c.webAddress(at+".authorization_server", s.Auth.Server)
	}
	c.twice(at+".scopes", s.Auth.Scopes)
}
