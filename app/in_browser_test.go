package main

import "testing"

// TestInBrowser is the whole program as people meet it. One Chromium serves
// all; each has a node, a database and cookies of its own.
func TestInBrowser(t *testing.T) {
	b := openBrowser(t)
	for _, c := range []struct {
		name string
		run  func(*testing.T, *browser)
	}{
		{"the first administrator", firstAdministrator},
		{"two people", twoPeople},
		{"a token of one's own", ownToken},
		{"a server by form", thinLine},
		{"servers by preset, paste and address", serversAdded},
		{"a secret made in the form", madeInPlace},
		{"tools ticked after a test", ticked},
		{"tools are tried", toolsTried},
		{"servers held back", heldBack},
		{"servers change", serverChanges},
		{"servers are killed", serversKilled},
		{"every page of an empty company", walkEmpty},
		{"every page of a full company", walkFull},
		{"without scripts", withoutScripts},
		{"pressed twice", pressedTwice},
		{"sent again after going back", backAndAgain},
		{"the same form in a second tab", secondTab},
		{"a landed form loaded again", reloaded},
		{"several fields wrong", severalWrong},
		{"two people edit the document", twoEditors},
		{"the password asked for again", stepUp},
		{"a secret stored elsewhere appears", secretAppears},
		{"what is being typed stays", typingStays},
		{"a sign-in ended elsewhere", signedOutElsewhere},
		{"the keyboard alone", keyboardAlone},
		{"work by the keyboard", workByKeys},
		{"two people on one item", twoOnOneItem},
		{"facts while others change them", factsUnderOthers},
		{"one question in two tabs", askedTwice},
		{"queues in order", queuesInOrder},
		{"what comes first in the inbox", chosenFirst},
		{"what work was", pastOfWork},
		{"pages that say no", sayingNo},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, b) })
	}
}
