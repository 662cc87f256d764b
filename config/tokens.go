package config

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
)

// Token is one of the node's own tokens: a way in when nobody can sign in.
type Token struct {
	ID     string   // colon segments, such as ci:release; who its calls are recorded as
	SHA256 [32]byte // of the token's text
	Grants Grants
}

// tokenFile is how a token is written in the file.
type tokenFile struct {
	ID     string `yaml:"id"`
	SHA256 string `yaml:"sha256"`
	Grants any    `yaml:"grants"`
}

// tokensLimit bounds the file, in bytes.
const tokensLimit = 1 << 20

// ReadTokens reads the file CREWLET_TOKENS names: a YAML list whose entries
// have an id, the SHA-256 of the token in hex, and grants (a list, or all).
// An empty file holds no tokens. Everything wrong is reported at once.
func ReadTokens(path string) ([]Token, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("CREWLET_TOKENS: %w", err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, tokensLimit+1))
	if err != nil {
		return nil, fmt.Errorf("CREWLET_TOKENS: read %s: %w", path, err)
	}
	if len(text) > tokensLimit {
		return nil, fmt.Errorf("CREWLET_TOKENS: %s is larger than 1 MiB. It holds a short list of tokens", path)
	}
	return parseTokens(text)
}

func parseTokens(text []byte) ([]Token, error) {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	var entries []tokenFile
	err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&entries)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, Problems{{"CREWLET_TOKENS", unreadable(err)}}
	}
	r, seen := &reading{}, map[string]int{}
	tokens := make([]Token, 0, len(entries))
	for i, e := range entries {
		tokens = append(tokens, r.token(i, e))
		if first, twice := seen[e.ID]; twice {
			r.say("CREWLET_TOKENS", "[%d].id is the id of [%d] as well. Give each token an id of its own.", i, first)
		}
		seen[e.ID] = i
	}
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return tokens, nil
}

// unreadable says what the YAML reader did not like without its excerpt of
// the file: a token pasted where its digest belongs must not be shown.
func unreadable(err error) string {
	const shape = "Each entry is written - {id: ci:release, sha256: <64 hex digits>, grants: [state:read]}."
	var unknown *yaml.UnknownFieldError
	var at yaml.Error
	switch {
	case errors.As(err, &unknown):
		return fmt.Sprintf("line %d has a key that no token has. The keys are id, sha256 and grants. %s", unknown.GetToken().Position.Line, shape)
	case errors.As(err, &at) && at.GetToken() != nil:
		return fmt.Sprintf("line %d cannot be read as a list of tokens. %s", at.GetToken().Position.Line, shape)
	}
	return "cannot be read as a list of tokens. " + shape
}

var tokenID = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*(:[a-z0-9][a-z0-9_-]*)+$`)

func (r *reading) token(i int, e tokenFile) Token {
	const file = "CREWLET_TOKENS"
	t := Token{ID: e.ID}
	if !tokenID.MatchString(e.ID) || len(e.ID) > 64 {
		r.say(file, "[%d].id is not a machine's name. Write segments of lower-case letters and digits parted by colons, such as ci:release, at most 64 characters.", i)
	}
	digest, err := hex.DecodeString(strings.ToLower(e.SHA256))
	if err != nil || len(digest) != len(t.SHA256) {
		r.say(file, "[%d].sha256 is not the SHA-256 of a token in hex (64 digits). Make it with: printf %%s \"$TOKEN\" | sha256sum", i)
	}
	copy(t.SHA256[:], digest)
	words, ok := grantWords(e.Grants)
	if !ok {
		r.say(file, "[%d].grants is neither all nor a list of grants. Write grants: all, or grants: [state:read, work:write].", i)
		return t
	}
	if t.Grants, err = ParseGrants(words); err != nil {
		r.say(file, "[%d].grants %s.", i, err)
	}
	return t
}

func grantWords(v any) ([]string, bool) {
	switch v := v.(type) {
	case string:
		return []string{v}, true
	case []any:
		words := make([]string, len(v))
		for i, one := range v {
			word, ok := one.(string)
			if !ok {
				return nil, false
			}
			words[i] = word
		}
		return words, true
	}
	return nil, false
}
