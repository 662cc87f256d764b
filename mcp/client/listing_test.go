package client

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestOddToolsSpoilOnlyThemselves(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	h.pool.Apply([]Spec{fault("odd-tools")})
	cat := h.running("odd-tools").Catalogue
	byName := map[string]Tool{}
	for _, tool := range cat.Tools {
		byName[tool.Name] = tool
	}
	for name, invalid := range map[string]string{
		"echo": "", "constructor": "", "__proto__": "", "dotted.name": "", "naïve 名前": "", "oneof": "", "referring": "", "referred": "", "typeless": "", "listtype": "",
		strings.Repeat("n", 129): "",
		"badtype":                `its input schema is invalid: "strin" is no JSON Schema type`,
		"notobject":              `its input schema is invalid: its type is ["string"] where a tool needs "object"`,
		"noschema":               "it has no input schema",
		"badshape":               "its input schema is invalid: ",
		"oddtext":                "its description is not text",
	} {
		tool, ok := byName[name]
		if !ok || !strings.HasPrefix(tool.Invalid, invalid) || (invalid == "") != (tool.Invalid == "") {
			t.Errorf("%s: listed %v, invalid %q, want %q", name, ok, tool.Invalid, invalid)
		}
	}
	if one := byName["oneof"]; one.Annotations.Destructive != nil || one.Title != "One of" {
		t.Errorf("got annotations %+v, title %q", one.Annotations, one.Title)
	}
	if got := string(byName["referring"].InputSchema); got != referring {
		t.Errorf("references: got schema %s", got)
	}
	if len(cat.Tools) != 16 || cat.Dropped != 3 || cat.Duplicates.Count != 1 || cat.Oversize.Count != 1 {
		t.Errorf("got %d tools, dropped %d, duplicates %+v, oversize %+v", len(cat.Tools), cat.Dropped, cat.Duplicates, cat.Oversize)
	}
}

func TestSchemasAndHintsAreAsWritten(t *testing.T) {
	t.Parallel()
	const schema = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","oneOf":[{"required":["b"]},{"required":["a"]}],"properties":{"n":{"const":9007199254740993}}}`
	got, err := decodeTool(json.RawMessage(`{"name":"t","inputSchema":` + schema + `,"annotations":{"readOnlyHint":true,"destructiveHint":"no","openWorldHint":null}}`))
	if err != nil || got.Invalid != "" || string(got.InputSchema) != schema {
		t.Errorf("got %+v %v", got, err)
	}
	if a := got.Annotations; a.ReadOnly == nil || !*a.ReadOnly || a.Destructive != nil || a.OpenWorld != nil || a.Idempotent != nil {
		t.Errorf("got %+v", a)
	}
}

func TestListingIsCapped(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	h.pool.Apply([]Spec{fault("many-tools"), fault("stuck-cursor"), fault("endless-cursor")})
	cat := h.running("many-tools").Catalogue
	if len(cat.Tools) != 2000 || cat.Dropped != 8000 || cat.Stuck || cat.Tools[1999].Name != "t1999" {
		t.Errorf("got %d tools, %d dropped", len(cat.Tools), cat.Dropped)
	}
	cat = h.running("stuck-cursor").Catalogue
	if len(cat.Tools) != 1 || !cat.Stuck || cat.Duplicates.Count != 0 || cat.Loop != "Page 2 of its tools leads back to a page before." {
		t.Errorf("stuck cursor: got %d tools, stuck %v, %q", len(cat.Tools), cat.Stuck, cat.Loop)
	}
	cat = h.running("endless-cursor").Catalogue
	if len(cat.Tools) != 1 || !cat.Stuck || cat.Duplicates.Count != 0 ||
		cat.Loop != "The last 20 of the 21 pages of its tools brought nothing new, and each leads on to another." {
		t.Errorf("endless cursor: got %d tools, %d duplicates, %q", len(cat.Tools), cat.Duplicates.Count, cat.Loop)
	}
}

