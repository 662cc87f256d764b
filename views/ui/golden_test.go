package ui

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
)

var update = flag.Bool("update", false, "write the golden files anew")

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// parts is every part in every state it has. Its names are file names.
func parts() map[string]templ.Component {
	words := templ.Raw("<p>inside</p>")
	all := map[string]templ.Component{
		"icon":            Icon("plus"),
		"button":          Button(ButtonView{Label: "Save"}),
		"button-primary":  Button(ButtonView{Label: "Save", Kind: Primary, Icon: "check", Name: "then", Value: "stay"}),
		"button-disabled": Button(ButtonView{Label: "Delete", Kind: Danger, Small: true, Disabled: true, Press: true}),
		"button-attrs":    Button(ButtonView{Label: "More", Kind: Quiet, Press: true, Attrs: templ.Attributes{"aria-expanded": "false"}}),
		"link":            Link(LinkView{Label: "Add", Href: "/new", Kind: Primary, Icon: "plus"}),
		"link-foreign":    Link(LinkView{Label: "Bad", Href: "javascript:alert(1)"}),

		"form":         Form(FormView{Action: "/servers", Key: "k-1", Draft: "server-new"}),
		"form-refused": Form(FormView{ID: "new", Action: "/servers", Key: "k-1", Draft: "server-new", Redrawn: true, Says: "Nothing was stored."}),
		"form-sent":    Form(FormView{Action: "/servers", Key: "k-2", Redrawn: true, Sent: "The first send added everything."}),
		"form-island":  Form(FormView{Action: "/servers", Key: "k-1", Attrs: templ.Attributes{"hx-post": "/servers", "hx-status:422": "swap:outerHTML"}}),
		"form-head":    FormHead(FormHeadView{Says: `<script>alert("no")</script>`}),
		"actions":      Actions(),

		"field":         Field(FieldView{Name: "name", Label: "Name"}),
		"field-hint":    Field(FieldView{Name: "env[0].name", Label: "Name", Hint: "As in the shell.", Optional: true, Mono: true, Placeholder: "TOKEN"}),
		"field-wrong":   Field(FieldView{Name: "name", Label: "Name", Hint: "Short.", Error: "That name is taken.", Value: `a"b`}),
		"field-secret":  Field(FieldView{Name: "value", Label: "Value", Secret: true, Autocomplete: "new-password"}),
		"field-attrs":   Field(FieldView{ID: "n", Name: "n", Label: "N", Type: "number", Attrs: templ.Attributes{"min": "1"}}),
		"area":          TextArea(TextAreaView{Name: "args", Label: "Arguments", Value: "\n-y\n"}),
		"area-editor":   TextArea(TextAreaView{Name: "text", Label: "Document", Code: true, Rows: 30, Optional: true}),
		"area-wrong":    TextArea(TextAreaView{Name: "args", Label: "Arguments", Hint: "One a line.", Error: "Too many."}),
		"select":        Select(SelectView{Name: "for", Label: "For", Value: "b", Options: []Option{{"a", "A"}, {"b", "B"}}}),
		"select-wrong":  Select(SelectView{Name: "for", Label: "For", Error: "Choose one.", Options: []Option{{"", "…"}}}),
		"checks":        CheckGroup(CheckGroupView{Name: "grants", Legend: "Grants", Choices: choices()}),
		"checks-wrong":  CheckGroup(CheckGroupView{Name: "grants", Legend: "Grants", Hint: "Some.", Error: "Choose one.", Choices: choices()}),
		"checks-one":    CheckGroup(CheckGroupView{ID: "x", Name: "scope", Legend: "Scope", One: true, Choices: choices()}),
		"head":          Head(HeadView{Title: "Secrets", Lede: "Sealed values."}),
		"section":       Section(SectionView{ID: "log", Title: "Log", Note: "12", Lede: "Newest first."}),
		"card":          Card(),
		"table":         Table(TableView{Caption: "Secrets", Columns: []Column{{Label: "Name"}, {Label: "Uses", Number: true}, {Label: "Actions", Hidden: true}}}),
		"table-stacked": Table(TableView{Caption: "Secrets", Stack: true, Columns: []Column{{Label: "Name"}}}),
		"row-actions":   RowActions(),
		"cell-note":     CellNote("since Monday"),
		"facts":         Facts([]Fact{{Label: "Zone", Text: "UTC"}, {Label: "Digest", Text: "9f86", Mono: true}}),
		"pager":         Pager(PagerView{Shown: "50 shown", First: "/a", Next: "/a?after=x"}),
		"pager-none":    Pager(PagerView{Shown: "3 shown"}),
		"toolbar":       Toolbar(),
		"filters":       Filters(FiltersView{Action: "/audit", Label: "Filter the audit trail", Clear: "/audit"}),
		"badge":         Badge(BadgeView{Label: "Ready", State: Good, Title: "It answers."}),
		"badge-plain":   Badge(BadgeView{Label: "Unknown"}),
		"tag":           Tag("config:write"),
		"empty":         Empty(EmptyView{Icon: "tools", Title: "No servers yet", Says: "Add one."}),
		"empty-bare":    Empty(EmptyView{Title: "Nothing"}),
		"code":          Code(CodeView{Text: "  a\n\tb", Label: "Log"}),
		"code-copy":     Code(CodeView{ID: "c", Text: "{}", Label: "Block", Copy: true}),
		"diff":          Diff(DiffView{Label: "13 against 12", Lines: diffLines()}),
		"once":          Once(OnceView{ID: "token", Label: "The new token", Value: "crw_x", Says: "Copy it now."}),
		"confirm":       Confirm(ConfirmView{Label: "Delete…", Title: "Delete it?", Says: "It is gone.", Small: true}),
		"region":        Region(RegionView{ID: "list", Href: "/tools", Topics: []string{"tools", "item:ENG-1"}, AsOf: 41}),
		"time":          Time(TimeView{At: noon.Add(-90 * time.Minute), Now: noon}),
		"time-never":    Time(TimeView{Now: noon}),
	}
	for _, s := range []State{Neutral, Busy, Warn, Bad, Off, Good} {
		name := strings.TrimSuffix("notice-"+strings.TrimPrefix(string(s), "is-"), "-")
		all[name] = Notice(NoticeView{State: s, Title: "Title", Says: "Says."})
	}
	for name, part := range all {
		all[name] = within(part, words)
	}
	return all
}

