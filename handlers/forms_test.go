package handlers

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"crewlet/engine/tool"
)

func TestFormsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.administrator()
	part := "--B\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nA\r\n"
	key := "&_key=" + tool.NewKey()
	for name, c := range map[string]struct {
		kind, body string
		status     int
	}{
		"no type":                  {"", "name=A&value=v" + key, 415},
		"JSON":                     {"application/json", `{"name":"A"}`, 415},
		"multipart cut short":      {"multipart/form-data; boundary=B", part, 400},
		"multipart without bounds": {"multipart/form-data", part, 400},
		"multipart of nothing":     {"multipart/form-data; boundary=B", "", 400},
		"a broken escape":          {forms, "name=%zz&value=v" + key, 400},
		"no UTF-8":                 {forms, "name=A&value=%ff" + key, 400},
		"NUL":                      {forms, "name=A%00&value=v" + key, 422},
		"a control character":      {forms, "name=A%07&value=v" + key, 422},
		"a line break":             {forms, "name=A%0aB&value=v" + key, 422},
		"a name of a megabyte":     {forms, "name=" + strings.Repeat("A", 1<<20) + "&value=v" + key, 422},
		"an unknown field":         {forms, "name=A&value=v&colour=red" + key, 422},
		"three megabytes":          {forms, "name=A&value=" + strings.Repeat("v", 3<<20) + key, 413},
		"three megabytes in parts": {"multipart/form-data; boundary=B", part + strings.Repeat("v", 3<<20), 413},
		"no key":                   {forms, "name=A&value=v", 400},
		"a key that is none":       {forms, "name=A&value=v&_key=1", 400},
		"nothing":                  {forms, "", 422},
	} {
		t.Run(name, func(t *testing.T) {
			before := b.counts()
			p := w.In(t).Post("/settings/secrets", c.kind, c.body)
			if p.Status != c.status || !strings.HasPrefix(p.Body, "<!doctype html>") {
				t.Errorf("answered %d, want %d: %.300s", p.Status, c.status, p.Text())
			}
			if left := b.counts().since(before); left.Operations != 0 || left.Changes != 0 {
				t.Errorf("it left %+v", left)
			}
		})
	}
	if b.stored(t, "A") != "" {
		t.Error("something was stored")
	}
	if p := w.Post("/settings/secrets", "multipart/form-data; boundary=B", part+
		"--B\r\nContent-Disposition: form-data; name=\"value\"\r\n\r\nv\r\n--B\r\nContent-Disposition: form-data; name=\"_key\"\r\n\r\n"+
		tool.NewKey()+"\r\n--B--\r\n"); p.Status != 303 || b.stored(t, "A") != "v" {
		t.Errorf("a whole one is answered %d and stores %q", p.Status, b.stored(t, "A"))
	}
}

// A field sent twice is one field: the first counts, for text and key alike.
func TestAFieldSentTwice(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.administrator()
	p := w.Post("/settings/secrets", forms, "name=A&name=B&value=one&value=two&_key="+tool.NewKey()+"&_key=x")
	if p.Status != 422 || !strings.Contains(p.Text(), "2 times") || b.stored(t, "A") != "" || b.stored(t, "B") != "" {
		t.Errorf("answered %d: %s; A is %q", p.Status, p.Text(), b.stored(t, "A"))
	}
	if p := w.Get("/settings/audit?actor=x&actor=%00"); p.Status != 200 {
		t.Errorf("a query sent twice is answered %d", p.Status)
	}
}

// What net/http itself refuses is refused before it reaches us, and nothing of
// a header can split an answer.
func TestRequestsThatAreNotHTTP(t *testing.T) {
	t.Parallel()
	b := open(t)
	token := b.mint(true, "all").Value
	put := "PUT /config?dry_run=true HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\nContent-Type: text/yaml\r\nIf-Match: 1\r\nConnection: close\r\nContent-Length: 8\r\n"
	for name, c := range map[string]struct {
		request string
		status  int
	}{
		"a folded summary":   {put + "X-Summary: one\r\n two\r\n\r\nname: A\n", 200},
		"a bare line break":  {put + "X-Summary: one\rtwo\r\n\r\nname: A\n", 400},
		"NUL in a header":    {put + "X-Summary: one\x00two\r\n\r\nname: A\n", 400},
		"huge headers":       {put + "X-Summary: " + strings.Repeat("x", 2<<20) + "\r\n\r\nname: A\n", 431},
		"no host":            {"GET /health HTTP/1.1\r\n\r\n", 400},
		"two lengths":        {"POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400},
		"a path without a /": {"GET nothing HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		"a broken escape":    {"GET /settings/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		"any address at all": {"OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			go func() { _, _ = fmt.Fprint(conn, c.request) }()
			got, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = got.Body.Close() }()
			if got.StatusCode != c.status {
				t.Errorf("answered %d, want %d", got.StatusCode, c.status)
			}
		})
	}
	if newest := b.counts(); newest.Operations != 2 { // the import and the token
		t.Errorf("%d operations", newest.Operations)
	}
}
