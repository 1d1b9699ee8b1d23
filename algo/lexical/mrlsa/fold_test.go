package mrlsa

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
)

// TestFoldIn folds words of the tensor in as if it lacked them: at convergence their vectors are those
// that it has, and so are the degrees.
func TestFoldIn(t *testing.T) {
	for name, options := range map[string][]option.Arg{
		"tucker":          {kindtest.Arg("rank", 3), kindtest.Arg("idf", "none"), list("scales", "hypernym=0.5")},
		"tucker, slow":    {kindtest.Arg("rank", 2), kindtest.Arg("idf", "none")},
		"tucker, smooth":  {kindtest.Arg("rank", 3), kindtest.Arg("idf", "joint"), kindtest.Arg("idf_smooth", true)},
		"tucker, slice":   {kindtest.Arg("rank", 4), kindtest.Arg("idf", "slice"), kindtest.Arg("idf_smooth", true)},
		"pilsa":           {kindtest.Arg("rank", 2), kindtest.Arg("idf", "none"), kindtest.Arg("method", "pilsa")},
		"all dimensions":  {kindtest.Arg("rank", 1000), kindtest.Arg("idf", "none")},
		"lsa, two slices": {kindtest.Arg("rank", 3), kindtest.Arg("method", "lsa"), list("relations", "synonym", "antonym")},
	} {
		all := []option.Arg{kindtest.Arg("fold_in", true), kindtest.Arg("sweeps", 1000), kindtest.Arg("tolerance", 1e-16),
			kindtest.Arg("self", "known")}
		m := train(t, figure, append(all, options...)...)
		f := m.degree.(*factored)
		d, _, err := m.read(background, kind.Tables{"triples": figure})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range []uint32{0, 3, uint32(len(m.Words) - 1)} {
			values, err := m.listedIn(rowsOf(t, d, w), f)
			if err != nil {
				t.Fatal(err)
			}
			v, err := f.Folding.unseen(background, values, f)
			if err != nil {
				t.Fatal(err)
			}
			for k := range m.Slices {
				want, err := m.all(background, 1, w, k)
				if err != nil {
					t.Fatal(err)
				}
				got, err := m.allOf(background, 1, v, k, f)
				if err != nil {
					t.Fatal(err)
				}
				for j := range want {
					if math.IsNaN(float64(want[j])) != math.IsNaN(float64(got[j])) || math.Abs(float64(want[j]-got[j])) > 1e-4 {
						t.Fatalf("%s: %s of %s and %s: %v, want %v", name, m.Slices[k].Name, m.Words[w], m.Words[j], got[j], want[j])
					}
				}
			}
		}
	}
}

// rowsOf lists the rows of a word as JSON.
func rowsOf(t *testing.T, d *data, word uint32) string {
	lists := map[string][]string{}
	for k, cells := range d.cells {
		for _, c := range cells {
			if c.Col == word {
				lists[d.relations[k]] = append(lists[d.relations[k]], d.rows.names[c.Row])
			}
		}
	}
	out, err := json.Marshal(lists)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestFoldedWord has a new word that is listed with gladden: what gladden is opposed to, it is.
func TestFoldedWord(t *testing.T) {
	kindtest.Run(t, kindtest.Case{
		Kind: Kind(), Tables: kind.Tables{"triples": figure},
		Options: []option.Arg{kindtest.Arg("rank", 3), kindtest.Arg("idf", "none"), kindtest.Arg("fold_in", true)},
		Queries: []kindtest.Query{
			{Relation: "fold", Args: row(`{"synonym": ["gladden", "joyfulness"]}`, "antonym")},
			{Relation: "fold", Args: row(`{"synonym": ["gladen"]}`, "antonym"),
				Fails: "unknown row 'gladen'; did you mean gladden?"},
			{Relation: "fold", Args: row(`{"synonyms": ["gladden"]}`, "antonym"), Fails: "did you mean synonym?"},
			{Relation: "fold", Args: row(`["gladden"]`, "antonym"), Fails: "no object of relations"},
			{Relation: "degree", Args: row("joy", "sorrow", "antonym")},
			{Relation: "related", Args: row("gladden", "antonym")},
		}})
	for _, bad := range [][]option.Arg{{kindtest.Arg("method", "raw")}, {kindtest.Arg("row_norm", true)}} {
		if _, err := trained(figure, append(bad, kindtest.Arg("fold_in", true))...); err == nil ||
			!strings.Contains(err.Error(), "fold_in") {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
