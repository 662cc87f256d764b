package document

import (
	"slices"
	"strings"
)

func (c *checks) checkProviders() {
	p := c.doc.Providers
	c.modelNamed("providers.default", p.Default)
	c.modelNamed("providers.auxiliary", p.Auxiliary)
	c.modelNamed("providers.embeddings", p.Embeddings)
	first := map[string]int{}
	for i, conn := range p.Connections {
		at := index("providers.connections", i)
		switch other, taken := first[conn.Name]; {
		case conn.Name == "":
			c.missing(at, "This connection has no name. Write name: in it, such as name: claude.")
		case !slugShape.MatchString(conn.Name):
			c.fault(at+".name", "%q is no connection's name. Write lower-case letters, digits, - and _, such as claude.", clip(conn.Name))
		case taken:
			c.fault(at+".name", "The name %q belongs to %s already. Write another one here.", conn.Name, index("providers.connections", other))
		}
		first[conn.Name] = i
		c.checkConnection(conn, at)
	}
}

func (c *checks) checkConnection(conn Connection, at string) {
	if conn.Kind == "" {
		c.missing(at, "This connection has no kind. Write kind: anthropic, openai or openai_compatible.")
	}
	if conn.BaseURL != "" {
		c.webAddress(at+".base_url", conn.BaseURL)
		if plainHTTP(conn.BaseURL) && len(conn.Keys) > 0 {
			c.fault(at+".base_url", "is http, and a key goes along: anybody on the way could read it. Write https.")
		}
	} else if conn.Kind == "openai_compatible" {
		c.missing(at, "A compatible provider is found by its address. Write base_url: in it.")
	}
	for i, k := range conn.Keys {
		if !isReference(k) {
			c.fault(index(at+".keys", i), "is not one reference. Seal the key under Settings › Secrets and write its name here, as ${NAME}.")
		} else if slices.Index(conn.Keys, k) != i {
			c.fault(index(at+".keys", i), "is the same key once more. Take it out.")
		}
	}
}

// modelNamed checks a model, written connection/model.
func (c *checks) modelNamed(at, model string) {
	if model == "" {
		return
	}
	conn, name, both := strings.Cut(model, "/")
	if !both || conn == "" || name == "" {
		c.fault(at, "%q is no model. Write the connection's name, a slash and the model, such as claude/claude-sonnet-4-5.", clip(model))
		return
	}
	var known []string
	for _, one := range c.doc.Providers.Connections {
		known = append(known, one.Name)
	}
	if !slices.Contains(known, conn) && !c.uncounted("providers.connections", known) {
		c.fault(at, "There is no connection %q. %s", clip(conn), unknown(conn, known, "Declare it under providers.connections first."))
	}
}
