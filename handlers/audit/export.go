package audit

import (
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"
	"time"

	"crewlet/engine/history"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
)

// Export answers the record under the same filter as CSV, newest first, page
// by page: nothing is held whole. Times are UTC.
func (h *Handlers) Export(w http.ResponseWriter, r *http.Request) error {
	in, err := wanted(r)
	if err != nil {
		return err
	}
	in.Limit = 100
	page, err := tool.Do(r.Context(), h.Run, h.History.ListAudit, web.Call(r), in)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="audit.csv"`)
	w.Header().Set("Cache-Control", "private, no-cache")
	out := csv.NewWriter(w)
	_ = out.Write([]string{"id", "at", "actor", "actor_name", "credential", "door", "verb", "object", "outcome", "reason", "position", "request_id"})
	for {
		for _, e := range page.Entries {
			_ = out.Write(cells(e)) // an error stays and is told by Flush
		}
		out.Flush()
		if out.Error() != nil || page.Next == 0 {
			return nil // whoever asked is gone, or has it all
		}
		in.Before = page.Next
		if page, err = tool.Do(r.Context(), h.Run, h.History.ListAudit, web.Call(r), in); err != nil {
			// The status is sent: cutting the answer off is how it says that
			// rows are missing.
			panic(http.ErrAbortHandler)
		}
	}
}

func cells(e history.Entry) []string {
	list := []string{
		strconv.FormatInt(e.ID, 10), e.At.UTC().Format(time.RFC3339Nano), e.Actor, e.ActorName, e.Credential, e.Door, e.Verb,
		e.Object, e.Outcome, e.Reason, strconv.FormatInt(e.Position, 10), e.RequestID,
	}
	for i, cell := range list {
		list[i] = inert(cell)
	}
	return list
}

// inert keeps a spreadsheet from reading a cell as a formula.
func inert(cell string) string {
	if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "+") || strings.HasPrefix(cell, "-") || strings.HasPrefix(cell, "@") {
		return "'" + cell
	}
	return cell
}
