package catalogue_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"crewlet/db/dbtest"
	"crewlet/engine/access"
	"crewlet/engine/tool"
	"crewlet/handlers/catalogue"
	"crewlet/handlers/operator"
	"crewlet/handlers/signin/signintest"
	"crewlet/handlers/web"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

type asked struct {
	Name string   `json:"name" validate:"required,max=40" jsonschema:"a name, such as it's"`
	Kind string   `json:"kind,omitempty" validate:"omitempty,oneof=small large" jsonschema:"how large"`
	Tags []string `json:"tags,omitempty" validate:"max=3"`
	Any  any      `json:"any,omitempty"`
	Part part     `json:"part,omitzero" jsonschema:"what it is made of"`
	Most int      `json:"most,omitempty" validate:"max=10000000"`
}

// part has parts of its own, which may have parts.
type part struct {
	Label string          `json:"label" validate:"required" jsonschema:"one line"`
	Steps []step          `json:"steps,omitempty"`
	By    map[string]step `json:"by,omitempty"`
}

type step struct {
	Op string `json:"op" jsonschema:"what is done"`
}

// tree holds itself.
type tree struct {
	Leaf     string `json:"leaf"`
	Children []tree `json:"children"`
}

type answered struct {
	Names []string `json:"names"`
	Value string   `json:"value,omitempty"`
	Tree  tree     `json:"tree"`
}

func (a answered) WithoutValue() answered { return a }

// shelf is a catalogue of a write, a read and one of the engine's own.
func shelf(t *testing.T) *signintest.Bench {
	t.Helper()
	run := func(context.Context, *tool.Call, asked) (answered, error) { return answered{}, nil }
	declare := func(s tool.Spec) tool.Tool { return tool.Declare(s, run).Any() }
	return signintest.New(t, func(mux *http.ServeMux, door *web.Door, b *signintest.Bench) {
		acts := operator.New(b.Run, []tool.Tool{
			declare(tool.Spec{Name: "make_thing", Title: "Make a thing", Brief: "Makes it.", Access: access.Write(access.WorkWrite), Audience: tool.Operators, Once: true}),
			declare(tool.Spec{Name: "find_things", Title: "Find things", Brief: "Finds them.", Access: access.Read(access.StateRead), Mode: tool.Read, Once: true}),
			declare(tool.Spec{Name: "tidy_things", Title: "Tidy", Brief: "Tidies.", Access: access.EngineOnly(), Once: true}),
		})
		mux.Handle("GET /api", door.Page(catalogue.New(acts.Document).Show))
	})
}

func TestTheCatalogueIsReadByPeople(t *testing.T) {
	t.Parallel()
	reader, text := shelf(t).Administrator(), ""
	for _, at := range []string{"/api", "/api?tool=make_thing", "/api?tool=find_things", "/api?tool=nothing"} {
		p := reader.Get(at)
		text += " " + strings.Join(strings.Fields(p.Text()), " ")
		if p.Status != 200 {
			t.Fatalf("%s answered %d: %s", at, p.Status, text)
		}
	}
	for _, says := range []string{
		"make_thing Make a thing", "Makes it.", "POST /operator/act/make_thing", "write(work:write)", "Listed to operators.", "shown once",
		"name text needed, at most 40 characters a name, such as it's", "any any JSON", "kind text one of small, large how large", "tags list of text at most 3 entries",
		"part object what it is made of part.label text needed one line part.by object part.by.NAME.op text what is done part.steps list of object part.steps[].op text what is done",
		"most whole number at most 10000000", "tree object tree.children list of object tree.leaf text",
		"names list of text", `curl -X POST "$CREWLET_URL/operator/act/make_thing"`, `--json '{"args":{"name":"it'\''s"}}'`,
		"GET /api/v1/tools/find_things", "On pages and here alone", `--data-urlencode 'name=it'\''s'`,
	} {
		if !strings.Contains(text, says) {
			t.Errorf("it does not say %q", says)
		}
	}
	if strings.Contains(text, "tidy_things") {
		t.Error("it shows what the engine does by itself")
	}
	if t.Failed() {
		t.Log(text)
	}
}
