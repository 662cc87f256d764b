package ui

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/a-h/templ"
)

func TestAKeeperDrawsOnce(t *testing.T) {
	t.Parallel()
	var k Keeper
	times := 0
	draw := func(key string) string {
		var out strings.Builder
		c := templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
			times++
			_, err := io.WriteString(w, "<p>"+key+"</p>")
			return err
		})
		if err := k.Draw(key, c).Render(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for range 3 {
		if got := draw("a") + draw("b"); got != "<p>a</p><p>b</p>" {
			t.Errorf("drew %s", got)
		}
	}
	if times != 2 {
		t.Errorf("drawn %d times", times)
	}
}

func TestAKeeperKeepsNoFailure(t *testing.T) {
	t.Parallel()
	var k Keeper
	fails := true
	c := templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		if _, err := io.WriteString(w, "half"); err != nil || fails {
			return errors.Join(err, errors.New("it broke"))
		}
		return nil
	})
	var out strings.Builder
	if err := k.Draw("a", c).Render(t.Context(), &out); err == nil || out.Len() > 0 {
		t.Errorf("drew %q, %v", out.String(), err)
	}
	fails = false
	if err := k.Draw("a", c).Render(t.Context(), &out); err != nil || out.String() != "half" {
		t.Errorf("drew %q, %v", out.String(), err)
	}
}

func TestAKeeperIsBounded(t *testing.T) {
	t.Parallel()
	var k Keeper
	for i := range 100 {
		k.keep(strconv.Itoa(i), make([]byte, keeperMost/10))
	}
	k.keep("all of it", make([]byte, keeperMost))
	if _, kept := k.get("all of it"); kept || k.size > keeperMost || len(k.drawn) == 0 {
		t.Errorf("%d bytes in %d", k.size, len(k.drawn))
	}
}
