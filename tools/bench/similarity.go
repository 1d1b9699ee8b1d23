package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"time"

	"parlance/db"
)

// similarities are the measures that are compared.
var similarities = []struct{ name, options string }{
	{"bcb", "alpha = 0.0003"},
	{"cls_js", "measure = 'cls_js', classes = lc"},
	{"js", "measure = 'js'"},
	{"bc", "measure = 'bc'"},
	{"bca", "measure = 'bca'"},
	{"pmi_cos", "measure = 'pmi_cos'"},
}

// classModel is what cls_js compares words by, few classes and iterations, for words are in most of them.
const classModel = "TRAIN latent_classes AS lc ON ctx WITH (classes = 100, iterations = 20, seed = 1);"

// similarity counts contexts of news and articles, finds the 500 most similar words of 50,000 words by
// each measure, and scores the lists on sets of siblings of WordNet, where that is installed.
func (b *bench) similarity() error {
	d, c, err := b.session("similarity")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := b.script(c, "CREATE CORPUS txt; LOAD '$DATA/text/wiki*-en.*.txt.gz' INTO txt FORMAT articles;"); err != nil {
		return err
	}
	sec, err := b.spent(c, contextsOf("ctx", "txt", 50000))
	if err != nil {
		return err
	}
	b.add("contexts of 4.4 M tokens, window 2", fmt.Sprintf("%.1f s of processor time", sec), "", "")
	siblings, err := b.siblings(c)
	if err != nil {
		return err
	}
	if sec, err = b.spent(c, classModel); err != nil {
		return err
	}
	b.add("100 latent classes, 20 iterations", fmt.Sprintf("%.1f s of processor time", sec), "", "")
	if err := b.similarityMeasures(c, siblings); err != nil {
		return err
	}
	if siblings {
		if err := b.similarityTests(c); err != nil {
			return err
		}
	}
	return b.similarityGrowth(c)
}

// spent runs a statement and returns its seconds of processor time.
func (b *bench) spent(c *db.Conn, statement string) (float64, error) {
	before := processor()
	err := b.script(c, statement)
	return processor() - before, err
}

// listMetrics are the metrics of lists.
var listMetrics = []string{"map", "precision@1", "precision@5", "precision@10", "precision@20"}

// similarityMeasures times the lists of every measure and scores them, on either half of the sets.
func (b *bench) similarityMeasures(c *db.Conn, siblings bool) error {
	t := b.table("The 500 most similar of 50,000 words", append([]string{"measure", "CPU s", "similar(word) ms", "A: map"},
		listMetrics...)...)
	for _, m := range similarities {
		sec, err := b.spent(c, fmt.Sprintf("TRAIN similarity AS %s ON ctx WITH (%s);", m.name, m.options))
		if err != nil {
			return err
		}
		look, err := b.lookUps(c, m.name)
		if err != nil {
			return err
		}
		cells := []string{m.name, fmt.Sprintf("%.1f", sec), fmt.Sprintf("%.2f", look*1000)}
		for i, metric := range append([]string{"map"}, listMetrics...) {
			set := "b"
			if i == 0 {
				set = "a"
			}
			cell := ""
			if siblings {
				var v float64
				if err := b.one(c, fmt.Sprintf("SELECT value FROM (EVALUATE %s ON %s) WHERE label = 'ALL' AND metric = '%s'",
					m.name, set, metric), &v); err != nil {
					return err
				}
				cell = fmt.Sprintf("%.4f", v)
			}
			cells = append(cells, cell)
		}
		t.add(cells...)
	}
	return nil
}

// similarityTests compares bcb with the other measures on B by randomisation.
func (b *bench) similarityTests(c *db.Conn) error {
	t := b.table("bcb less another measure on B, with the probability of chance",
		append([]string{"measure"}, listMetrics...)...)
	for _, m := range similarities[1:] {
		cells := []string{m.name}
		found := map[string]float64{}
		rows, err := c.Query(b.ctx,
			fmt.Sprintf("SELECT metric, value FROM (EVALUATE bcb, %s ON b) WHERE label = 'ALL' AND model LIKE '%%,%%'", m.name))
		if err != nil {
			return err
		}
		for rows.Next() {
			var name string
			var v float64
			if err := rows.Scan(&name, &v); err != nil {
				return err
			}
			found[name] = v
		}
		err = rows.Err()
		rows.Close()
		if err != nil {
			return err
		}
		for _, name := range listMetrics {
			cells = append(cells, fmt.Sprintf("%+.4f (p = %.1g)", found[name+".difference"], found[name+".p"]))
		}
		t.add(cells...)
	}
	return nil
}

func contextsOf(name, docs string, words int) string {
	return fmt.Sprintf("TRAIN contexts AS %s ON %s WITH (contexts = 'window', min_words = 2, max_words = %d);",
		name, docs, words)
}

// listed is a part of the text and how many words of it get lists.
type listed struct {
	text, docs string
	words      int
}

