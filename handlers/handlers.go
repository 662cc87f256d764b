// Package handlers is every address there is, on one page. A handler reads,
// does, shows and returns its error; nothing here decides.
package handlers

import (
	"crewlet/engine"
	"crewlet/engine/access"
	"crewlet/handlers/assets"
	"crewlet/handlers/audit"
	"crewlet/handlers/catalogue"
	"crewlet/handlers/company"
	"crewlet/handlers/configuration"
	"crewlet/handlers/live"
	"crewlet/handlers/node"
	"crewlet/handlers/operator"
	"crewlet/handlers/people"
	"crewlet/handlers/secrets"
	"crewlet/handlers/servers"
	"crewlet/handlers/signin"
	"crewlet/handlers/tokens"
	"crewlet/handlers/web"
	"crewlet/handlers/work"
	"crewlet/mcp/door"
)

// Kind is how a route is served.
type Kind int

// The kinds of route: for everybody alike, for people, for programs. A Look is
// a page that shows what one read answers and nothing else: who looks is
// decided where the read stands.
const (
	Anyone Kind = iota
	Page
	Look
	API
)

// Route is one address: how it is served, the row of the authority table that
// what it calls is decided by, and its handler.
type Route struct {
	Pattern string
	Kind    Kind
	Access  access.Row
	Handler web.Handler
}

