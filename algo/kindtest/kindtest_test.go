package kindtest

import (
	"context"
	"testing"
	"testing/synctest"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

const nothing = Prob | NBest | Explanation | Checkpoints | Init

func TestGroupKind(t *testing.T)  { Run(t, GroupKind(), Case{Lacks: nothing}) }
func TestCorpusKind(t *testing.T) { Run(t, CorpusKind(), Case{Lacks: nothing}) }
func TestRelationKind(t *testing.T) {
	Run(t, RelationKind(), Case{Lacks: nothing, Args: map[string][]value.Value{"neighbours": {value.Str("the"), value.Int(3)}}})
}

// TestUnits checks the numbers that the small kinds write.
func TestUnits(t *testing.T) {
	docs := []*text.Document{{Text: "aa"}, {Text: "a"}, {Text: "aaa"}, {Text: "aa"}}
	for i, side := range []string{"x", "y", "x", "x"} {
		docs[i].Fields = []text.Field{{Name: "side", Value: value.Str(side)}}
	}
	for _, c := range []struct {
		kind kind.Kind
		opts Case
		want string
	}{{GroupKind(), Case{Options: []Option{Opt("group", "side")}}, "3133"}, {CorpusKind(), Case{}, "2413"}} {
		s := newSubject(c.kind, c.opts)
		m, err := s.trained(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		out, err := s.annotate(t.Context(), m, docs, s.run())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, d := range out {
			got += d.Layer("labels").Strs("label")[0]
		}
		if got != c.want {
			t.Errorf("%s: labels %s, want %s", c.kind.Name, got, c.want)
		}
	}
}
