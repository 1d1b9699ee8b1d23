package hiddenreranker

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parlance/algo/parse/constituent"
)

// bought is the fragment that the paper explains its features by.
const bought = "(S (NP (PRP He)) (VP (VBD bought) (NP (CD 12) (CD 1000) (NNS shares)) (PP (IN in) (NP (NNP Acme))) " +
	"(NP (NN yesterday))))"

func factsOf(t *testing.T, siblings bool) ([]variable, []string) {
	t.Helper()
	tree, words, err := constituent.Parse(bought)
	if err != nil {
		t.Fatal(err)
	}
	x := newReader(collins(t))
	x.naming = true
	return x.read(tree, words, siblings), words
}

// TestWords has the features of shares.
func TestWords(t *testing.T) {
	list, _ := factsOf(t, false)
	i := slices.IndexFunc(list, func(v variable) bool { return v.form.name == "shares" })
	var names []string
	for _, f := range list[i].word {
		names = append(names, f.name)
	}
	for _, want := range []string{"value", "word shares", "tag NNS", "tag NNS word shares", "highest NP",
		"tag NNS highest NP",
		"up NP,VP,S", "down NP,NNS", "head of NP -> CD CD NNS*head", "head of VP => NP -> CD CD NNS*head",
		"modifier in VP -> VBD*head NP*mod PP NP", "modifier in S => VP -> VBD*head NP*mod PP NP"} {
		if !slices.Contains(names, want) {
			t.Errorf("%q is missing in %q", want, names)
		}
		if with := want + " word shares"; !strings.Contains(want, "word") && want != "value" && !slices.Contains(names,
			with) {
			t.Errorf("%q is missing in %q", with, names)
		}
	}
	if len(names) != 20 {
		t.Errorf("%d features, want 20", len(names))
	}
	if root := list[0]; root.form.name != "bought" || root.parent != -1 || slices.ContainsFunc(root.word,
		func(p piece) bool { return strings.HasPrefix(p.name, "modifier") }) {
		t.Errorf("the first word is %s", root.form.name)
	}
}

// TestEdges: both graphs of the rule VP -> VBD NP PP NP, and the features of an edge.
func TestEdges(t *testing.T) {
	for siblings, want := range map[bool]string{
		false: "bought>He bought>shares bought>in bought>yesterday shares>1000 shares>12 in>Acme",
		true:  "bought>He bought>shares shares>in in>yesterday shares>1000 1000>12 in>Acme"} {
		list, _ := factsOf(t, siblings)
		var got []string
		for i, v := range list {
			if v.parent >= i {
				t.Errorf("the parent of word %d is %d", i, v.parent)
			}
			if v.parent >= 0 {
				got = append(got, list[v.parent].form.name+">"+v.form.name)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("siblings %v: %s, want %s", siblings, s, want)
		}
		i := slices.IndexFunc(list, func(v variable) bool { return v.form.name == "in" })
		names := fmt.Sprint(list[i].edge[0].name, "; ", list[i].edge[1].name, "; ", list[i].edge[2].name)
		edge := "edge VBD PP VP right apart plain; edge in VP -> VBD*head NP PP*mod NP; edge in S => VP -> VBD*head " +
			"NP PP*mod NP"
		if siblings {
			edge = "edge NP PP VP right apart plain; edge in VP -> VBD*head NP*sib1 PP*sib2 NP; " +
				"edge in S => VP -> VBD*head NP*sib1 PP*sib2 NP"
		}
		if names != edge {
			t.Errorf("siblings %v: %s, want %s", siblings, names, edge)
		}
	}
}

// TestNames: features have the same name where they have the same hash, and the same hashes with and without names.
func TestNames(t *testing.T) {
	byHash, byName := map[uint64]string{}, map[string]uint64{}
	for _, w := range append(slices.Clone(telescope), bought) {
		tree, words, err := constituent.Parse(w)
		if err != nil {
			t.Fatal(err)
		}
		x, silent := newReader(collins(t)), newReader(collins(t))
		x.naming = true
		for _, siblings := range []bool{false, true} {
			a, b := x.read(tree, words, siblings), silent.read(tree, words, siblings)
			for i := range a {
				for n, f := range slices.Concat(a[i].word, a[i].edge) {
					if g := slices.Concat(b[i].word, b[i].edge)[n]; g.hash != f.hash || g.name != "" && g.name != f.name {
						t.Fatalf("%q has another hash without a name", f.name)
					}
					if name, ok := byHash[f.hash]; ok && name != f.name {
						t.Errorf("%q and %q have one hash", name, f.name)
					}
					if h, ok := byName[f.name]; ok && h != f.hash {
						t.Errorf("%q has two hashes", f.name)
					}
					byHash[f.hash], byName[f.name] = f.name, f.hash
				}
			}
		}
	}
}
