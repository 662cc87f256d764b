package secrets_test

import (
	"strings"
	"testing"

	"crewlet/engine"
	"crewlet/engine/enginetest"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
)

func TestRekeyingKeepsWhoAndWhen(t *testing.T) {
	t.Parallel()
	_, old, err := secrets.NewKeyring("old")
	if err != nil {
		t.Fatal(err)
	}
	_, fresh, err := secrets.NewKeyring("new")
	if err != nil {
		t.Fatal(err)
	}
	before, err := secrets.ParseKeyring(old)
	if err != nil {
		t.Fatal(err)
	}
	both, err := secrets.ParseKeyring(fresh + old)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := secrets.ParseKeyring(fresh)
	if err != nil {
		t.Fatal(err)
	}
	b := enginetest.New(t, func(o *engine.Options) { o.Ring = before })
	stored, err := tool.Do(t.Context(), b.Run, b.Secrets.Set, enginetest.By("ana"), secrets.SetSecret{Name: "A", Value: "swordfish"})
	if err != nil {
		t.Fatal(err)
	}
	turned := secrets.New(both, b.Company.ReferencesIn)
	for _, want := range []int{1, 0} {
		out, err := tool.Do(t.Context(), b.Run, turned.Rekey, enginetest.By("ben"), secrets.RekeySecrets{})
		if err != nil || out.Count != want {
			t.Fatalf("sealed %d anew, want %d (%v)", out.Count, want, err)
		}
	}
	values, err := secrets.New(alone, b.Company.ReferencesIn).Values(t.Context(), b.DB)
	if err != nil || values["A"].Plain != "swordfish" {
		t.Errorf("the new key alone opens %v, %v", values, err)
	}
	all, err := tool.Do(t.Context(), b.Run, turned.List, enginetest.By("ana"), secrets.ListSecrets{})
	if err != nil || all.Secrets[0].SetBy != stored.SetBy || !all.Secrets[0].SetAt.Equal(stored.SetAt) || all.Secrets[0].Version != 1 {
		t.Errorf("it reads as stored %+v, %v", all.Secrets, err)
	}
	inUse, err := secrets.KeysInUse(t.Context(), b.DB)
	if err != nil || strings.Join(inUse, ",") != "new" || secrets.CheckRing(alone, inUse) != nil || secrets.CheckRing(before, inUse) == nil {
		t.Errorf("keys in use: %v, %v", inUse, err)
	}
}
