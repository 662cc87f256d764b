// Package tracker is where work is kept: projects and their items, what people
// and agents say about them, who was told, and what waits for whom.
package tracker

import (
	"context"
	"time"

	"crewlet/config/document"
	"crewlet/engine/org"
	"crewlet/engine/tool"
)

// Options is what the tracker needs of its neighbours.
type Options struct {
	// Directory is who there is, as a call sees it.
	Directory func(ctx context.Context, c *tool.Call) (*org.Directory, error)
	// Document is the company document, as a call sees it.
	Document func(ctx context.Context, c *tool.Call) (*document.Document, error)
	// Search finds items by words; see Found.
	Search func(ctx context.Context, q Words) (Found, error)
}

// Tracker is the area's service.
type Tracker struct {
	CreateItem      tool.Use[CreateItem, Item]
	UpdateItem      tool.Use[UpdateItem, Item]
	GetItem         tool.Use[GetItem, ItemRead]
	ListItems       tool.Use[ListItems, ItemList]
	SearchItems     tool.Use[SearchItems, ItemsFound]
	GetCatalogue    tool.Use[GetCatalogue, Catalogue]
	ListProjects    tool.Use[ListProjects, ProjectList]
	DescribeProject tool.Use[DescribeProject, ProjectRead]
	WriteProject    tool.Use[WriteProject, Project]
	DeclareProjects tool.Use[DeclareProjects, Declared]
	Talk

	from Options
}

// New makes the service.
func New(from Options) *Tracker {
	t := &Tracker{from: from}
	t.CreateItem = declareCreateItem(t)
	t.UpdateItem = declareUpdateItem(t)
	t.GetItem = declareGetItem(t)
	t.ListItems = declareListItems(t)
	t.SearchItems = declareSearchItems(t)
	t.GetCatalogue = declareGetCatalogue(t)
	t.ListProjects = declareListProjects(t)
	t.DescribeProject = declareDescribeProject(t)
	t.WriteProject = declareWriteProject(t)
	t.DeclareProjects = declareDeclareProjects(t)
	t.Talk = declareTalk(t)
	return t
}

// Tools lists the area's use cases for the catalogue.
func (t *Tracker) Tools() []tool.Tool {
	return append([]tool.Tool{
		t.CreateItem.Any(),
		t.UpdateItem.Any(),
		t.GetItem.Any(),
		t.ListItems.Any(),
		t.SearchItems.Any(),
		t.GetCatalogue.Any(),
		t.ListProjects.Any(),
		t.DescribeProject.Any(),
		t.WriteProject.Any(),
		t.DeclareProjects.Any(),
	}, t.tools()...)
}

func (t *Tracker) directory(ctx context.Context, c *tool.Call) (*org.Directory, error) {
	return t.from.Directory(ctx, c)
}

// zone is the company's clock.
func (t *Tracker) zone(ctx context.Context, c *tool.Call) (*time.Location, error) {
	doc, err := t.from.Document(ctx, c)
	if err != nil {
		return nil, err
	}
	if zone, err := time.LoadLocation(doc.Timezone); err == nil { // empty is UTC
		return zone, nil
	}
	return time.UTC, nil
}
