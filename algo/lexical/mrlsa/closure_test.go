package mrlsa

import (
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/storage/value"

	"pgregory.net/rapid"
)

// TestClosure compares with reachability by repeated products of a Boolean matrix (Warshall).
func TestClosure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 7
		var list []triple
		var want [n][n]bool
		for range rapid.IntRange(0, 14).Draw(t, "triples") {
			a, b := rapid.Uint32Range(0, n-1).Draw(t, "subject"), rapid.Uint32Range(0, n-1).Draw(t, "object")
			list = append(list, triple{a, b, 0.5})
			want[a][b] = true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					want[i][j] = want[i][j] || want[i][k] && want[k][j]
				}
			}
		}
		got, err := closure(background, list)
		if err != nil {
			t.Fatal(err)
		}
		var seen [n][n]bool
		for _, x := range got {
			if seen[x.subject][x.object] || x.subject == x.object {
				t.Errorf("(%d, %d) is there twice or reaches itself", x.subject, x.object)
			}
			seen[x.subject][x.object] = true
		}
		for i := range n {
			for j := range n {
				if i != j && seen[i][j] != want[i][j] {
					t.Errorf("(%d, %d): %v, want %v", i, j, seen[i][j], want[i][j])
				}
			}
		}
	})
}

func TestClosureWeights(t *testing.T) {
	got, err := closure(background, []triple{{0, 1, 0.5}, {1, 2, 0.5}, {2, 3, 2}, {0, 2, 1}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[[2]uint32]float64{{0, 1}: 0.5, {0, 2}: 1, {0, 3}: 2, {1, 2}: 0.5, {1, 3}: 1, {2, 3}: 2}
	for _, x := range got {
		if want[[2]uint32{x.subject, x.object}] != x.weight {
			t.Errorf("%v, want %v", x, want)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestTransitive(t *testing.T) {
	rows := triples("tulip hypernym flower", "flower hypernym plant", "plant hypernym thing", "tulip synonym tulip")
	m := train(t, rows, kindtest.Arg("method", "lookup"), list("relations", "synonym", "hypernym", "hyponym"),
		list("transitive", "hyponym"))
	is(t, m, "hyponym", "thing", "tulip", 1, 0)
	is(t, m, "hyponym", "tulip", "thing", none, 0)
	is(t, m, "hypernym", "tulip", "flower", 1, 0)
	is(t, m, "hypernym", "tulip", "plant", none, 0) // hyponym alone is closed
	for name, want := range map[string]string{"hypernims": "did you mean hypernym?", "synonym": "is the pivot"} {
		if _, err := trained(rows, list("transitive", name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("transitive = %s: %v, want %s", name, err, want)
		}
	}
}

func TestForms(t *testing.T) {
	rows := append(triples("x synonym dog goose box bus city walk take nice ice-cream", "x antonym fireman",
		"geese lemma goose", "gone lemma go"),
		[]value.Value{value.Str("x"), value.Str("synonym"), value.Str("big box"), {}, {}})
	m := train(t, rows, kindtest.Arg("method", "raw"), kindtest.Arg("idf", "none"), kindtest.Arg("forms", "english"))
	if names := len(m.Slices); names != 2 {
		t.Errorf("%d slices; lemma is none", names)
	}
	for form, want := range map[string]string{"dogs": "dog", "Dogs": "dog", "geese": "goose", "boxes": "box",
		"buses": "bus", "cities": "city", "walked": "walk", "taking": "take",
		"nicest": "nice", "firemen": "fireman", "Ice cream": "ice-cream", "big_boxes": "big box", "dog": "dog", "gone": "",
		"s": "", "": "", "cats": ""} {
		got := ""
		if i, ok := m.find(form); ok {
			got = m.Words[i]
		}
		if got != want {
			t.Errorf("%s: '%s', want '%s'", form, got, want)
		}
	}
	m.opt.forms = exactForms
	if _, ok := m.find("dogs"); ok {
		t.Error("dogs is found without forms")
	}
	kindtest.Run(t, kindtest.Case{
		Kind: Kind(), Tables: kind.Tables{"triples": rows},
		Options: []option.Arg{kindtest.Arg("method", "raw"), kindtest.Arg("idf", "none"), kindtest.Arg("forms", "english")},
		Queries: []kindtest.Query{{Relation: "degree", Args: row("geese", "dogs", "synonym")},
			{Relation: "related", Args: row("geese", "synonym")}},
	})
}

// TestSenses has two senses of a word with opposites of the same word; the first of each is no opposite.
func TestSenses(t *testing.T) {
	rows := triples("light antonym heavy", "light.a.02 synset_antonym heavy.a.01", "light.a.03 synset_antonym heavy.a.02")
	for _, x := range []string{"light light.a.01 1", "light light.a.02 2", "light light.a.03 3", "heavy heavy.a.01 1",
		"heavy heavy.a.02 2", "bright light.a.01 1", "weighty heavy.a.01 1"} {
		p := strings.Fields(x)
		rows = append(rows, []value.Value{value.Str(p[0]), value.Str("synset"), value.Str(p[1]),
			value.Real(1 / float64(p[2][0]-'0')), {}})
	}
	for want, senses := range map[string]option.Arg{
		"light.a.02:heavy light.a.02:weighty light.a.03:heavy": list("senses", "antonym=synset_antonym"),
		"light.a.01:heavy light.a.01:weighty":                  list("senses"),
	} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		if err := s.Apply([]option.Arg{kindtest.Arg("rows", "synset"), list("relations", "synonym", "antonym"),
			senses}); err != nil {
			t.Fatal(err)
		}
		d, _, err := m.read(background, kind.Tables{"triples": rows})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range d.cells[1] {
			got = append(got, d.rows.names[c.Row]+":"+d.words.names[c.Col])
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s, want %s", s, want)
		}
	}
}
