package servers

import "testing"

func TestVisible(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"plain":                  {"Read a file.\n\tThen\r\nstop.", "Read a file.\n\tThen\r\nstop."},
		"other scripts":          {"Größe, 日本語, 한국어, עברית, العربية, हिन्दी", "Größe, 日本語, 한국어, עברית, العربية, हिन्दी"},
		"escape":                 {"a\x1b[31mb\x00\x7f\u0085", "a⟨U+001B⟩[31mb⟨U+0000⟩⟨U+007F⟩⟨U+0085⟩"},
		"direction":              {"a\u202eb\u2066c\u2067d\u2068e\u2069f\u200e\u200f\u061c", "a⟨U+202E⟩b⟨U+2066⟩c⟨U+2067⟩d⟨U+2068⟩e⟨U+2069⟩f⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩"},
		"no width":               {"de\u200ble\ufeffte\u2060 so\u00adft", "de⟨U+200B⟩le⟨U+FEFF⟩te⟨U+2060⟩ so⟨U+00AD⟩ft"},
		"joiners in Latin":       {"a\u200db\u200cc", "a⟨U+200D⟩b⟨U+200C⟩c"},
		"joiners at an end":      {"\u200da\u200c", "⟨U+200D⟩a⟨U+200C⟩"},
		"joiners where they are": {"می\u200cخواهم क्\u200dष", "می\u200cخواهم क्\u200dष"},
		"emoji":                  {"👩\u200d💻 ⚠\ufe0f 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈", "👩\u200d💻 ⚠\ufe0f 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈"},
		"a row of selectors":     {"a\ufe0f\ufe0f\ufe01\U000e0101", "a\ufe0f⟨U+FE0F⟩⟨U+FE01⟩⟨U+E0101⟩"},
		"tags":                   {"a\U000e0068\U000e0069", "a⟨U+E0068⟩⟨U+E0069⟩"},
		"fillers":                {"a\u3164\u115f\uffa0\u2800", "a⟨U+3164⟩⟨U+115F⟩⟨U+FFA0⟩⟨U+2800⟩"},
		"ends of lines":          {"a\u2028b\u2029", "a⟨U+2028⟩b⟨U+2029⟩"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, odd := Visible(c.text); got != c.want || odd != (c.text != c.want) {
				t.Errorf("got %q %v, want %q", got, odd, c.want)
			}
		})
	}
}

func TestSchemasHoldWhatCannotBeSeen(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]bool{
		``:                                                     false,
		`{"description":"\u00e9, \\u202e"}`:                    false,
		`{"description":"a\u202eb"}`:                           true,
		"{\"description\":\"a\u202eb\"}":                       true,
		`{"properties":{"a\u200b":{}}}`:                        true,
		`{"description":"\udb40\udc68"}`:                       true,
		`{"default":["\u0007"], "title": "a"}`:                 true,
		`{"a":"\u003cb\u003e \ud83d\udc69\u200d\ud83d\udcbb"}`: false,
	} {
		if holdsUnseen(toolFact{InputSchema: schema}) != want || holdsUnseen(toolFact{OutputSchema: schema}) != want {
			t.Errorf("%s: want %v", schema, want)
		}
	}
}
