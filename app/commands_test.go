package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crewlet/config/document"
)

// given runs one command with nothing but its arguments.
func given(t *testing.T, stdin string, args ...string) (out string, err error) {
	t.Helper()
	stdout := &said{}
	p := &program{environ: []string{"CREWLET_DATA=" + t.TempDir()}, stdin: strings.NewReader(stdin), stdout: stdout, stderr: &said{}}
	err = p.run(t.Context(), args)
	return stdout.String(), err
}

func TestDemoCompanyIsInOrder(t *testing.T) {
	text, err := os.ReadFile("../docs/demo/company.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, problems := document.Parse(text); len(problems) > 0 {
		t.Error(problems)
	}
}

func TestEveryCommandExplainsItself(t *testing.T) {
	for _, c := range commands() {
		if c.brief == "" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			out, err := given(t, "", append(strings.Fields(c.name), "-h")...)
			if err != nil || !strings.Contains(out, c.brief) || !strings.Contains(out, "Usage: crewlet "+c.name) {
				t.Errorf("-h says %q, %v", out, err)
			}
		})
	}
}

func TestCommandsRefuse(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "company.yaml")
	if err := os.WriteFile(bad, []byte("nam: Acme\ntimezone: Mars/Olympus\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"nothing known":       {[]string{"frobnicate"}, 2, "There is no command"},
		"a near miss":         {[]string{"secret", "list"}, 2, `Did you mean "crewlet secrets list"?`},
		"half a command":      {[]string{"company"}, 2, "company import"},
		"too few arguments":   {[]string{"company", "validate"}, 2, "This is written: crewlet company validate FILE"},
		"an unknown flag":     {[]string{"token", "create", "--lable", "x"}, 2, "-h"},
		"no label":            {[]string{"token", "create", "--grants", "all"}, 2, "--label and --grants"},
		"no such file":        {[]string{"company", "validate", "/nowhere.yaml"}, 1, "/nowhere.yaml"},
		"a bad document":      {[]string{"company", "validate", bad}, 1, "things are wrong"},
		"a value that is not": {[]string{"secrets", "set", "TOKEN"}, 1, "standard input held no value"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := given(t, "", c.args...)
			if err == nil || exitCode(err) != c.code || !strings.Contains(says(err), c.says) {
				t.Errorf("got %v (exit %d), want %q (exit %d)", err, exitCode(err), c.says, c.code)
			}
		})
	}
}

func TestUnknownSettingIsRefused(t *testing.T) {
	p := &program{environ: []string{"CREWLET_LISTNE=127.0.0.1:1", "CREWLET_CHILD=x", "CREWLET_URL=x"}, stdout: &said{}, stderr: &said{}}
	err := p.run(t.Context(), []string{"serve"})
	if err == nil || !strings.Contains(err.Error(), "CREWLET_LISTEN") || strings.Contains(err.Error(), "CREWLET_CHILD") {
		t.Errorf("got %v", err)
	}
}

func TestCommandsBesideAServingNode(t *testing.T) {
	s := serving(t)
	if _, err := s.command(t, "swordfish\n", "secrets", "set", "HUB_TOKEN", "--host", "hub.example"); err != nil {
		t.Fatal(err)
	}
	// In this order: each import is over the revision before it.
	for _, c := range []struct {
		name  string
		stdin string
		args  []string
		says  string
		wrong string
	}{
		{"list secrets", "", []string{"secrets", "list"}, "HUB_TOKEN", ""},
		{"show the document", "", []string{"company", "show"}, "name: My company", ""},
		{"import one", "name: Acme\nmcp_servers: []\n", []string{"company", "import", "-"}, "This is revision 2 now.", ""},
		{"import a bad one", "name: [\n", []string{"company", "import", "-", "--if-match", "1"}, "", "revision 1"},
		{"import nothing good", "name: [\n", []string{"company", "import", "-", "--if-match", "2"}, "", "Line 1: A ["},
		{"a new set-up link", "", []string{"setup-link"}, "/setup/", ""},
		{"migrate", "", []string{"migrate"}, "up to date", ""},
		{"version", "", []string{"version"}, "crewlet dev", ""},
		{"revoke what is not", "", []string{"token", "revoke", "nothing"}, "", "id"},
		{"a grant nobody knows", "", []string{"token", "create", "--label", "x", "--grants", "config:reed"}, "", "config:read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := s.command(t, c.stdin, c.args...)
			if c.wrong == "" && (err != nil || !strings.Contains(out, c.says)) {
				t.Errorf("said %q, %v; want %q", out, err, c.says)
			}
			if c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)) {
				t.Errorf("got %v, want %q", err, c.wrong)
			}
			if strings.Contains(out, "swordfish") {
				t.Error("the value of a secret is shown")
			}
		})
	}
	token := s.token(t, "--grants", "state:read")
	if !strings.HasPrefix(token, "crw_tok_") || strings.ContainsAny(token, " \n") {
		t.Errorf("standard output holds %q", token)
	}
	if out, err := s.command(t, "", "token", "revoke", "test"); err != nil || !strings.Contains(out, "revoked") {
		t.Errorf("revoke: %q %v", out, err)
	}
	if out, err := s.command(t, "", "secrets", "remove", "HUB_TOKEN"); err != nil || !strings.Contains(out, "deleted") {
		t.Errorf("remove: %q %v", out, err)
	}
}
