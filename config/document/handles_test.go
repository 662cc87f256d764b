package document_test

import (
	"testing"

	"crewlet/config/document"
)

func TestHandles(t *testing.T) {
	refuses(t, map[string]refusal{
		"one handle twice": {"name: A\nroles:\n- {name: X, handle: lead}\n- {name: Y, handle: lead}\n", 4, "roles[1].handle",
			"belongs to the seat roles[0] on line 3 already. Handles are unique: write another one here, such as handle: lead-2."},
		"one name twice":     {"name: A\nroles:\n- name: Lead\n- name: lead\n", 4, "roles[1].name", "\"lead\" belongs to"},
		"a name as a handle": {"name: A\nroles: [{name: Back End}, {name: Y, handle: back-end}]\n", 2, "roles[1].handle", "roles[0]"},
		"across units": {"name: A\nunits:\n- name: U\n  roles: [{name: X}]\n  children:\n  - name: V\n    roles:\n    - name: x\n", 8,
			"units[0].children[0].roles[0].name", "units[0].roles[0] on line 4"},
		"dotted":                {"name: A\nroles: [{name: X, handle: jane.doe}]\n", 2, "roles[0].handle", "such as jane-doe"},
		"a capital":             {"name: A\nroles: [{name: X, handle: Lead}]\n", 2, "roles[0].handle", "such as lead"},
		"a machine's":           {"name: A\nroles: [{name: X, handle: 'ci:lead'}]\n", 2, "roles[0].handle", "no handle"},
		"a word of queries":     {"name: A\nroles: [{name: Me}]\n", 2, "roles[0].name", "means something else"},
		"nothing to make one":   {"name: A\nroles: [{name: 田中}]\n", 2, "roles[0].name", "Write handle:"},
		"a long handle":         {"name: A\nroles: [{name: X, handle: " + string(make64('a')) + "a}]\n", 2, "roles[0].handle", "65 characters"},
		"a lead of nobody":      {"name: A\nunits: [{name: U, lead: bob}]\nroles: [{name: Rob}]\n", 2, "units[0].lead", "Did you mean rob?"},
		"a unit's id twice":     {"name: A\nunits:\n- name: U\n- {name: V, id: u}\n", 4, "units[1].id", "units[0] on line 3"},
		"a project twice":       {"name: A\nunits:\n- {name: U, project: ENG}\n- {name: V, project: ENG}\n", 4, "units[1].project", "owned by the unit units[0]"},
		"a small project":       {"name: A\nunits:\n- {name: U, project: eng}\n", 3, "units[0].project", "capital letters"},
		"a manager of nobody":   {"name: A\nroles: [{name: X, manages: [y]}]\n", 2, "roles[0].manages[0]", "no seat and no unit"},
		"a manager of oneself":  {"name: A\nroles: [{name: X, manages: [x]}]\n", 2, "roles[0].manages[0]", "itself"},
		"a capital id":          {"name: A\nunits: [{name: U, id: Big Unit}]\n", 2, "units[0].id", "such as big-unit"},
		"nothing for an id":     {"name: A\nunits: [{name: 部}]\n", 2, "units[0].name", "Write id:"},
		"the company as a unit": {"name: A\nunits: [{name: Company}]\n", 2, "units[0].name", "whole company"},
		"a unit of no name":     {"name: A\nunits: [{type: team}]\n", 2, "units[0]", "Write name:"},
		"a seat of no name":     {"name: A\nroles: [{kind: human}]\n", 2, "roles[0]", "Write name:"},
		"the space of skills":   {"name: A\nunits: [{name: U, space: tool-skills}]\n", 2, "units[0].space", "pages about tools"},
		"a capital space":       {"name: A\nunits: [{name: U, space: Big Space}]\n", 2, "units[0].space", "such as big-space"},
		"a project of nobody":   {"name: A\nroles: [{name: X, project: ENG}]\n", 2, "roles[0].project", "No unit declares"},
		"a space of nobody":     {"name: A\nroles: [{name: X, space: eng}]\n", 2, "roles[0].space", "There is company."},
		"a person with tools":   {"name: A\nroles:\n- name: X\n  kind: human\n  budget: {calls_per_day: 1}\n", 5, "roles[0].budget", "is for agents"},
		"no e-mail":             {"name: A\nroles: [{name: X, email: jane}]\n", 2, "roles[0].email", "jane@example.com"},
	})
}

func make64(c byte) []byte {
	b := make([]byte, 64)
	for i := range b {
		b[i] = c
	}
	return b
}

func TestSlug(t *testing.T) {
	for name, want := range map[string]string{
		"Backend lead": "backend-lead", "Ångström & Söhne": "angstrom-sohne", " 3D  artist! ": "3d-artist", "田中": "", "a_b": "a-b",
	} {
		if got := document.Slug(name); got != want {
			t.Errorf("Slug(%q) = %q, want %q", name, got, want)
		}
	}
}
