package layers

import (
	"cmp"
	"slices"

	"parlance/algo/text"
)

// RelationAt is the relation of a row of relations.
func RelationAt(l *text.Layer, i int) Relation {
	return Relation{TextIn(l, "label", i), int(l.Ints("subject_start")[i]), int(l.Ints("subject_end")[i]),
		int(l.Ints("object_start")[i]), int(l.Ints("object_end")[i])}
}

// Relation is a relation between two ranges of bytes.
type Relation struct {
	Label                                            string
	SubjectStart, SubjectEnd, ObjectStart, ObjectEnd int
}

// SortRelations sorts relations by their subjects, then by their objects.
func SortRelations(list []Relation) {
	slices.SortStableFunc(list, func(x, y Relation) int {
		return cmp.Or(cmp.Compare(x.SubjectStart, y.SubjectStart), cmp.Compare(x.ObjectStart, y.ObjectStart))
	})
}

// Relations makes the layer of relations; sentences are left to the tokeniser.
func Relations(list []Relation) *text.Layer {
	l := text.NewLayer(text.Relations)
	l.N = len(list)
	var ints [4][]int32
	names := make([]string, l.N)
	for i, r := range list {
		for k, v := range []int{r.SubjectStart, r.SubjectEnd, r.ObjectStart, r.ObjectEnd} {
			ints[k] = append(ints[k], int32(v))
		}
		names[i] = r.Label
	}
	for k, n := range []string{"subject_start", "subject_end", "object_start", "object_end"} {
		l.SetInts(n, ints[k])
	}
	l.SetStrs("label", names)
	return l
}