var (
	listings      = []listed{{"25 %", "txt WHERE CAST(id AS INTEGER) % 4 = 0", 50000}, {"100 %", "txt", 50000}}
	listingsLarge = []listed{{"50 %", "txt WHERE CAST(id AS INTEGER) % 2 = 0", 50000}, {"100 %", "txt", 10000},
		{"100 %", "txt", 20000}}
)

// similarityGrowth times lists of words of more and more text, and at large of more and more words. A
// replay with one worker tells whether the weights are the same.
func (b *bench) similarityGrowth(c *db.Conn) error {
	t := b.table("Lists of 500 words by bcb", "text", "words", "pairs", "Σ words(context)²", "CPU s, all workers",
		"CPU s, 1 worker", "same bits")
	parts := listings
	if b.Large {
		parts = append(slices.Clone(parts), listingsLarge...)
	}
	for _, x := range parts {
		if err := b.script(c, contextsOf("part", x.docs, x.words)); err != nil {
			return err
		}
		var words, pairs, products float64
		for q, dst := range map[string]*float64{"SELECT count(*) FROM part.words": &words,
			"SELECT sum(words) FROM part.contexts": &pairs, "SELECT sum(words * words) FROM part.contexts": &products} {
			if err := b.one(c, q, dst); err != nil {
				return err
			}
		}
		two, err := b.spent(c, "TRAIN similarity AS sized ON part;")
		if err != nil {
			return err
		}
		if err := b.script(c, "SET workers = 1;"); err != nil {
			return err
		}
		before := processor()
		equal, err := b.replayed(c, "sized")
		if err != nil {
			return err
		}
		one := processor() - before
		if err := b.script(c, "RESET workers; DROP MODEL sized;"); err != nil {
			return err
		}
		t.add(x.text, fmt.Sprintf("%.0f", words), fmt.Sprintf("%.0f", pairs), fmt.Sprintf("%.2g", products),
			fmt.Sprintf("%.1f", two), fmt.Sprintf("%.1f", one), equal)
	}
	return nil
}

// replayed trains a model again and tells whether its weights are the same: true or false.
func (b *bench) replayed(c *db.Conn, model string) (string, error) {
	rows, err := c.Query(b.ctx, "REPLAY "+model)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	equal := ""
	for rows.Next() {
		for i, col := range rows.Columns() {
			if col.Name == "equal" {
				equal = rows.Values()[i].String()
			}
		}
	}
	return equal, rows.Err()
}

// siblings makes sets of 10 to 300 words whose synsets have the same hypernym, every other one in A,
// the rest in B.
func (b *bench) siblings(c *db.Conn) (bool, error) {
	if _, err := os.Stat(filepath.Join(wordnetFolder, "data.noun")); err != nil {
		b.add("WordNet", "skipped", "", "not in "+wordnetFolder)
		return false, nil
	}
	return true, b.script(c, `CREATE KB wn;
LOAD '`+wordnetFolder+`' INTO wn FORMAT wordnet WITH (pos = (noun), relations = (synset, hypernym, instance_hypernym));
CREATE LEXICON siblings (set TEXT, word TEXT) AS SELECT DISTINCT h.object AS set, s.subject AS word FROM wn.triples h
  JOIN wn.triples s ON s.object = h.subject JOIN ctx.words w ON w.word = s.subject
  WHERE h.relation IN ('hypernym', 'instance_hypernym') AND s.relation = 'synset';
CREATE LEXICON sizes (set TEXT, n INTEGER, half INTEGER) AS SELECT set, count(*) AS n, row_number() OVER (ORDER BY set) % 2 AS half
  FROM siblings GROUP BY set HAVING count(*) BETWEEN 10 AND 300;
CREATE LEXICON a (set TEXT, word TEXT) AS SELECT s.set, s.word FROM siblings s JOIN sizes z ON z.set = s.set WHERE z.half = 0;
CREATE LEXICON b (set TEXT, word TEXT) AS SELECT s.set, s.word FROM siblings s JOIN sizes z ON z.set = s.set WHERE z.half = 1;`)
}

// lookUps returns the median seconds of reading the list of a word.
func (b *bench) lookUps(c *db.Conn, model string) (float64, error) {
	rows, err := c.Query(b.ctx, "SELECT word FROM ctx.words LIMIT 2000")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var words []string
	for n := 0; rows.Next(); n++ {
		var w string
		if err := rows.Scan(&w); err != nil {
			return 0, err
		}
		if n%10 == 0 {
			words = append(words, w)
		}
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	var all []float64
	for _, w := range words {
		start := time.Now()
		list, err := c.Query(b.ctx, "SELECT word, score FROM "+model+".similar($1) LIMIT 20", w)
		if err != nil {
			return 0, err
		}
		for list.Next() {
		}
		err = list.Err()
		list.Close()
		if err != nil {
			return 0, err
		}
		all = append(all, time.Since(start).Seconds())
	}
	sort.Float64s(all)
	return all[len(all)/2], nil
}
