package mrlsa

import (
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
)

// union is a thesaurus and a net of synsets: bank has two senses, of which the entry shares shore with the second.
var union = triples(
	"bank synonym shore riverside", "bank antonym sea", "rage synonym fury",
	"bank synset bank.n.01", "depository synset bank.n.01", "bank synset bank.n.02", "shore synset bank.n.02",
	"slope synset slope.n.01", "firm synset firm.n.01", "company synset firm.n.01", "fury synset fury.n.01",
	"rage synset fury.n.01", "anger synset anger.n.01",
	"bank.n.01 hypernym firm.n.01", "bank.n.02 hypernym slope.n.01", "fury.n.01 hypernym anger.n.01")

func TestAligned(t *testing.T) {
	relations := list("relations", "synonym", "antonym", "hypernym", "hyponym")
	for align, want := range map[string][3]string{
		"best": {
			"bank:shore bank:riverside rage:fury bank:bank rage:rage bank.n.01:bank bank.n.01:depository slope.n.01:slope " +
				"firm.n.01:firm firm.n.01:company anger.n.01:anger",
			"bank:slope rage:anger bank.n.01:firm bank.n.01:company",
			"slope.n.01:bank slope.n.01:shore firm.n.01:bank firm.n.01:depository anger.n.01:fury anger.n.01:rage"},
		"union": {
			"bank:shore bank:riverside rage:fury bank:bank rage:rage slope.n.01:slope firm.n.01:firm firm.n.01:company " +
				"anger.n.01:anger",
			"bank:firm bank:company bank:slope rage:anger",
			"firm.n.01:bank firm.n.01:depository slope.n.01:bank slope.n.01:shore anger.n.01:fury anger.n.01:rage"},
	} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		if err := s.Apply([]option.Arg{relations, kindtest.Arg("rows", "aligned"),
			kindtest.Arg("align", align)}); err != nil {
			t.Fatal(err)
		}
		d, _, err := m.read(background, kind.Tables{"triples": union})
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range []int{0, 2, 3} {
			var got []string
			for _, c := range d.cells[k] {
				got = append(got, d.rows.names[c.Row]+":"+d.words.names[c.Col])
			}
			if sorted(got) != sorted(strings.Fields(want[i])) {
				t.Errorf("%s, %s: %v, want %v", align, d.relations[k], got, want[i])
			}
		}
		if len(d.cells[1]) != 1 || len(d.heads) != len(d.rows.names) {
			t.Errorf("%d opposites, %d heads of %d rows", len(d.cells[1]), len(d.heads), len(d.rows.names))
		}
	}
}

func sorted(s []string) string {
	s = slices.Clone(s)
	slices.Sort(s)
	return strings.Join(s, " ")
}

// TestAlignedDegrees has a degree that neither source gives: the thesaurus alone knows riverside, the net alone slope.
func TestAlignedDegrees(t *testing.T) {
	options := []option.Arg{kindtest.Arg("rows", "aligned"), kindtest.Arg("idf", "none"),
		list("relations", "synonym", "antonym", "hypernym")}
	raw := append(slices.Clone(options), kindtest.Arg("method", "raw"))
	m := train(t, union, raw...)
	is(t, m, "hypernym", "riverside", "slope", 1, 1e-12)
	is(t, m, "hypernym", "company", "slope", 0, 0)
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Tables: kind.Tables{"triples": union}, Options: raw,
		Queries: []kindtest.Query{{Relation: "degree", Args: row("riverside", "slope", "hypernym")},
			{Relation: "related", Args: row("bank", "hypernym")}}})
	m = train(t, union, append(options, kindtest.Arg("method", "lookup"))...)
	is(t, m, "hypernym", "bank", "slope", 1, 0)
	is(t, m, "hypernym", "depository", "firm", 1, 0) // of the synset that no word takes
}
