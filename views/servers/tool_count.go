package servers

import "strconv"

// counts says how many tools there are, and how many of them stand for resources
// and prompts: every place that counts a server's tools says both.
func counts(list []Tool) string {
	beside := 0
	for _, t := range list {
		if t.Utility {
			beside++
		}
	}
	if beside == 0 {
		return counted(len(list), "tool")
	}
	return counted(len(list)-beside, "tool") + " and " + utilities(beside)
}

func utilities(n int) string { return strconv.Itoa(n) + " for resources and prompts" }
