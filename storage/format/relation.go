package format

import (
	"cmp"
	"slices"

	"parlance/algo/text"
)

func relationRow(l *text.Layer, i int) relation {
	return relation{textIn(l, "label", i), int(l.Ints("subject_start")[i]), int(l.Ints("subject_end")[i]),
		int(l.Ints("object_start")[i]), int(l.Ints("object_end")[i])}
}

// relation is a relation between two ranges of bytes.
type relation struct {
	label                                            string
	subjectStart, subjectEnd, objectStart, objectEnd int
}

// sortRelations sorts relations by their subjects, then by their objects.
func sortRelations(list []relation) {
	slices.SortStableFunc(list, func(x, y relation) int {
		return cmp.Or(cmp.Compare(x.subjectStart, y.subjectStart), cmp.Compare(x.objectStart, y.objectStart))
	})
}

// relationLayer makes the layer of relations; sentences are left to the tokeniser.
func relationLayer(list []relation) *text.Layer {
	l := text.NewLayer(text.Relations)
	l.N = len(list)
	var ints [4][]int32
	names := make([]string, l.N)
	for i, r := range list {
		for k, v := range []int{r.subjectStart, r.subjectEnd, r.objectStart, r.objectEnd} {
			ints[k] = append(ints[k], int32(v))
		}
		names[i] = r.label
	}
	for k, n := range []string{"subject_start", "subject_end", "object_start", "object_end"} {
		l.SetInts(n, ints[k])
	}
	l.SetStrs("label", names)
	return l
}