func choices() []Choice {
	return []Choice{
		{Value: "config:read", Label: "config:read", Chosen: true},
		{Value: "config:write", Label: "config:write", Hint: "A shell.", Disabled: true},
	}
}

func diffLines() []DiffLine {
	return []DiffLine{{Gap, 0, 0, "9 lines"}, {Same, 10, 10, "a: <b>"}, {Removed, 11, 0, "  old"}, {Added, 0, 11, "  new"}}
}

var (
	spriteHash = regexp.MustCompile(`icons\.[0-9a-f]{12}\.svg`)
	between    = regexp.MustCompile(`>\s*<`)
)

func TestParts(t *testing.T) {
	t.Parallel()
	for name, part := range parts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			if err := part.Render(t.Context(), &out); err != nil {
				t.Fatal(err)
			}
			got := spriteHash.ReplaceAllString(out.String(), "icons.svg")
			got = between.ReplaceAllString(got, ">\n<") + "\n"
			file := filepath.Join("testdata", name+".html")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant (go test ./views/ui -update writes it)\n%s", got, want)
			}
		})
	}
}

// A golden file without a part is one nobody looks at any more.
func TestEveryGoldenFileHasAPart(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.html")
	if err != nil {
		t.Fatal(err)
	}
	all := parts()
	for _, f := range files {
		if _, ok := all[strings.TrimSuffix(filepath.Base(f), ".html")]; !ok {
			t.Errorf("%s is drawn by nothing", f)
		}
	}
}
