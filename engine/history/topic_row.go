package history

import (
	"slices"
	"strings"

	"crewlet/engine/access"
)

// topicRows is the authority of each topic; a topic with an object, such as
// work:ENG, is decided as its kind. What is not here is nobody's.
func topicRows() map[string]access.Row {
	return map[string]access.Row{
		"servers": access.Read(access.StateRead),
		"tools":   access.Read(access.StateRead),
		"company": access.Read(access.StateRead),
		"changes": access.Read(access.StateRead),
		"config":  access.Operator(access.ConfigRead),
		"secrets": access.Operator(access.SecretsRead),
		"tokens":  access.Operator(access.PeopleManage),
		"people":  access.Operator(access.PeopleManage),
		"work":    access.Read(access.StateRead),
		"item":    access.Read(access.StateRead),
		"inbox":   access.Self(),
		"audit":   access.Operator(access.AuditRead),
		"account": access.Self(),
	}
}

// TopicRow is the row of the authority table a topic is decided by; false for
// a topic nobody may follow.
func TopicRow(topic string) (access.Row, bool) {
	kind, _, _ := strings.Cut(topic, ":")
	row, known := topicRows()[kind]
	return row, known
}

// topicKinds lists the kinds of topic there are, for a sentence.
func topicKinds() []string {
	var kinds []string
	for kind := range topicRows() {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds
}
