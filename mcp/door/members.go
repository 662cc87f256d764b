package door

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// member is one name of a JSON object and its value.
type member struct {
	name  string
	value json.RawMessage
}

// members is a JSON object whose names keep their order, as a person chose it.
type members []member

// membersOf reads a JSON object; nothing reads as an empty one.
func membersOf(object json.RawMessage) (members, error) {
	if len(object) == 0 {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(object))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("%.60s is no JSON object", object)
	}
	var all members
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		m := member{}
		m.name, _ = name.(string)
		if err := dec.Decode(&m.value); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// with adds members, as text, to the object of that name.
func (all members) with(name, more string) members {
	for i, m := range all {
		if m.name == name {
			all[i].value = within(m.value, more)
			return all
		}
	}
	return append(all, member{name, json.RawMessage("{" + more + "}")})
}

func (all members) encode() json.RawMessage {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range all {
		if i > 0 {
			out.WriteByte(',')
		}
		name, _ := json.Marshal(m.name) // a string always can be
		out.Write(name)
		out.WriteByte(':')
		out.Write(m.value)
	}
	out.WriteByte('}')
	return out.Bytes()
}

// within puts members at the end of a JSON object.
func within(object json.RawMessage, more string) json.RawMessage {
	open := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(object), []byte("}")))
	if len(open) > 1 {
		more = "," + more
	}
	return append(append(bytes.Clone(open), more...), '}')
}
