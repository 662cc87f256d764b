package web

import (
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// SentBefore is what most forms say when their key had landed with other text.
const SentBefore = "This form was already sent with other text, and that was saved. Send it again to save what it says now."

// Again is what a refused form comes back with: the key it is sent under next,
// the refusal's sentence, and what an earlier send of it already did. It keeps
// its own key, unless that landed with other text, which sent then tells
// instead of the sentence, or is none.
func Again(key string, no *refusal.Refusal, sent string) (next, says, did string) {
	switch {
	case no.KeyTaken():
		return tool.NewKey(), "", sent
	case no.Class == refusal.OpIDInvalid:
		return tool.NewKey(), no.Says, ""
	}
	return key, no.Says, ""
}
