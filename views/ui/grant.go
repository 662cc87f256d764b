package ui

import "slices"

// GrantChoices are the boxes of the grants somebody may give, those in given
// ticked.
func GrantChoices(holds, given []string) []Choice {
	choices := make([]Choice, 0, len(holds))
	for _, g := range holds {
		chosen := slices.Contains(given, g) || slices.Contains(given, "all")
		choices = append(choices, Choice{Value: g, Label: g, Hint: aboutGrant(g), Chosen: chosen})
	}
	return choices
}

// aboutGrant says what a grant opens, in words.
func aboutGrant(grant string) string {
	switch grant {
	case "state:read":
		return "see the company, its servers and its tools"
	case "audit:read":
		return "read and export the record of who did what"
	case "config:read":
		return "read the company document and its history"
	case "secrets:read":
		return "see the names of secrets, never a value"
	case "work:write":
		return "create and change work"
	case "knowledge:write":
		return "write pages"
	case "config:write":
		return "change the company document: a shell on every host that runs servers"
	case "secrets:write":
		return "store and delete secrets"
	case "fleet:operate":
		return "start and stop servers and seats"
	case "people:manage":
		return "invite and suspend people, mint and revoke tokens"
	case "sandbox:run":
		return "run code in a sandbox"
	default:
		return ""
	}
}
