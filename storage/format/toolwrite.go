package format

import (
	"slices"

	"parlance/algo/text"
)

// writtenSpan is a span in the offsets of a tool.
type writtenSpan struct {
	row        int // of the layer entities
	start, end int
	label      string
}

// writtenArc is a relation between two of the spans, by their index.
type writtenArc struct {
	label    string
	from, to int
}

// Of what a tool cannot hold, writers tell.
var (
	withinCharacter = topic{"1 span was left out: it begins or ends within what the offsets count as one character",
		"%d spans were left out: they begin or end within what the offsets count as one character"}
	withoutSpan = topic{"1 relation was left out: its arguments are no entities of the document, which tools ask for",
		"%d relations were left out: their arguments are no entities of the document, which tools ask for"}
)

// layersLeftOut is what is told of layers that a tool has no place for.
func layersLeftOut(tool, layer string) topic {
	return topic{"the layer " + layer + " of 1 document was left out, which " + tool + " does not hold",
		"the layer " + layer + " of %d documents was left out, which " + tool + " does not hold"}
}

// tellLayers tells of the layers of a document that a tool does not hold. Tokens and sentences count where they have
// more than their places, in columns other than those that the tool holds.
func tellLayers(t *notes, tool string, d *text.Document, columns []string, holds ...*text.LayerDef) {
	for _, l := range d.Layers {
		switch {
		case slices.Contains(holds, l.Def) || l.N == 0 || l.Def == text.Sentences:
		case l.Def == text.Tokens:
			for _, name := range []string{"lemma", "upos", "xpos", "feats"} {
				if l.Strs(name) != nil && !slices.Contains(columns, name) {
					t.tell(layersLeftOut(tool, "tokens ("+name+")"), 1, d.ID, 0)
				}
			}
		default:
			t.tell(layersLeftOut(tool, l.Name), 1, d.ID, 0)
		}
	}
}

// writtenSpans returns the entities and relations of a document in offsets of a unit.
func writtenSpans(t *notes, d *text.Document, unit string) (spans []writtenSpan, arcs []writtenArc) {
	table := newOffsetTable(d.Text, unit)
	at := map[[2]int32]int{}
	if l := d.Layer(text.Entities.Name); l != nil {
		for i := range l.N {
			a, z := l.Ints("char_start")[i], l.Ints("char_end")[i]
			from, to := table.offset(a), table.offset(z)
			if from < 0 || to < 0 {
				t.tell(withinCharacter, 1, d.ID, 0)
				continue
			}
			if _, ok := at[[2]int32{a, z}]; !ok {
				at[[2]int32{a, z}] = len(spans)
			}
			spans = append(spans, writtenSpan{i, from, to, l.Strs("label")[i]})
		}
	}
	l := d.Layer(text.Relations.Name)
	if l == nil {
		return spans, nil
	}
	for i := range l.N {
		from, ok1 := at[[2]int32{l.Ints("subject_start")[i], l.Ints("subject_end")[i]}]
		to, ok2 := at[[2]int32{l.Ints("object_start")[i], l.Ints("object_end")[i]}]
		if !ok1 || !ok2 {
			t.tell(withoutSpan, 1, d.ID, 0)
			continue
		}
		arcs = append(arcs, writtenArc{l.Strs("label")[i], from, to})
	}
	return spans, arcs
}
