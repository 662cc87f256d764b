// Package company keeps the company document: every revision as its authors
// wrote it, compared before it is set, and the identities behind the names of
// servers and seats. Whoever needs the company as it is now asks Current.
package company

import (
	"context"
	"strings"
	"sync"
	"unicode"

	"crewlet/config/document"
	"crewlet/db"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// Object names the company document for the log and the record.
const Object = "company:"

// revisedKind is the log's word for a new revision.
const revisedKind = "company.revised"

// Revised reports whether a row of the log is a new revision.
func Revised(row changes.Change) bool { return row.Kind == revisedKind }

// serverObject names a server for the record by the name it is addressed
// with; the log names it by its id.
func serverObject(name string) string { return "server:" + recordable(name, 40) }

// seatObject is serverObject for a seat and its handle.
func seatObject(handle string) string { return "seat:" + recordable(handle, 64) }

// recordable is a name as the record takes it: no longer than the longest there
// is, and on one line.
func recordable(name string, most int) string {
	return strings.Map(printable, strings.ToValidUTF8(name[:min(len(name), most)], "?"))
}

func printable(r rune) rune {
	if unicode.IsControl(r) {
		return '?'
	}
	return r
}

// Sources say where a ${NAME} may come from, for warnings and lists; they
// never answer a value.
type Sources struct {
	// Stored lists the names of the secrets there are, on the transaction.
	Stored func(ctx context.Context, tx *db.Tx) ([]string, error)
	// InEnvironment reports whether this node's environment has a name, set to
	// something.
	InEnvironment func(name string) bool
	// Revised is told of a new revision in the transaction that stores it; nil
	// where nobody has to do anything. An error undoes the revision.
	Revised func(ctx context.Context, c *tool.Call, doc *document.Document) error
	// Holders are the people in seats, by the seat's id, as a call sees them;
	// nil where there are none.
	Holders func(ctx context.Context, c *tool.Call) (map[string]Holder, error)
}

// Company is the area's service.
type Company struct {
	GetConfig      tool.Use[GetConfig, Config]
	WriteConfig    tool.Use[WriteConfig, Written]
	EditConfig     tool.Use[EditConfig, Written]
	RevertConfig   tool.Use[RevertConfig, Written]
	ReloadConfig   tool.Use[ReloadConfig, Reloaded]
	ListRevisions  tool.Use[ListRevisions, RevisionList]
	GetRevision    tool.Use[GetRevision, RevisionRead]
	DiffRevisions  tool.Use[DiffRevisions, Diff]
	ListReferences tool.Use[ListReferences, ReferenceList]
	PutServer      tool.Use[PutServer, Written]
	RemoveServer   tool.Use[RemoveServer, Written]
	RenameServer   tool.Use[RenameServer, Written]
	SwitchServer   tool.Use[SwitchServer, Written]
	RenameSeat     tool.Use[RenameSeat, Written]
	GetCompany     tool.Use[GetCompany, Overview]

	from Sources

	mu    sync.Mutex
	held  *Standing // the newest revision read, parsed; revisions never change
	known window    // where in the log it is known to be the newest
}

// New makes the service.
func New(from Sources) *Company {
	s := &Company{from: from}
	s.GetConfig = declareGetConfig(s)
	s.WriteConfig = declareWriteConfig(s)
	s.EditConfig = declareEditConfig(s)
	s.RevertConfig = declareRevertConfig(s)
	s.ReloadConfig = declareReloadConfig(s)
	s.ListRevisions = declareListRevisions(s)
	s.GetRevision = declareGetRevision(s)
	s.DiffRevisions = declareDiffRevisions(s)
	s.ListReferences = declareListReferences(s)
	s.PutServer = declarePutServer(s)
	s.RemoveServer = declareRemoveServer(s)
	s.RenameServer = declareRenameServer(s)
	s.SwitchServer = declareSwitchServer(s)
	s.RenameSeat = declareRenameSeat(s)
	s.GetCompany = declareGetCompany(s)
	return s
}

// Tools lists the area's use cases for the catalogue.
func (s *Company) Tools() []tool.Tool {
	return []tool.Tool{
		s.GetCompany.Any(), s.GetConfig.Any(), s.WriteConfig.Any(), s.EditConfig.Any(), s.RevertConfig.Any(),
		s.ReloadConfig.Any(), s.ListRevisions.Any(), s.GetRevision.Any(), s.DiffRevisions.Any(),
		s.ListReferences.Any(), s.PutServer.Any(), s.RemoveServer.Any(), s.RenameServer.Any(), s.SwitchServer.Any(),
		s.RenameSeat.Any(),
	}
}
