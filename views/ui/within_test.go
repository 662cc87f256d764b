package ui

import (
	"context"
	"io"

	"github.com/a-h/templ"
)

// within draws a part with children, as a page's template does.
func within(part, children templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return part.Render(templ.WithChildren(ctx, children), w)
	})
}
