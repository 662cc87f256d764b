package access

import (
	"strings"
	"testing"

	"crewlet/engine/refusal"
)

func TestMay(t *testing.T) {
	admin := Principal{Kind: Person, ID: "1", Grants: All, Fresh: true}
	tired := Principal{Kind: Person, ID: "1", Grants: All}
	reader := Principal{Kind: Person, ID: "2", Grants: StateRead, Fresh: true}
	seat := Principal{Kind: Seat, ID: "3", Grants: All, Fresh: true}
	for name, c := range map[string]struct {
		row    Row
		by     Principal
		reason any
		class  refusal.Class
	}{
		"holds it":               {Write(ConfigWrite), admin, nil, ""},
		"open to nobody":         {Open(), Principal{}, nil, ""},
		"nobody":                 {Read(StateRead), Principal{}, nil, refusal.Unauthenticated},
		"nobody on a self row":   {Self(), Principal{}, nil, refusal.Unauthenticated},
		"lacks the grant":        {Write(ConfigWrite), reader, "no_grant", refusal.Forbidden},
		"seat at an operator's":  {Operator(StateRead), seat, "seat_refused", refusal.Forbidden},
		"seat at a reader's":     {Read(StateRead), seat, nil, ""},
		"password too long ago":  {Write(SecretsWrite).Sensitive(), tired, "step_up", refusal.Forbidden},
		"grant before step-up":   {Write(SecretsWrite).Sensitive(), reader, "no_grant", refusal.Forbidden},
		"person at the engine's": {EngineOnly(), admin, "no_scope", refusal.Forbidden},
		"engine at its own":      {EngineOnly(), System(), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			no := refusal.Of(May(c.row, c.by))
			if (no == nil) != (c.class == "") || no != nil && (no.Class != c.class || no.Details["reason"] != c.reason) {
				t.Errorf("got %v %v, want %q %v", no, no, c.class, c.reason)
			}
		})
	}
}

func TestOwns(t *testing.T) {
	by := Principal{Kind: Person, ID: "1"}
	if Owns(Self(), Facts{Owner: "person:1"}, by) != nil {
		t.Error("the owner is refused")
	}
	if !refusal.Is(Owns(Self(), Facts{Owner: "person:2"}, by), refusal.Forbidden) {
		t.Error("a stranger is let in")
	}
	if !refusal.Is(Owns(Self(), Facts{}, by), refusal.Forbidden) {
		t.Error("a record nobody owns is let in")
	}
}

func TestGrantsReadBack(t *testing.T) {
	for _, name := range Names() {
		g, err := ParseGrants([]string{name})
		if err != nil || g.String() != name {
			t.Errorf("%s reads back as %q, %v", name, g, err)
		}
	}
	if g, _ := ParseGrants([]string{"all"}); g != All || len(g.List()) != len(Names()) {
		t.Errorf("all is %v", g)
	}
	if g, err := Stored([]string{}); g != None || err != nil {
		t.Errorf("nothing is %v, %v", g, err)
	}
	if g, err := Stored((ConfigRead | AuditRead).List()); g != ConfigRead|AuditRead || err != nil {
		t.Errorf("two are %v, %v", g, err)
	}
	if g, err := Stored([]string{"state:read", "moon:land"}); g != None || err == nil {
		t.Errorf("a grant of a later version is %v, %v", g, err)
	}
}

func TestGrantsAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		list []string
		says string
	}{
		"a misspelt one":  {[]string{"config:wirte"}, `holds "config:wirte", which is no grant. Did you mean config:write? The grants are state:read,`},
		"nobody's":        {[]string{"state:read", "moon:landing"}, `holds "moon:landing", which is no grant. The grants are`},
		"none":            {nil, "names no grant. Write all, or some of state:read,"},
		"all beside some": {[]string{"all", "state:read"}, "has all beside other grants. Write all alone, or leave it away"},
	} {
		t.Run(name, func(t *testing.T) {
			if g, err := ParseGrants(c.list); g != None || err == nil || !strings.HasPrefix(err.Error(), c.says) {
				t.Errorf("got %v, %v", g, err)
			}
		})
	}
	if g, err := ParseGrants([]string{" state:read", "config:read "}); g != StateRead|ConfigRead || err != nil {
		t.Errorf("with spaces: %v, %v", g, err)
	}
}

func TestEveryGrantKeepsItsBit(t *testing.T) {
	for name, g := range map[string]Grants{
		"state:read": StateRead, "audit:read": AuditRead, "config:read": ConfigRead, "secrets:read": SecretsRead,
		"work:write": WorkWrite, "knowledge:write": KnowledgeWrite, "config:write": ConfigWrite, "secrets:write": SecretsWrite,
		"fleet:operate": FleetOperate, "people:manage": PeopleManage, "sandbox:run": SandboxRun,
	} {
		if g.String() != name {
			t.Errorf("the bit of %s reads %s", name, g)
		}
	}
}
