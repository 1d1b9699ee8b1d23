package main

import (
	"fmt"
	"os"
	"strings"

	"parlance/db"
)

// crossing are treebanks with many crossing arcs.
var crossing = []struct{ name, train, test string }{
	{"Turkish IMST, test", "LOAD '$DATA/ud/tr_imst.train.conllu' INTO train FORMAT conllu",
		"LOAD '$DATA/ud/tr_imst.test.conllu' INTO test FORMAT conllu"},
	{"Basque, CoNLL 2007, test", "LOAD '$DATA/conll2007/eus.train' INTO train FORMAT conllx WITH (encoding = 'latin1')",
		"LOAD '$DATA/conll2007/eus.test' INTO test FORMAT conllx WITH (encoding = 'latin1')"},
	{"Catalan, CoNLL 2007, test", "LOAD '$DATA/conll2007/esp.train' INTO train FORMAT conllx",
		"LOAD '$DATA/conll2007/esp.test' INTO test FORMAT conllx"},
}

// nonprojective are the parsers of trees with crossing arcs, each with those before it that it is
// compared with.
var nonprojective = []struct {
	name, factorization, trees string
	bases                      []string
}{
	{"arc_projective", "arc", "projective", []string{""}},
	{"arc", "arc", "nonprojective", []string{"arc_projective"}},
	{"head_automata", "head_automata", "nonprojective", []string{"arc"}},
	{"grandparent_sibling", "grandparent_sibling", "nonprojective", []string{"arc", "head_automata"}},
}

// parseCrossing compares parsers of trees with crossing arcs, by accuracy and by how many trees are
// certified to be the best ones.
func (b *bench) parseCrossing() error {
	t := b.table("Trees with crossing arcs, gold tags", "treebank", "trees", "parts", "UAS", "LAS", "UAS to the base", "p",
		"LAS to the base", "p", "base", "certified", "s of training")
	for _, x := range crossing {
		if err := b.treebank(t, x.name, x.train, x.test); err != nil {
			return fmt.Errorf("%s: %w", x.name, err)
		}
	}
	return nil
}

// treebank trains and compares the parsers on one treebank.
func (b *bench) treebank(t *table, name, train, test string) error {
	d, c, err := b.session("crossing")
	if err != nil {
		return err
	}
	defer os.Remove(d.Path())
	defer d.Close()
	if err := b.script(c, "CREATE CORPUS train; CREATE CORPUS test; "+train+"; "+test+";"); err != nil {
		return err
	}
	for _, m := range nonprojective {
		p := parser{kind: "depparser",
			options: []string{"factorization = '" + m.factorization + "'", "trees = '" + m.trees + "'"}}
		sec, err := b.timed(c, b.train(p, m.name, "train"))
		if err != nil {
			return err
		}
		scores, err := b.evaluated(c, m.name, "test")
		if err != nil {
			return err
		}
		var certified float64
		if err := b.one(c, "SELECT avg(certified) FROM test.parses USING "+m.name, &certified); err != nil {
			return err
		}
		for _, base := range m.bases {
			cells := []string{name, m.trees, m.factorization, fmt.Sprintf("%.2f", 100*scores["uas"]),
				fmt.Sprintf("%.2f", 100*scores["las"]),
				"", "", "", "", base, fmt.Sprintf("%.1f %%", 100*certified), fmt.Sprintf("%.1f", sec)}
			if base != "" {
				if err := b.compared(c, m.name, base, cells[5:9]); err != nil {
					return err
				}
			}
			fmt.Fprintln(b.log, "  "+strings.Join(cells, ", "))
			t.add(cells...)
		}
	}
	return nil
}

// compared writes the differences in UAS and LAS of two models, each with its p.
func (b *bench) compared(c *db.Conn, model, base string, cells []string) error {
	scores, err := b.evaluated(c, model+", "+base, "test")
	if err != nil {
		return err
	}
	for i, metric := range []string{"uas", "las"} {
		cells[2*i], cells[2*i+1] = fmt.Sprintf("%+.2f", 100*scores[metric+".difference"]),
			fmt.Sprintf("%.4f", scores[metric+".p"])
	}
	return nil
}
