package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// fullDocument is a company with everything that stretches a page: units in units,
// long names, scripts that run the other way, a server that cannot start and
// one that waits.
const fullDocument = `name: Öresund Bridge & Ferry Works
mission: |
  Build bridges. Keep them up.
vision: One town on two shores, and nobody who has to wait for the boat
policies: [be kind, "write it down"]
timezone: Europe/Copenhagen
units:
  - id: eng
    name: Engineering
    type: department
    project: ENG
    purpose: Make it, and make it again where the first one did not hold the weight of what people really put on it
    goals: [ship, sleep]
    lead: ada
    roles:
      - {name: Ada Lovelace-Þórsdóttir, handle: ada, kind: human, email: ada@example.com, goal: "Keep the service up, also on the nights when nobody else is awake to keep it up"}
      - {name: Backend lead, goal: Keep the service up}
      - {name: "מהנדסת גשרים", handle: bridge-engineer, goal: "לבנות גשרים שמחזיקים מעמד"}
    children:
      - name: Platform
        children:
          - name: A unit with a name nobody would say aloud twice in the same meeting
            purpose: 基盤を支えるためのチームで、夜も昼も止まらない仕組みを作る
            roles:
              - {name: "Release pilot 🚀", handle: release-pilot, goal: "Onwards 🛰️🌍👩‍🚀"}
              - {name: 山田花子, handle: hanako}
  - id: sales
    name: Sales
roles:
  - {name: Chief of staff, handle: chief}
mcp_servers:
  - name: broken
    command: no-such-program-on-any-path
    args: ["--an-argument-that-is-rather-long=/srv/data/with/a/path/that/never/ends/and/holds/no/blank", "--verbose"]
  - name: waiting-for-a-secret
    command: npx
    args: ["-y", "@modelcontextprotocol/server-everything"]
    env: {TOKEN: "${NOT_STORED_YET}", HOST: "${GITHUB_TOKEN}"}
`

// fullCompany serves a node whose every page has something to show.
func fullCompany(t *testing.T, environ ...string) *site {
	t.Helper()
	path := filepath.Join(t.TempDir(), "company.yaml")
	keep := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keep(fullDocument)
	s := serving(t, append(environ, "CREWLET_COMPANY="+path)...)
	s.administrator(t, "Ana 🦊 Administratorsdóttir de la Vega y Fernández-Castellanos")
	s.visitor(t).signIn()

	text := fullDocument
	for i, c := range [][2]string{
		{"timezone: Europe/Copenhagen", "timezone: Europe/Stockholm"},
		{"ship, sleep", "ship, sleep, לישון"},
		{"One town on two shores", "Two towns, one shore"},
	} {
		text = strings.Replace(text, c[0], c[1], 1)
		keep(text)
		s.must(t, "", "company", "import", path, "--if-match", strconv.Itoa(i+1), "--summary", "Because it had to be said: "+c[1]+" 🚢 "+strings.Repeat("and again ", 12))
	}
	s.must(t, "hunter2-hunter2", "secrets", "set", "GITHUB_TOKEN")
	s.must(t, "hunter2-hunter2", "secrets", "set", "A_NAME_AS_LONG_AS_IT_TAKES_TO_BREAK_A_TABLE_"+strings.Repeat("X", 80))
	s.must(t, "", "token", "create", "--label", "ci:release", "--grants", "all")
	s.must(t, "", "token", "create", "--label", "релиз 🚀 שלום, a label of sixty-four characters at the very most", "--grants", "state:read")
	s.must(t, "", "token", "create", "--label", "old", "--grants", "state:read")
	s.must(t, "", "token", "revoke", "old")
	s.people(t)
	s.work(t)
	s.record(t)
	return s
}

// people puts more of them in: one in a seat, one who is withheld and kept
// out, and one who is invited.
func (s *site) people(t *testing.T) {
	t.Helper()
	s.person(t, "ada.lovelace-thorsdottir-of-the-long-login", "Ada Lovelace-Þórsdóttir", "{all}")
	s.person(t, "mo.h", "مديرة الجسور والعبّارات 🦊", "{state:read,work:write,knowledge:write,config:read}")
	s.write(t, `UPDATE people SET seat = (SELECT id FROM seats WHERE handle = 'ada') WHERE login LIKE 'ada.%'`)
	s.write(t, `UPDATE people SET withheld = true, stage = 'suspended' WHERE login = 'mo.h'`)
	s.write(t, `
		INSERT INTO invitations (id, digest, name, email, grants, author, author_name, created_at, expires_at)
		VALUES (gen_random_uuid(), sha256('x'), '山田花子と長い長い名前のひとびと', 'somebody.with.a.long.address@an.even.longer.example.com',
			'{all}', 'person:x', 'ana.admin', now(), now() + interval '6 days')`)
	s.write(t, `
		INSERT INTO tokens (id, label, digest, grants, sensitive, created_by, created_at, expires_at, person)
		SELECT gen_random_uuid(), 'claude on a laptop with a rather long name 🚀', sha256('y'), '{state:read}', true, login, now(), now() + interval '3 days', id
		FROM people WHERE login = 'ana.admin'`)
}

// record fills the record with rows no page should be broken by.
func (s *site) record(t *testing.T) {
	t.Helper()
	s.write(t, `
		INSERT INTO audit (at, actor, actor_name, credential, door, verb, object, outcome, reason, request_id)
		SELECT now() - n * interval '7 minutes', 'person:' || gen_random_uuid(), who.name, 'session:x', 'page', 'set_secret',
			'secret:' || who.object, who.outcome, '', gen_random_uuid()::text
		FROM generate_series(1, 20) n, (VALUES
			('Ana Admin', 'SHORT', 'applied'),
			('مديرة الجسور والعبّارات 🦊', repeat('LONG_', 40), 'forbidden'),
			('山田花子と長い長い名前のひとびと', '名前', 'stale_version')) AS who (name, object, outcome)`)
}

// must gives a command that has to succeed.
func (s *site) must(t *testing.T, stdin string, args ...string) {
	t.Helper()
	if _, err := s.command(t, stdin, args...); err != nil {
		t.Fatalf("crewlet %s: %v", strings.Join(args, " "), err)
	}
}
