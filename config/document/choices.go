package document

import (
	"reflect"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Texts is a list of texts. A single one may stand without a list.
type Texts []string

// UnmarshalYAML reads a list, or one text.
func (t *Texts) UnmarshalYAML(read func(any) error) error {
	var one string
	if err := read(&one); err == nil {
		*t = Texts{one}
		return nil
	}
	return told(read((*[]string)(t)))
}

func (Texts) shape(w *walker, n *yaml.Node, r rule, path string) {
	if n.Kind == yaml.ScalarNode {
		w.text(n, r, path)
		return
	}
	w.list(n, reflect.TypeFor[[]string](), r, path)
}

// Choice is everything, by one word, or a list of names.
type Choice struct {
	All   bool
	Names []string
}

// Empty reports whether nothing was chosen: the key was left out.
func (c Choice) Empty() bool { return !c.All && len(c.Names) == 0 }

// Has reports whether a name is chosen.
func (c Choice) Has(name string) bool { return c.All || slices.Contains(c.Names, name) }

// UnmarshalYAML reads the word, or a list of names. Which word it has to be
// was checked before.
func (c *Choice) UnmarshalYAML(read func(any) error) error {
	var word string
	if err := read(&word); err == nil {
		c.All = true
		return nil
	}
	return told(read(&c.Names))
}

func (Choice) shape(w *walker, n *yaml.Node, r rule, path string) {
	if n.Kind == yaml.ScalarNode {
		if n.Tag != "!!str" || n.Value != r.word {
			w.misshapen(path, "must be %q or a list of names such as [one, other], but is neither.", r.word)
		}
		return
	}
	if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
		w.misshapen(path, "is an empty list, which allows nothing. Name at least one, write %q, or leave the key out.", r.word)
		return
	}
	w.list(n, reflect.TypeFor[[]string](), r, path)
}

// UnmarshalYAML reads the word all, or a list of items.
func (a *Answers) UnmarshalYAML(read func(any) error) error {
	var word string
	if err := read(&word); err == nil {
		a.All = true
		return nil
	}
	return told(read(&a.Items))
}

func (Answers) shape(w *walker, n *yaml.Node, r rule, path string) {
	switch {
	case n.Kind == yaml.ScalarNode && n.Tag == "!!str" && n.Value == "all":
	case n.Kind == yaml.SequenceNode && len(n.Content) > 0:
		w.list(n, reflect.TypeFor[[]Answer](), r, path)
	default:
		w.misshapen(path, "must be \"all\" or a list that is not empty, such as [ENG, {project: OPS, asks: [question]}].")
	}
}

// UnmarshalYAML reads a name, or a project with the kinds of ask it is
// narrowed to.
func (a *Answer) UnmarshalYAML(read func(any) error) error {
	var bare string
	if err := read(&bare); err == nil {
		*a = Answer{Project: bare, Kinds: Choice{All: true}}
		return nil
	}
	type twin Answer
	v := twin{}
	err := read(&v)
	if *a = Answer(v); a.Kinds.Empty() {
		a.Kinds.All = true
	}
	return told(err)
}

func (Answer) shape(w *walker, n *yaml.Node, _ rule, path string) {
	if n.Kind == yaml.ScalarNode {
		w.text(n, rule{form: "line", most: 64}, path)
		return
	}
	w.object(n, reflect.TypeFor[Answer](), path)
}

// UnmarshalYAML reads the word oauth, or the options.
func (a *Auth) UnmarshalYAML(read func(any) error) error {
	type twin Auth
	v := twin{Type: "oauth", Redirect: "node"}
	var word string
	if err := read(&word); err == nil {
		*a = Auth(v)
		return nil
	}
	err := read(&v)
	*a = Auth(v)
	return told(err)
}

func (Auth) shape(w *walker, n *yaml.Node, _ rule, path string) {
	if n.Kind == yaml.ScalarNode {
		if n.Value != "oauth" {
			w.misshapen(path, "must be oauth, or a map of its options. An API key or a token is no auth: write it under headers.")
		}
		return
	}
	w.object(n, reflect.TypeFor[Auth](), path)
}
