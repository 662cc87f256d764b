package secrets_test

import (
	"slices"
	"strings"
	"testing"

	"crewlet/db/dbtest"
	"crewlet/engine/access"
	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const declared = `name: Acme
mcp_servers:
  - name: hub
    command: hub
    env:
      TOKEN: ${HUB_TOKEN}
`

func TestSecretsAreKeptAndNeverShown(t *testing.T) {
	t.Parallel()
	b := enginetest.New(t)
	if _, err := b.Company.Import(t.Context(), b.Run, []byte(declared), "start"); err != nil {
		t.Fatal(err)
	}
	list := func() secrets.SecretList {
		t.Helper()
		all, err := tool.Do(t.Context(), b.Run, b.Secrets.List, enginetest.By("ana"), secrets.ListSecrets{})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if all := list(); len(all.Secrets) != 0 || len(all.Missing) != 1 || all.Missing[0].Name != "HUB_TOKEN" {
		t.Fatalf("before: %+v", all)
	}
	for version, value := range []string{"swordfish", "marlin"} {
		s, err := tool.Do(t.Context(), b.Run, b.Secrets.Set, enginetest.By("ana"), secrets.SetSecret{Name: "HUB_TOKEN", Value: value, Hosts: []string{"b.example", "a.example", "a.example"}})
		if err != nil || s.Version != version+1 || !slices.Equal(s.Hosts, []string{"a.example", "b.example"}) {
			t.Fatalf("stored %+v, %v", s, err)
		}
	}
	values, err := b.Secrets.Values(t.Context(), b.DB)
	if err != nil || values["HUB_TOKEN"].Plain != "marlin" {
		t.Fatalf("opened %v, %v", values, err)
	}
	all := list()
	if len(all.Secrets) != 1 || len(all.Missing) != 0 || !slices.Equal(all.Secrets[0].References, []string{"mcp_servers[0].env.TOKEN"}) {
		t.Fatalf("after: %+v", all)
	}
	var dump string
	if err := b.DB.GetContext(t.Context(), &dump, `
		SELECT (SELECT coalesce(string_agg(c::text, ''), '') FROM changes c) || (SELECT coalesce(string_agg(a::text, ''), '') FROM audit a)
			|| (SELECT coalesce(string_agg(o::text, ''), '') FROM operations o) || (SELECT coalesce(string_agg(s::text, ''), '') FROM secrets s)`); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(dump, "swordfish") || strings.Contains(dump, "marlin") {
		t.Error("a value is stored in the open")
	}
}

func TestANewValueKeepsItsHosts(t *testing.T) {
	t.Parallel()
	b := enginetest.New(t)
	for _, step := range []struct {
		sent, want []string
	}{
		{nil, []string{}}, {[]string{"a.example"}, []string{"a.example"}}, {nil, []string{"a.example"}},
		{[]string{"b.example"}, []string{"b.example"}}, {[]string{"*"}, []string{}},
	} {
		s, err := tool.Do(t.Context(), b.Run, b.Secrets.Set, enginetest.By("ana"), secrets.SetSecret{Name: "A", Value: "v", Hosts: step.sent})
		if err != nil || !slices.Equal(s.Hosts, step.want) {
			t.Errorf("sent %v: hosts are %v, want %v (%v)", step.sent, s.Hosts, step.want, err)
		}
	}
}

func TestANewNameIsNotStoredOver(t *testing.T) {
	t.Parallel()
	b := enginetest.New(t)
	set := func(name, value string) error {
		_, err := tool.Do(t.Context(), b.Run, b.Secrets.Set, enginetest.By("ana"), secrets.SetSecret{Name: name, Value: value, New: true})
		return err
	}
	if err := set("A", "first"); err != nil {
		t.Fatal(err)
	}
	if err := set("A", "second"); !refusal.Is(err, refusal.Exists) || refusal.Of(err).Fields["name"] == "" {
		t.Errorf("a taken name: %v", err)
	}
	values, err := b.Secrets.Values(t.Context(), b.DB)
	if err != nil || values["A"].Plain != "first" {
		t.Errorf("what was stored is %v, %v", values, err)
	}
}

func TestDeletingWhatIsUsed(t *testing.T) {
	t.Parallel()
	b := enginetest.New(t)
	if _, err := b.Company.Import(t.Context(), b.Run, []byte(declared), "start"); err != nil {
		t.Fatal(err)
	}
	if _, err := tool.Do(t.Context(), b.Run, b.Secrets.Set, enginetest.By("ana"), secrets.SetSecret{Name: "HUB_TOKEN", Value: "v"}); err != nil {
		t.Fatal(err)
	}
	_, err := tool.Do(t.Context(), b.Run, b.Secrets.Delete, enginetest.By("ana"), secrets.DeleteSecret{Name: "HUB_TOKEN"})
	if no := refusal.Of(err); no == nil || no.Class != refusal.StillReferenced || no.Details["references"] == nil {
		t.Fatalf("got %v", err)
	}
	if _, err := tool.Do(t.Context(), b.Run, b.Secrets.Delete, enginetest.By("ana"), secrets.DeleteSecret{Name: "HUB_TOKEN", Anyway: true}); err != nil {
		t.Fatal(err)
	}
	_, err = tool.Do(t.Context(), b.Run, b.Secrets.Delete, enginetest.By("ana"), secrets.DeleteSecret{Name: "HUB_TOKEN", Anyway: true})
	if !refusal.Is(err, refusal.NotFound) {
		t.Errorf("deleting it again: %v", err)
	}
}

func TestSetRefuses(t *testing.T) {
	t.Parallel()
	b := enginetest.New(t)
	tired := enginetest.By("ana")
	tired.By.Fresh = false
	for name, c := range map[string]struct {
		call  *tool.Call
		in    secrets.SetSecret
		class refusal.Class
		field string
	}{
		"no name":            {nil, secrets.SetSecret{Value: "v"}, refusal.Invalid, "name"},
		"a dash":             {nil, secrets.SetSecret{Name: "A-B", Value: "v"}, refusal.Invalid, "name"},
		"a digit first":      {nil, secrets.SetSecret{Name: "1A", Value: "v"}, refusal.Invalid, "name"},
		"a path":             {nil, secrets.SetSecret{Name: "..", Value: "v"}, refusal.Invalid, "name"},
		"a megabyte of name": {nil, secrets.SetSecret{Name: strings.Repeat("A", 1<<20), Value: "v"}, refusal.Invalid, "name"},
		"the node's own":     {nil, secrets.SetSecret{Name: "CREWLET_X", Value: "v"}, refusal.Invalid, "name"},
		"postgres's":         {nil, secrets.SetSecret{Name: "PGPASSWORD", Value: "v"}, refusal.Invalid, "name"},
		"no value":           {nil, secrets.SetSecret{Name: "A"}, refusal.Invalid, "value"},
		"NUL in the value":   {nil, secrets.SetSecret{Name: "A", Value: "a\x00b"}, refusal.Invalid, "value"},
		"too long":           {nil, secrets.SetSecret{Name: "A", Value: strings.Repeat("a", secrets.MaxValue+1)}, refusal.Invalid, "value"},
		"an address as host": {nil, secrets.SetSecret{Name: "A", Value: "v", Hosts: []string{"https://a.example"}}, refusal.Invalid, "hosts"},
		"a reader":           {enginetest.With("ben", access.SecretsRead), secrets.SetSecret{Name: "A", Value: "v"}, refusal.Forbidden, ""},
		"an hour later":      {tired, secrets.SetSecret{Name: "A", Value: "v"}, refusal.Forbidden, ""},
	} {
		t.Run(name, func(t *testing.T) {
			call := c.call
			if call == nil {
				call = enginetest.By("ana")
			}
			_, err := tool.Do(t.Context(), b.Run, b.Secrets.Set, call, c.in)
			no := refusal.Of(err)
			if no == nil || no.Class != c.class || c.field != "" && no.Fields[c.field] == "" {
				t.Errorf("got %v (%v), want %s on %q", err, no, c.class, c.field)
			}
		})
	}
	if _, err := tool.Do(t.Context(), b.Run, b.Secrets.Set, enginetest.By("ana"), secrets.SetSecret{Name: "A\x00\xff", Value: "v"}); !refusal.Is(err, refusal.Invalid) {
		t.Errorf("a NUL in the name: %v", err)
	}
	var rows int
	if err := b.DB.GetContext(t.Context(), &rows, `SELECT count(*) FROM audit WHERE object = 'secret:A'`); err != nil || rows < 1 {
		t.Errorf("the refusal left no row: %v", err)
	}
	all, err := tool.Do(t.Context(), b.Run, b.Secrets.List, enginetest.By("ana"), secrets.ListSecrets{})
	if err != nil || len(all.Secrets) != 0 {
		t.Errorf("something was stored: %+v %v", all, err)
	}
}
