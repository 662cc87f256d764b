package main

import "testing"

// stepUp sends a form an hour after the password was last typed: it is asked
// for, everything else is kept, and the form goes on under its own key.
func stepUp(t *testing.T, b *browser) {
	s := serving(t)
	x := b.person(t, s.url)
	x.allow("403")
	s.setUp(x)
	x.open("/settings/configuration")
	const typed = "name: Acme\n# \"kept\" <as typed> & שלום 🚀\n"
	x.put(`[name=text]`, typed)
	x.put(`[name=summary]`, "Why not")
	key := x.ask(`document.querySelector("[name=text]").form._key.value`)
	s.write(t, `UPDATE browser_sessions SET confirmed_at = confirmed_at - interval '61 minutes'`)
	x.press(sendForm)
	x.reads("Type your password again")
	x.shot("asked")
	x.accessible()
	x.fill(`[name=_password]`, "not the password")
	x.press(sendForm)
	x.reads("Type your password again")
	x.shot("wrong")
	if s.number(t, revisionsThere) != 1 {
		t.Error("a wrong password lets it through")
	}
	x.is("wrong", wrong, `["_password"]`)
	x.is("the focus", focused, "_password")
	x.accessible()
	x.fill(`[name=_password]`, password)
	x.press(sendForm)
	x.reads("Revision 2 is saved.")
	x.is("the text saved", `document.querySelector("[name=text]").value`, typed)
	x.reads("Why not")
	if s.number(t, `SELECT count(*) FROM operations WHERE key = $1::uuid`, key) != 1 {
		t.Error("it landed under another key")
	}

	s.write(t, `UPDATE browser_sessions SET confirmed_at = confirmed_at - interval '61 minutes'`)
	x.open("/settings/secrets")
	x.fill(`[name=name]`, "GITHUB_TOKEN")
	x.fill(`[name=value]`, "hunter2-hunter2")
	x.press(`#store button[type=submit]`)
	x.reads("Type your password again")
	x.shot("asked-for-a-secret")
	if x.ask(`document.documentElement.outerHTML.includes("hunter2")`) != "false" {
		t.Error("the page that asks for the password holds the secret's value")
	}
	x.fill(`[name=_password]`, password)
	x.press(sendForm)
	x.reads("The secret GITHUB_TOKEN is stored.")
}
