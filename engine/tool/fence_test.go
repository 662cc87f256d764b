package tool

import (
	"encoding/json"
	"strings"
	"testing"
)

const (
	markA = "0123456789abcdef01234567"
	markB = "fedcba9876543210fedcba98"
)

func TestWhatComesBackInItsFenceLosesIt(t *testing.T) {
	in := func(mark, text string) string { return fence(mark, "ana (human): a colleague's word", text) }
	for name, c := range map[string]struct{ text, want string }{
		"nothing":                {"", ""},
		"plain text":             {"a ==end== b", "a ==end== b"},
		"whole":                  {in(markA, "a\nb"), "a\nb"},
		"its own line end stays": {in(markA, "a\n"), "a\n"},
		"empty":                  {in(markA, ""), ""},
		"from a form":            {strings.ReplaceAll(in(markA, "a\nb"), "\n", "\r\n"), "a\r\nb"},
		"indented":               {"  " + strings.ReplaceAll(in(markA, "a"), "\n", " \n\t"), "\ta "},
		"blanks around it":       {"\n" + in(markA, "a") + "\n", "\na\n"},
		"with more below":        {in(markA, "a") + "\n\nb", "a\n\nb"},
		"parts put together":     {in(markA, "a") + "\n" + in(markB, "b"), "a\nb"},
		"one in another":         {in(markA, "x\n"+in(markB, "a")+"\ny"), "x\na\ny"},
		"the same twice":         {in(markA, in(markA, "a")), "a"},
		"no last line":           {"==text " + markA + " by ana==\na", "==text " + markA + " by ana==\na"},
		"no first line":          {"a\n==end " + markA + "==", "a\n==end " + markA + "=="},
		"the other way round":    {"==end " + markA + "==\na\n==text " + markA + " by ana==", "==end " + markA + "==\na\n==text " + markA + " by ana=="},
		"another's last line":    {"==text " + markA + " by ana==\na\n==end " + markB + "==", "==text " + markA + " by ana==\na\n==end " + markB + "=="},
		"no mark":                {"==text 123 by ana==\na\n==end 123==", "==text 123 by ana==\na\n==end 123=="},
	} {
		t.Run(name, func(t *testing.T) {
			if got := unfenced(c.text); got != c.want {
				t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// Whatever a text is, it comes out of its fence as it went in, without such
// fences as it held itself.
func FuzzUnfenced(f *testing.F) {
	for _, text := range []string{"", "a\nb\r\n", "\r", "==text ", "==end " + markB + "==", fence(markB, "x", "y\n"), fence(markB, "x", "y") + "\n==end " + markB + "==", "==text " + markB + " by x==\r\n\r\n==end " + markB + "=="} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		bare := unfenced(text)
		if again := unfenced(bare); again != bare {
			t.Errorf("%q becomes %q, and then %q", text, bare, again)
		}
		if len(bare) > len(text) {
			t.Errorf("%q grew to %q", text, bare)
		}
		if strings.Contains(text, markA) {
			return // its mark is nobody's to know
		}
		if got := unfenced(fence(markA, "x", text)); got != bare {
			t.Errorf("%q comes out of its fence as %q, want %q", text, got, bare)
		}
	})
}

func TestArgumentsLoseTheirFence(t *testing.T) {
	type inner struct {
		Text string `json:"text" text:"lines"`
	}
	type asked struct {
		Title string            `json:"title" validate:"max=5"`
		Body  *string           `json:"body" text:"lines"`
		Raw   string            `json:"raw" text:"raw"`
		Maybe Maybe[string]     `json:"maybe,omitzero"`
		List  []string          `json:"list"`
		Map   map[string]string `json:"map"`
		Inner []inner           `json:"inner"`
		Any   json.RawMessage   `json:"any"`
	}
	wrap := func(text string) string { return fence(markA, "ana (human): a colleague's word", text) }
	body := wrap("a\nb")
	whole, _ := Encode(map[string]any{"n": json.Number("1e400"), "list": []any{wrap("<x>"), 1}})
	got, err := Check(asked{
		Title: wrap("Title"), Body: &body, Raw: wrap("r\x01"), Maybe: Some(wrap("m")), List: []string{wrap("l")},
		Map: map[string]string{"k": wrap("v")}, Inner: []inner{{wrap("i\n")}}, Any: whole,
	})
	if string(got.Any) != `{"list":["<x>",1],"n":1e400}` {
		t.Errorf("any JSON is %s", got.Any)
	}
	if err != nil || got.Title != "Title" || *got.Body != "a\nb" || got.Raw != "r\x01" || got.Maybe.Value != "m" || got.List[0] != "l" || got.Map["k"] != "v" || got.Inner[0].Text != "i\n" {
		t.Errorf("%v: they are %+v, the body %q", err, got, *got.Body)
	}
}
