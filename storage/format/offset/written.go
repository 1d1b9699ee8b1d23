package offset

import (
	"slices"

	"parlance/algo/text"
	"parlance/storage/format/codec"
)

// WrittenSpan is a span in the offsets of a tool.
type WrittenSpan struct {
	Row        int // of the layer entities
	Start, End int
	Label      string
}

// WrittenArc is a relation between two of the spans, by their index.
type WrittenArc struct {
	Label    string
	From, To int
}

// What writers report: what a tool cannot hold.
var (
	withinCharacter = codec.Topic{
		One:  "1 span was left out: it begins or ends within what the offsets count as one character",
		Many: "%d spans were left out: they begin or end within what the offsets count as one character"}
	WithoutSpan = codec.Topic{
		One:  "1 relation was left out: its arguments are no entities of the document, which tools ask for",
		Many: "%d relations were left out: their arguments are no entities of the document, which tools ask for"}
)

// LayersLeftOut is what is told of layers that a tool has no place for.
func LayersLeftOut(tool, layer string) codec.Topic {
	return codec.Topic{One: "the layer " + layer + " of 1 document was left out, which " + tool + " does not hold",
		Many: "the layer " + layer + " of %d documents was left out, which " + tool + " does not hold"}
}

// TellLayers notes the layers of a document that a tool does not hold. Tokens and sentences count where they have
// more than their places, in columns other than those that the tool holds.
func TellLayers(t *codec.Notes, tool string, d *text.Document, columns []string, holds ...*text.LayerDef) {
	for _, l := range d.Layers {
		switch {
		case slices.Contains(holds, l.Def) || l.N == 0 || l.Def == text.Sentences:
		case l.Def == text.Tokens:
			for _, name := range []string{"lemma", "upos", "xpos", "feats"} {
				if l.Strs(name) != nil && !slices.Contains(columns, name) {
					t.Tell(LayersLeftOut(tool, "tokens ("+name+")"), 1, d.ID, 0)
				}
			}
		default:
			t.Tell(LayersLeftOut(tool, l.Name), 1, d.ID, 0)
		}
	}
}

// WrittenSpans returns the entities and relations of a document in offsets of a unit.
func WrittenSpans(t *codec.Notes, d *text.Document, unit string) (spans []WrittenSpan, arcs []WrittenArc) {
	table := NewTable(d.Text, unit)
	at := map[[2]int32]int{}
	if l := d.Layer(text.Entities.Name); l != nil {
		for i := range l.N {
			a, z := l.Ints("char_start")[i], l.Ints("char_end")[i]
			from, to := table.Offset(a), table.Offset(z)
			if from < 0 || to < 0 {
				t.Tell(withinCharacter, 1, d.ID, 0)
				continue
			}
			if _, ok := at[[2]int32{a, z}]; !ok {
				at[[2]int32{a, z}] = len(spans)
			}
			spans = append(spans, WrittenSpan{i, from, to, l.Strs("label")[i]})
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
			t.Tell(WithoutSpan, 1, d.ID, 0)
			continue
		}
		arcs = append(arcs, WrittenArc{l.Strs("label")[i], from, to})
	}
	return spans, arcs
}