// Routes is the route table, read top to bottom.
func Routes(e *engine.Engine, self *node.Handlers, streams *live.Handlers, assistants *door.Door) []Route {
	who := &signin.Handlers{Run: e.Run, Identity: e.Identity}
	keys := &tokens.Handlers{Run: e.Run, Identity: e.Identity}
	folk := &people.Handlers{Run: e.Run, Identity: e.Identity, Company: e.Company}
	org := &company.Handlers{Run: e.Run, Company: e.Company}
	conf := &configuration.Handlers{Run: e.Run, Company: e.Company, Nodes: e.Servers.Nodes}
	vault := &secrets.Handlers{Run: e.Run, Secrets: e.Secrets}
	record := &audit.Handlers{Run: e.Run, History: e.History}
	tools := &servers.Handlers{Found: folk.Found, Run: e.Run, Servers: e.Servers, Company: e.Company, Secrets: e.Secrets}
	acts, fewer := operator.New(e.Run, e.Tools), operator.New(e.Run, e.Untracked())
	shelf, short := catalogue.New(acts.Document), catalogue.New(fewer.Document)
	id, co, se, sv := e.Identity, e.Company, e.Secrets, e.Servers
	job, tr := &work.Handlers{Run: e.Run, Tracker: e.Tracker}, e.Tracker

	return tracked(e, []Route{
		{"GET /static/", Anyone, access.Open(), assets.Serve},
		{"GET /health", Anyone, access.Open(), self.Health},
		{"GET /ready", Anyone, access.Open(), self.Ready},
		{"GET /metrics", API, access.Operator(access.StateRead), self.Count},
		{"GET /viewer", API, access.Self(), self.Viewer},
		{"GET /live", API, access.Self(), streams.Stream},           // each topic has a row of its own
		{"GET /operator/mcp", API, access.Self(), assistants.Serve}, // each tool has a row of its own
		{"POST /operator/mcp", API, access.Self(), assistants.Serve},
		{"POST /operator/act/{tool}", API, access.Self(), either(e, acts.Act, fewer.Act)},
		{"GET /api/v1/tools/{tool}", API, access.Self(), either(e, acts.Read, fewer.Read)},
		{"GET /api/v1/openapi.json", API, access.Self(), either(e, acts.OpenAPI, fewer.OpenAPI)},

		{"/", Page, access.Open(), web.NotFound},
		{"GET /{$}", Page, access.Open(), web.Home},
		{"GET /sign-in", Page, access.Open(), who.SignInForm},
		{"POST /sign-in", Page, id.SignIn.Access, who.SignIn},
		{"POST /sign-out", Page, access.Open(), who.SignOut}, // whoever has no session is as they want to be
		{"GET /setup/{token}", Page, access.Open(), who.SetupForm},
		{"POST /setup/{token}", Page, id.RedeemSetup.Access, who.Setup},
		{"GET /invitation/{token}", Page, access.Open(), who.InvitationForm},
		{"POST /invitation/{token}", Page, id.RedeemInvitation.Access, who.Join},
		{"GET /account/sign-ins", Page, id.ListSignIns.Access, who.SignIns},
		{"POST /account/sign-ins/{session}/end", Page, id.EndSignIn.Access, who.EndSignIn},

		{"GET /inbox", Look, tr.WorkInbox.Access, job.Inbox},
		{"POST /inbox", Page, tr.MarkInbox.Access, job.Mark},
		{"POST /inbox/reasons", Page, tr.SetInboxReasons.Access, job.ChooseReasons},
		{"POST /inbox/asks/{ask}", Page, tr.AnswerAsk.Access, job.AnswerHere},
		{"GET /work", Look, tr.ListItems.Access, job.List},
		{"GET /work/mine", Look, tr.MyWork.Access, job.Mine}, // another's: get_priorities
		{"POST /work/mine", Page, tr.PlacePriority.Access, job.Place},
		{"GET /work/new", Page, access.Write(access.WorkWrite), job.New},
		{"POST /work/new", Page, tr.CreateItem.Access, job.Create},
		{"GET /work/projects", Look, tr.ListProjects.Access, job.Projects},
		{"GET /work/projects/{key}", Look, tr.ListItems.Access, job.Project},
		{"GET /work/projects/{key}/history", Look, tr.TaskActivity.Access, job.ProjectHistory},
		{"GET /work/history", Look, tr.TaskActivity.Access, job.WorkHistory},
		{"GET /work/items/{key}", Look, tr.GetItem.Access, job.Show},
		{"POST /work/items/{key}", Page, tr.UpdateItem.Access, job.Update},
		{"GET /work/items/{key}/history", Look, tr.TaskActivity.Access, job.History},
		{"GET /work/items/{key}/editions", Look, tr.ListEditions.Access, job.Editions},
		{"GET /work/items/{key}/editions/{edition}", Look, tr.GetEdition.Access, job.Edition},
		{"POST /work/items/{key}/editions/{edition}/restore", Page, tr.RestoreEdition.Access, job.Restore},
		{"GET /work/items/{key}/told", Look, tr.WorkRouting.Access, job.Told},
		{"POST /work/items/{key}/comments", Page, tr.CommentOnItem.Access, job.Comment},
		{"POST /work/items/{key}/comments/{comment}", Page, tr.EditComment.Access, job.Edit},
		{"POST /work/items/{key}/comments/{comment}/remove", Page, tr.RemoveComment.Access, job.Remove},
		{"POST /work/items/{key}/asks", Page, tr.CommentOnItem.Access, job.Ask},
		{"POST /work/items/{key}/asks/{ask}", Page, tr.AnswerAsk.Access, job.Answer},
		{"POST /work/items/{key}/asks/{ask}/withdraw", Page, tr.WithdrawAsk.Access, job.Withdraw},
		{"GET /company", Page, co.GetCompany.Access, org.Show},
		{"GET /company/seats/{handle}/rename", Page, access.Operator(access.ConfigWrite), org.RenameSeatForm},
		{"POST /company/seats/{handle}/rename", Page, co.RenameSeat.Access, org.RenameSeat},
		{"GET /settings/tools", Page, sv.Overview.Access, tools.Tools},
		{"GET /settings/tools/new", Page, access.Operator(access.ConfigWrite), tools.New},
		{"POST /settings/tools/new", Page, co.PutServer.Access, tools.Add},
		{"POST /settings/tools/new/try", Page, sv.Try.Access, tools.TryNew},
		{"GET /settings/tools/paste", Page, access.Operator(access.ConfigWrite), tools.PasteForm},
		{"POST /settings/tools/paste", Page, co.PutServer.Access, tools.Paste},
		{"POST /settings/tools/reload", Page, co.ReloadConfig.Access, tools.Reload},
		{"GET /settings/tools/servers/{name}", Page, sv.GetServer.Access, tools.Show},
		{"GET /settings/tools/servers/{name}/edit", Page, access.Operator(access.ConfigWrite), tools.Edit},
		{"POST /settings/tools/servers/{name}/edit", Page, co.PutServer.Access, tools.Save},
		{"POST /settings/tools/servers/{name}/try", Page, sv.Try.Access, tools.TryEdited},
		{"GET /settings/tools/servers/{name}/rename", Page, access.Operator(access.ConfigWrite), tools.RenameForm},
		{"POST /settings/tools/servers/{name}/rename", Page, co.RenameServer.Access, tools.Rename},
		{"POST /settings/tools/servers/{name}/restart", Page, sv.Restart.Access, tools.Restart},
		{"POST /settings/tools/servers/{name}/check", Page, sv.Check.Access, tools.Check},
		{"POST /settings/tools/servers/{name}/switch", Page, co.SwitchServer.Access, tools.Switch},
		{"POST /settings/tools/servers/{name}/remove", Page, co.RemoveServer.Access, tools.Remove},
		{"GET /settings/tools/tool/{name}", Page, sv.GetTool.Access, tools.Tool},
		{"POST /settings/tools/tool/{name}", Page, sv.Call.Access, tools.Call},
		{"GET /settings/secrets", Page, se.List.Access, vault.List},
		{"POST /settings/secrets", Page, se.Set.Access, vault.Store},
		{"POST /settings/secrets/{name}/delete", Page, se.Delete.Access, vault.Delete},
		{"GET /settings/configuration", Page, co.GetConfig.Access, conf.Edit},
		{"POST /settings/configuration", Page, co.WriteConfig.Access, conf.Save},
		{"GET /settings/configuration/revisions", Page, co.ListRevisions.Access, conf.History},
		{"GET /settings/configuration/revisions/{id}", Page, co.GetRevision.Access, conf.Revision},
		{"POST /settings/configuration/revisions/{id}/revert", Page, co.RevertConfig.Access, conf.Revert},
		{"GET /settings/people", Page, id.ListPeople.Access, folk.List},
		{"GET /settings/people/{person}", Page, id.ListPeople.Access, folk.Person},
		{"POST /settings/people/{person}/bind", Page, id.BindSeat.Access, folk.Bind},
		{"POST /settings/people/{person}/unbind", Page, id.UnbindSeat.Access, folk.Unbind},
		{"POST /settings/people/{person}/grants", Page, id.GrantPerson.Access, folk.Grant},
		{"POST /settings/people/{person}/withhold", Page, id.WithholdPerson.Access, folk.Withhold},
		{"POST /settings/people/{person}/suspend", Page, id.SuspendPerson.Access, folk.Suspend},
		{"POST /settings/people/{person}/restore", Page, id.RestorePerson.Access, folk.Restore},
		{"POST /settings/people/invitations", Page, id.InvitePerson.Access, folk.Invite},
		{"POST /settings/people/invitations/{invitation}/revoke", Page, id.RevokeInvitation.Access, folk.Uninvite},
		{"GET /settings/tokens", Page, id.ListOwnTokens.Access, keys.Tokens},
		{"POST /settings/tokens", Page, id.MintOwnToken.Access, keys.MintOwn},
		{"POST /settings/tokens/{token}/revoke", Page, id.RevokeOwnToken.Access, keys.RevokeOwn},
		{"GET /settings/tokens/programs", Page, id.ListTokens.Access, keys.Programs},
		{"POST /settings/tokens/programs", Page, id.MintToken.Access, keys.Mint},
		{"POST /settings/tokens/programs/{token}/revoke", Page, id.RevokeToken.Access, keys.Revoke},
		{"GET /api", Page, access.Self(), either(e, shelf.Show, short.Show)},
		{"GET /settings/audit", Page, e.History.ListAudit.Access, record.List},
		{"GET /settings/audit.csv", Page, e.History.ListAudit.Access, record.Export},

		{"GET /config", API, co.GetConfig.Access, conf.Get},
		{"PUT /config", API, co.WriteConfig.Access, conf.Put},
		{"PATCH /config", API, co.EditConfig.Access, conf.Patch},
		{"POST /config/reload", API, co.ReloadConfig.Access, conf.Reload},
		{"GET /config/references", API, co.ListReferences.Access, conf.References},
		{"GET /config/revisions", API, co.ListRevisions.Access, conf.ListRevisions},
		{"GET /config/revisions/{id}", API, co.GetRevision.Access, conf.GetRevision},
		{"GET /config/revisions/{id}/diff", API, co.DiffRevisions.Access, conf.DiffRevisions},
		{"POST /config/revisions/{id}/revert", API, co.RevertConfig.Access, conf.RevertRevision},
		{"GET /config/mcp-servers/{name}", API, co.GetConfig.Access, tools.GetDeclared},
		{"PUT /config/mcp-servers/{name}", API, co.PutServer.Access, conf.PutServer},
		{"DELETE /config/mcp-servers/{name}", API, co.RemoveServer.Access, conf.DeleteServer},
		{"POST /config/mcp-servers/{name}/rename", API, co.RenameServer.Access, conf.RenameServer},
		{"POST /config/mcp-servers/{name}/check", API, sv.Check.Access, tools.CheckNow},
		{"POST /config/mcp-servers/{name}/restart", API, sv.Restart.Access, tools.RestartNow},
		{"POST /config/seats/{handle}/rename", API, co.RenameSeat.Access, conf.RenameSeat},
		{"GET /secrets", API, se.List.Access, vault.GetAll},
		{"PUT /secrets/{name}", API, se.Set.Access, vault.Put},
		{"DELETE /secrets/{name}", API, se.Delete.Access, vault.Remove},
		{"GET /palette", API, sv.Overview.Access, tools.Palette},
		{"GET /tools", API, sv.ListTools.Access, tools.ListTools},
		{"GET /mcp-servers", API, sv.ListServers.Access, tools.ListServers},
		{"GET /changes", API, e.History.ListChanges.Access, record.Changes},
	})
}
