package tool

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// A fence is two lines around a text, both with the mark of the answer the
// text stands in.
const (
	fenceOpens = "==text "
	fenceEnds  = "==end "
)

var (
	fenceOpen = regexp.MustCompile(`^==text ([0-9a-f]{24}) by .*==$`)
	fenceEnd  = regexp.MustCompile(`^==end ([0-9a-f]{24})==$`)
)

// fence puts a text between its two lines. by says whose words they are.
func fence(mark, by, text string) string {
	return fenceOpens + mark + " by " + by + "==\n" + text + "\n" + fenceEnds + mark + "=="
}

// unfenced is a text without the fences it came back in: one around all of it,
// or several where parts were put together. A line that has no counterpart
// stays. Forms send their line ends as CR LF, and a caller may indent.
func unfenced(text string) string {
	if !strings.Contains(text, fenceEnds) {
		return text
	}
	lines := strings.Split(text, "\n")
	opened, drop := map[string][]int{}, make([]bool, len(lines))
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if m := fenceOpen.FindStringSubmatch(line); m != nil {
			opened[m[1]] = append(opened[m[1]], i)
			continue
		}
		m := fenceEnd.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if n := len(opened[m[1]]); n > 0 {
			from := opened[m[1]][n-1]
			opened[m[1]] = opened[m[1]][:n-1]
			drop[from], drop[i] = true, true
			if strings.HasSuffix(lines[from], "\r") { // the line end before the last line was the fence's
				lines[i-1] = strings.TrimSuffix(lines[i-1], "\r")
			}
		}
	}
	if !slices.Contains(drop, true) {
		return text
	}
	kept := lines[:0]
	for i, line := range lines {
		if !drop[i] {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// unfencedIn is JSON whose strings lost their fences, and whether any had one.
func unfencedIn(raw json.RawMessage) (json.RawMessage, bool) {
	if !bytes.Contains(raw, []byte(fenceEnds)) {
		return raw, false
	}
	return eachString(raw, unfenced)
}

// eachString has every string of a JSON value become another, and reports
// whether any did; names and numbers stay as they came.
func eachString(raw json.RawMessage, become func(string) string) (json.RawMessage, bool) {
	var value any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&value) != nil {
		return raw, false
	}
	changed := false
	var walk func(value any) any
	walk = func(value any) any {
		switch v := value.(type) {
		case map[string]any:
			for name, one := range v {
				v[name] = walk(one)
			}
		case []any:
			for i, one := range v {
				v[i] = walk(one)
			}
		case string:
			now := become(v)
			changed = changed || now != v
			return now
		}
		return value
	}
	text, err := Encode(walk(value))
	if err != nil || !changed {
		return raw, false
	}
	return text, true
}
