package servers

import (
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"crewlet/handlers/signin/signintest"

	view "crewlet/views/servers"
)

// Where the company keeps what is said in calls, the list of calls leads to it.
func TestWhatWasSaid(t *testing.T) {
	t.Parallel()
	b := opened(t, "name: Acme\naudit: {payloads: true}\n")
	w := b.Administrator()
	running(t, w, "tiny", "look", "wipe")
	p := status(t, w.Get(toolAt+"wipe").Send(toolAt+"wipe", url.Values{"_arg:text": {"hello"}, "sure": {"true"}}), 200)
	link := p.Find(linkSaid)
	if link == nil {
		t.Fatalf("no link: %s", p.ByID("calls"))
	}
	at, _, _ := strings.Cut(signintest.Attr(link, "href"), "#")
	said := status(t, w.Get(toolAt+"wipe"+at), 200)
	for id, want := range map[string]string{"said-arguments": `"text": "hello"`, "said-result": "wipe says hello", "said": "Answered"} {
		if text := said.ByID(id); !strings.Contains(text, want) {
			t.Errorf("%s reads %q, want %q in it", id, text, want)
		}
	}
	for _, nothing := range []string{"?said=999", "?said=x"} {
		status(t, w.Get(toolAt+"wipe"+nothing), 404)
	}
}

func linkSaid(n *html.Node) bool {
	return n.Data == "a" && strings.Contains(signintest.Attr(n, "href"), "?said=")
}

func TestWordsBesideTheFieldsOfATool(t *testing.T) {
	t.Parallel()
	fields := []view.Argument{{Name: "text"}, {Name: "n"}}
	got := fieldsBeside(fields, map[string]string{"arguments.text": "a", "arguments.other": "b", "arguments": "c", "seat": "d"})
	if got["_arg:text"] != "a" || got["arguments.other"] != "b" || got["arguments"] != "c" || got["seat"] != "d" || len(got) != 4 {
		t.Errorf("got %v", got)
	}
	if got := fieldsBeside([]view.Argument{{Name: whole}}, map[string]string{"arguments.text": "a"}); got["_arg:"] != "a" {
		t.Errorf("of the whole: %v", got)
	}
}
