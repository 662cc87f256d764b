package prose

import (
	"strings"
	"testing"
)

func drawn(t *testing.T, markdown string) string {
	t.Helper()
	var b strings.Builder
	known := func(handle string) (string, bool) { return "Tech Lead", handle == "tech-lead" }
	if err := Draw(Text{Markdown: markdown, Known: known}).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), `<div class="prose-text" dir="auto">`), "</div>")
}

func TestDraw(t *testing.T) {
	for name, c := range map[string][2]string{
		"words":            {"a *b*\nc", "<p>a <em>b</em><br>\nc</p>\n"},
		"a heading":        {"# Top", "<h3>Top</h3>\n"},
		"steps left out":   {"## A\n#### B\n## C\n# D", "<h3>A</h3>\n<h4>B</h4>\n<h3>C</h3>\n<h3>D</h3>\n"},
		"a link":           {"[a](https://x.example)", `<p><a href="https://x.example" rel="nofollow noreferrer">a</a></p>` + "\n"},
		"a script's link":  {"[a](javascript:alert(1))", "<p>a</p>\n"},
		"an image":         {"![alt](https://x.example/i.png)", `<p><a href="https://x.example/i.png" rel="nofollow noreferrer">alt</a></p>` + "\n"},
		"HTML":             {"<script>alert(1)</script>\n\n<b onclick=x>y</b>", "\n<p>y</p>\n"},
		"a mention":        {"ask @Tech-Lead.", `<p>ask <span class="mention" title="Tech Lead">@tech-lead</span>.</p>` + "\n"},
		"nobody":           {"ask @nobody", "<p>ask @nobody</p>\n"},
		"an address":       {"mail a@tech-lead.example", `<p>mail <a href="mailto:a@tech-lead.example" rel="nofollow noreferrer">a@tech-lead.example</a></p>` + "\n"},
		"in code":          {"`@tech-lead`", "<p><code>@tech-lead</code></p>\n"},
		"a table":          {"|a|\n|-|\n|b|", "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>\n"},
		"a style of code":  {"```go\nx\n```", `<pre tabindex="0">` + "<code>x\n</code></pre>\n"},
		"quotes in titles": {`[a](https://x.example "q\" onclick=x")`, `<p><a href="https://x.example" rel="nofollow noreferrer">a</a></p>` + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := drawn(t, c[0]); got != c[1] {
				t.Errorf("got %q, want %q", got, c[1])
			}
		})
	}
}
