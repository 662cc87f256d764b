package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// Number reads an optional number of the address: 0 where it is left out. What
// is no whole number is refused by name, never taken for nothing; how large it
// may be is for what is asked to say.
func Number(r *http.Request, name string) (int64, error) {
	sent := r.URL.Query().Get(name)
	if sent == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(sent, 10, 64)
	if err != nil {
		return 0, refusal.Invalid.Say("%s is a whole number, such as ?%s=20.", strings.ToUpper(name[:1])+name[1:], name).On(name)
	}
	return n, nil
}

// Numbers reads several, or refuses the first that is none.
func Numbers(r *http.Request, names ...string) (map[string]int64, error) {
	out := map[string]int64{}
	for _, name := range names {
		n, err := Number(r, name)
		if err != nil {
			return out, err
		}
		out[name] = n
	}
	return out, nil
}

// QueryArguments reads an address's query as arguments of a type. The position
// a read waits for is none, unless it is declared.
func QueryArguments(r *http.Request, args reflect.Type) (json.RawMessage, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err == nil {
		err = readable(values)
	}
	if err != nil {
		return nil, refusal.Malformed.Say("The query cannot be read: it is NAME=value pairs, percent-encoded UTF-8.").For(err)
	}
	if !slices.Contains(tool.Names(args), minPositionName) {
		if n, err := Number(r, minPositionName); err != nil || n < 0 {
			return nil, refusal.Invalid.Say("min_position is a position of the log, such as the one a write answered: a whole number from 0.").On(minPositionName)
		}
		values.Del(minPositionName)
	}
	return Arguments(values, args)
}

// May reports whether something is drawn for a viewer: what their grants admit.
// A password may still be asked for when it is done.
func May(row access.Row, by access.Principal) bool { return Offered(row, by) == nil }

// Offered is May with the refusal, for an address that draws nothing else.
func Offered(row access.Row, by access.Principal) error {
	row.StepUp = false
	return access.May(row, by)
}
