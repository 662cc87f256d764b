package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"crewlet/db/dbtest"
)

// importOver imports a text over the newest revision, as somebody does who is
// told its number.
func (s *site) importOver(t *testing.T, text string) {
	t.Helper()
	_, err := s.command(t, text, "company", "import", "-")
	if err == nil {
		t.Fatal("what somebody wrote was written over")
	}
	told := regexp.MustCompile(`--if-match (\d+)$`).FindStringSubmatch(err.Error())
	if told == nil {
		t.Fatalf("import says %v", err)
	}
	s.must(t, text, "company", "import", "-", "--if-match", told[1])
}

// Only the revision of a first start is written over unasked; any other is
// named, and compared.
func TestAnImportIsCompared(t *testing.T) {
	s := serving(t)
	s.must(t, "name: One\n", "company", "import", "-")
	s.importOver(t, "name: Two\n")
	if _, err := s.command(t, "name: Three\n", "company", "import", "-", "--if-match", "2"); err == nil || !strings.Contains(err.Error(), "wrote revision 3") {
		t.Errorf("over an older one: %v", err)
	}
	out, err := s.command(t, "", "company", "show")
	if err != nil || out != "name: Two\n" {
		t.Errorf("show says %q, %v", out, err)
	}
}

func TestAProblemIsPrintedWhereItIs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "company.yaml")
	for text, says := range map[string]string{
		"name: A\nunits: [\n":     ":2:8: A [ or { is opened",
		"name: A\nmision: x\n":    ":2:1: mision: There is no key",
		"name: A\n---\nname: B\n": ":2:1: A second document",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		stderr := &said{}
		p := &program{environ: []string{"CREWLET_DATA=" + t.TempDir()}, stdin: strings.NewReader(""), stdout: &said{}, stderr: stderr}
		if err := p.run(t.Context(), []string{"company", "validate", file}); err == nil || !strings.HasPrefix(stderr.String(), file+says) {
			t.Errorf("says %s%v, want %s", stderr, err, says)
		}
	}
}

// CREWLET_COMPANY is for the first revision: afterwards the file may be gone.
func TestTheFirstCompanysFile(t *testing.T) {
	file, address := filepath.Join(t.TempDir(), "company.yaml"), free(t)
	s := &site{url: "http://" + address, environ: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "CREWLET_LISTEN=" + address, "CREWLET_DATA=" + t.TempDir(),
		"CREWLET_DATABASE_URL=" + dbtest.URL(t), "CREWLET_COMPANY=" + file,
	}}
	if _, err := s.command(t, "", "serve"); err == nil || !strings.Contains(err.Error(), "CREWLET_COMPANY") || !strings.Contains(err.Error(), file) {
		t.Fatalf("without the file: %v", err)
	}
	if err := os.WriteFile(file, []byte("name: Filed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	started := func(t *testing.T) {
		s.out, s.log = &said{}, &said{}
		s.start(t)
		if out, err := s.command(t, "", "company", "show"); err != nil || out != "name: Filed\n" {
			t.Errorf("show says %q, %v", out, err)
		}
	}
	t.Run("the first start", started)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	t.Run("a later start", started)
}
