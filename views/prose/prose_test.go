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

// A text that was drawn before shows who is known now.
func TestAMentionIsDrawnAnew(t *testing.T) {
	for _, name := range []string{"Ann", "Anna"} {
		var b strings.Builder
		known := func(string) (string, bool) { return name, true }
		if err := Draw(Text{Markdown: "ask @ann", Known: known}).Render(t.Context(), &b); err != nil || !strings.Contains(b.String(), `title="`+name+`"`) {
			t.Errorf("drew %s, %v", b.String(), err)
		}
	}
}

func TestDraw(t *testing.T) {
	for name, c := range map[string][2]string{
		"words":            {"a *b*\nc", "<p>a <em>b</em><br>\nc</p>\n"},
		"a heading":        {"# Top", "<h3>Top</h3>\n"},
		"steps left out":   {"## A\n#### B\n## C\n# D", "<h3>A</h3>\n<h4>B</h4>\n<h3>C</h3>\n<h3>D</h3>\n"},
		"a link":           {"[a](https://x.example)", `<p><a href="https://x.example" rel="nofollow noreferrer">a</a></p>` + "\n"},
		"a script's link":  {"[a](javascript:alert(1))", "<p>a</p>\n"},
		"an image":         {"![alt](https://x.example/i.png)", `<p><a href="https://x.example/i.png" rel="nofollow noreferrer">alt</a></p>` + "\n"},
		"HTML":             {"<script>alert(1)</script>\n\n<b onclick=x>y</b>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>&lt;b onclick=x&gt;y&lt;/b&gt;</p>\n"},
		"a block of tags":  {"<plan>\n*one* & two\n</plan>\n\nafter", "<p>&lt;plan&gt;<br>\n*one* &amp; two<br>\n&lt;/plan&gt;</p>\n<p>after</p>\n"},
		"a remark":         {"a <!-- b --> c\n\n<!-- d\n\ne -->", "<p>a &lt;!-- b --&gt; c</p>\n<p>&lt;!-- d<br>\n<br>\ne --&gt;</p>\n"},
		"a line break":     {"a<br />b", "<p>a<br>b</p>\n"},
		"an image's tag":   {"<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>\n"},
		"a mention":        {"ask @Tech-Lead.", `<p>ask <span class="mention" title="Tech Lead">@tech-lead</span>.</p>` + "\n"},
		"nobody":           {"ask @nobody", "<p>ask @nobody</p>\n"},
		"in emphasis":      {"_@tech-lead_", `<p><em><span class="mention" title="Tech Lead">@tech-lead</span></em></p>` + "\n"},
		"a package":        {"npm i @tech-lead/x", "<p>npm i @tech-lead/x</p>\n"},
		"a path":           {"a/@tech-lead b.@tech-lead", "<p>a/@tech-lead b.@tech-lead</p>\n"},
		"a longer name":    {"@tech-leadé @tech-lead@x", "<p>@tech-leadé @tech-lead@x</p>\n"},
		"behind a slash":   {`\@tech-lead`, "<p>@tech-lead</p>\n"},
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
