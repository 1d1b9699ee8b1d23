package conll

import (
	"slices"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/layers"
)

// withoutLines is a view of a document without some rows of the layer words.
func withoutLines(d *text.Document, drop func(id, line string) bool) *text.Document {
	words := d.Layer("words")
	if words == nil {
		return d
	}
	var left layers.Words
	for k := range words.N {
		if id, line := layers.CellIn(words, 1, k), layers.CellIn(words, 2, k); !drop(id, line) {
			left.Add(int(words.Cols[0].Ints[k]), id, line)
		}
	}
	out := *d
	out.DropLayer("words")
	left.Set(&out)
	return &out
}

// Replaced leaves out DEPS and empty nodes, the nodes and arcs of the enhanced graph, where heads are
// predicted; and what MISC says of mentions where these are.
func (c *conllu) Replaced(d *text.Document, layers []string) *text.Document {
	if slices.Contains(layers, text.Dependencies.Name) {
		d = withoutLines(d, func(id, _ string) bool {
			return id != "" && id[0] <= '9' && !strings.ContainsAny(id, "- ") || strings.HasSuffix(id, relRow)
		})
	}
	if !slices.Contains(layers, text.Entities.Name) && !slices.Contains(layers, text.Mentions.Name) {
		return d
	}
	d = withoutLines(d, func(id, line string) bool { return id == "" && strings.HasPrefix(line, entityHeader) })
	return withoutMentions(d)
}

// mentionAttributes are those of MISC that CorefUD has for mentions.
var mentionAttributes = []string{"Entity", "Bridge", "SplitAnte"}

// withoutMentions is a view of a document without the attributes of mentions in MISC.
func withoutMentions(d *text.Document) *text.Document {
	bare := func(misc string) string {
		for _, name := range mentionAttributes {
			if strings.Contains(misc, name+"=") {
				misc = withAttribute(misc, name, "")
			}
		}
		return misc
	}
	out := *d
	if words := d.Layer("words"); words != nil {
		l := *words
		l.Cols = slices.Clone(words.Cols)
		lines := slices.Clone(words.Strs("line"))
		for k, line := range lines {
			if id := layers.CellIn(words, 1, k); strings.ContainsAny(id, "-.") {
				at := strings.LastIndexByte(line, '\t') + 1
				lines[k] = line[:at] + bare(line[at:])
			}
		}
		l.SetStrs("line", lines)
		out.SetLayer(&l)
	}
	if toks := d.Layer("tokens"); toks != nil && toks.Strs("misc") != nil {
		l := *toks
		l.Cols = slices.Clone(toks.Cols)
		misc := slices.Clone(toks.Strs("misc"))
		for i, v := range misc {
			if misc[i] = bare(v); misc[i] == "_" {
				misc[i] = ""
			}
		}
		l.SetStrs("misc", misc)
		out.SetLayer(&l)
	}
	return &out
}

// Replaced leaves out projective heads, and which heads are not given, where heads are predicted.
func (c *conllx) Replaced(d *text.Document, layers []string) *text.Document {
	if !slices.Contains(layers, text.Dependencies.Name) {
		return d
	}
	return withoutLines(d, func(id, _ string) bool {
		return strings.HasSuffix(id, pRow) || strings.HasSuffix(id, headRow) || strings.HasSuffix(id, relRow)
	})
}

// Replaced leaves out the relations of tokens without a head where heads are predicted.
func (c *conll2009) Replaced(d *text.Document, layers []string) *text.Document {
	if !slices.Contains(layers, text.Dependencies.Name) {
		return d
	}
	return withoutLines(d, func(id, _ string) bool {
		return strings.HasSuffix(id, headRow) || strings.HasSuffix(id, relRow)
	})
}
