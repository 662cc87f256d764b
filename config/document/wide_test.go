package document

import (
	"fmt"
	"strings"
	"testing"
)

func TestAMapIsNoWiderThanAnythingNeeds(t *testing.T) {
	wide := func(keys int) string {
		var b strings.Builder
		b.WriteString("name: Acme\nmcp_servers:\n  - name: a\n    command: c\n    env:\n")
		for i := range keys {
			fmt.Fprintf(&b, "      K%d: v\n", i)
		}
		return b.String()
	}
	if _, problems := Parse([]byte(wide(mostKeys))); len(problems) != 0 {
		t.Errorf("%d keys are refused: %v", mostKeys, problems)
	}
	_, problems := Parse([]byte(wide(mostKeys + 1)))
	if len(problems) != 1 || problems[0].Line != 6 || !strings.Contains(problems[0].Says, "more than 1000 keys") {
		t.Errorf("one more: %v", problems)
	}
}