func TestStormOfListChanged(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	spec := fault("storm")
	h.pool.Apply([]Spec{spec})
	first := h.running(spec.Name).Catalogue
	at := h.now()
	for range 4 { // 2,000 notices without a change
		if _, err := h.pool.Call(t.Context(), spec.Key, "quiet", nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.pool.Call(t.Context(), spec.Key, "grow", nil); err != nil {
		t.Fatal(err)
	}
	r := h.until(at, spec.Name, isRunning)
	added, removed, changed := r.Catalogue.Changes(first)
	if !slices.Equal(added, []string{"grown"}) || removed != nil || changed != nil {
		t.Errorf("got added %v, removed %v, changed %v", added, removed, changed)
	}
	res, err := h.pool.Call(t.Context(), spec.Key, "count", nil)
	if err != nil {
		t.Fatal(err)
	}
	var said []struct{ Text string }
	if err := json.Unmarshal(res.Content, &said); err != nil {
		t.Fatal(err)
	}
	if n, err := strconv.Atoi(said[0].Text); err != nil || n > 20 {
		t.Errorf("2,500 notices made %d listings", n)
	}
	if !strings.Contains(h.log.String(), `"server_catalogue_changed"`) {
		t.Error("the log does not say that the catalogue changed")
	}
}

func TestDigestIsThatOfWhatIsOffered(t *testing.T) {
	t.Parallel()
	catalogue := func(texts ...string) *Catalogue {
		g := &listing{redact: newRedactor(nil, nil), seen: map[string]bool{}}
		for _, text := range texts {
			g.add(json.RawMessage(text))
		}
		g.cat.seal()
		return &g.cat
	}
	base := catalogue(tool("a"), tool("b"))
	for name, c := range map[string]struct {
		cat  *Catalogue
		same bool
	}{
		"the same":       {catalogue(tool("a"), tool("b")), true},
		"another order":  {catalogue(tool("b"), tool("a")), true},
		"a duplicate":    {catalogue(tool("a"), tool("b"), tool("a")), true},
		"other spacing":  {catalogue(tool("a"), `{"name":"b", "description":"d", "inputSchema": {"type": "object"}}`), true},
		"one less":       {catalogue(tool("a")), false},
		"another schema": {catalogue(tool("a"), `{"name":"b","description":"d","inputSchema":{}}`), false},
		"a hint":         {catalogue(tool("a"), `{"name":"b","description":"d","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":false}}`), false},
		"other words":    {catalogue(tool("a"), `{"name":"b","description":"e","inputSchema":{"type":"object"}}`), false},
	} {
		if (c.cat.Digest == base.Digest) != c.same {
			t.Errorf("%s: same digest %v, want %v", name, !c.same, c.same)
		}
	}
}

func TestCheckProvesAServerAndTryLeavesNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	spec, down := fault("rich"), fault("broken")
	h.pool.Apply([]Spec{spec, down})
	h.running(spec.Name)
	h.until(0, down.Name, isFailed)
	at := h.now()
	cat, err := h.pool.Check(t.Context(), spec.Key)
	if err != nil || len(cat.Tools) != 1 {
		t.Errorf("got %v %v", cat, err)
	}
	h.until(at, spec.Name, func(r Report) bool { return r.Catalogue == cat })
	_, err = h.pool.Check(t.Context(), down.Key)
	fails(t, err, Down)

	other := newHouse(t, SystemClock())
	if r := other.pool.Try(t.Context(), fault("rich")); r.State != Running || len(r.Catalogue.Tools) != 1 || r.Era == "" {
		t.Errorf("got %+v", r)
	}
	if r := other.pool.Try(t.Context(), down); r.State != Failed || r.Error == "" || !slices.Contains(r.StderrTail, "no database configured") {
		t.Errorf("got %+v", r)
	}
	other.nothingLeft()
	if other.now() != 0 {
		t.Error("a try was reported as if it were declared")
	}
}
