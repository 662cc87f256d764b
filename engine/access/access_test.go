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

func TestWhoTheObjectLetsIn(t *testing.T) {
	ann := Principal{Kind: Person, ID: "1", Grants: WorkWrite, Seat: "s1", Handle: "cto"}
	bob := Principal{Kind: Person, ID: "2", Grants: WorkWrite}
	agent := Principal{Kind: Seat, ID: "s2", Grants: All}
	boss := Principal{Kind: Person, ID: "3", Grants: WorkWrite | PeopleManage}
	for name, c := range map[string]struct {
		row    Row
		facts  Facts
		by     Principal
		reason any
	}{
		"her own, by her seat":             {OwnOrLead(WorkWrite), Facts{Owner: "seat:s1"}, ann, nil},
		"her own, by her name":             {OwnOrLead(WorkWrite), Facts{Owner: "person:1"}, ann, nil},
		"a report's":                       {OwnOrLead(WorkWrite), Facts{Owner: "seat:s2", Leads: []string{"seat:s1"}}, ann, nil},
		"a colleague's":                    {OwnOrLead(WorkWrite), Facts{Owner: "seat:s1", Leads: []string{"seat:s9"}}, agent, "not_lead"},
		"nobody's":                         {OwnOrLead(WorkWrite), Facts{}, bob, "not_lead"},
		"with grants instead":              {OwnOrLead(WorkWrite).Or(PeopleManage), Facts{Owner: "seat:s1"}, boss, nil},
		"without those grants":             {OwnOrLead(WorkWrite).Or(PeopleManage), Facts{Owner: "seat:s1"}, bob, "not_lead"},
		"a seat with those grants":         {OwnOrLead(WorkWrite).Or(PeopleManage), Facts{Owner: "seat:s1"}, agent, "not_lead"},
		"the container's lead":             {ContainerLead(WorkWrite), Facts{Leads: []string{"seat:s2"}}, agent, nil},
		"a seat that does not lead":        {ContainerLead(WorkWrite), Facts{Leads: []string{"seat:s1"}}, agent, "not_lead"},
		"a person who does not lead":       {ContainerLead(WorkWrite), Facts{Leads: []string{"seat:s1"}}, bob, nil},
		"the author":                       {Authored(WorkWrite), Facts{Author: "seat:s2"}, agent, nil},
		"the author, before her seat":      {Authored(WorkWrite), Facts{Author: "person:1"}, ann, nil},
		"somebody else":                    {Authored(WorkWrite), Facts{Author: "seat:s2", Owner: "person:2"}, bob, "not_author"},
		"somebody else, with grants":       {Authored(WorkWrite).Or(PeopleManage), Facts{Author: "seat:s2"}, boss, nil},
		"what nobody wrote":                {Authored(WorkWrite), Facts{}, Principal{Kind: Seat}, "not_author"},
		"one's own by the name of a seat":  {Self(), Facts{Owner: "seat:s1"}, ann, nil},
		"somebody's by the name of a seat": {Self(), Facts{Owner: "seat:s1"}, bob, "not_self"},
	} {
		t.Run(name, func(t *testing.T) {
			no := refusal.Of(Owns(c.row, c.facts, c.by))
			if (no == nil) != (c.reason == nil) || no != nil && (no.Class != refusal.Forbidden || no.Details["reason"] != c.reason) {
				t.Errorf("got %v, want %v", no, c.reason)
			}
			if no != nil && (c.row.Admits == None) != (no.Details["grants"] == nil) {
				t.Errorf("it names %v", no.Details["grants"])
			}
		})
	}
	if got := OwnOrLead(WorkWrite).Or(PeopleManage).String(); got != "own or lead(work:write) or operator(people:manage)" {
		t.Errorf("the row reads %s", got)
	}
}

func TestWhatAPrincipalIsCalled(t *testing.T) {
	for name, c := range map[string]struct {
		by              Principal
		party, recorded string
		parties         int
	}{
		"a person":              {Principal{Kind: Person, ID: "1"}, "person:1", "operator", 1},
		"a person in a seat":    {Principal{Kind: Person, ID: "1", Seat: "s"}, "seat:s", "human", 2},
		"a machine":             {Principal{Kind: Machine, ID: "m"}, "machine:m", "operator", 1},
		"a machine with a seat": {Principal{Kind: Machine, ID: "m", Seat: "s"}, "seat:s", "human", 2},
		"a seat":                {Principal{Kind: Seat, ID: "s", Seat: "s"}, "seat:s", "agent", 1},
		"the engine":            {System(), "", "system", 0},
		"nobody":                {Principal{}, "", "operator", 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.by.Party(); got != c.party || c.by.RecordedAs() != c.recorded || len(c.by.Parties()) != c.parties {
				t.Errorf("it is %q, recorded as %s, of %v", got, c.by.RecordedAs(), c.by.Parties())
			}
		})
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
