package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parlance/db"
)

// wordnetFolder is where Debian's wordnet-base puts WordNet 3.0.
const wordnetFolder = "/usr/share/wordnet"

// wordMethod is a way to find relations between words, with choices of which the best on held-out
// questions is tested.
type wordMethod struct {
	name    string
	options string
	choices []string
	large   []string // further ones that take minutes each
}

const (
	twoSlices  = "antonym_expand = similar, relations = (synonym, antonym)"
	fourSlices = "antonym_expand = similar, relations = (synonym, antonym, hypernym, hyponym)"
	closed     = "transitive = (hypernym, hyponym)"
)

var oppositeMethods = []wordMethod{
	{"lookup", "method = lookup, relations = (synonym, antonym)",
		[]string{"antonym_expand = synset", "antonym_expand = similar"}, nil},
	{"raw", "method = raw, " + twoSlices, []string{"idf = joint", "idf = none"}, nil},
	{"pilsa", "method = pilsa, idf = none, " + twoSlices, []string{"rank = 100", "rank = 200"},
		[]string{"rank = 300", "rank = 500"}},
	{"tucker, 2 slices", "idf = none, " + twoSlices, []string{"rank = 100", "rank = 200"},
		[]string{"rank = 300", "rank = 500"}},
	{"tucker, 4 slices", "idf = none, scales = ('hypernym=0.125', 'hyponym=0.125'), " + fourSlices, []string{"rank = 200"},
		[]string{"rank = 300", "rank = 500", "rank = 300, " + closed}},
}

var classMethods = []wordMethod{
	{"lookup", "method = lookup, " + fourSlices, []string{"idf = none", "idf = none, " + closed}, nil},
	{"raw, 4 slices", "method = raw, " + fourSlices, []string{"idf = none", "idf = none, " + closed}, nil},
	{"tucker, synonym and hyponym", "transitive = hyponym, relations = (synonym, hyponym)", []string{"rank = 100"},
		[]string{"rank = 200", "rank = 300"}},
	{"tucker, 4 slices", closed + ", " + fourSlices,
		[]string{"rank = 100, scales = ('synonym=16', 'hypernym=16', 'hyponym=16')",
			"rank = 100, scales = ('synonym=64', 'hypernym=16', 'hyponym=16')"},
		[]string{"rank = 300, scales = ('synonym=16', 'hypernym=16', 'hyponym=16')",
			"rank = 500, scales = ('synonym=16', 'hypernym=16', 'hyponym=16')"}},
}

// wordRelations finds opposites and members of classes in WordNet. Choices are made by the pairs of
// AntSynNET's val and by category 1a of SemEval-2012 task 2; test is looked at once.
func (b *bench) wordRelations() error {
	if _, err := os.Stat(filepath.Join(wordnetFolder, "data.noun")); err != nil {
		b.add("words", "skipped", "", "there is no WordNet in "+wordnetFolder)
		return nil
	}
	d, c, err := b.session("words")
	if err != nil {
		return err
	}
	defer d.Close()
	ratings, err := b.ratings()
	if err != nil {
		return err
	}
	seconds, err := b.timed(c, `CREATE KB wn;
LOAD '`+wordnetFolder+`' INTO wn FORMAT wordnet WITH (relations = (synset, hypernym, instance_hypernym, antonym, synset_antonym, similar_to, lemma));`)
	if err != nil {
		return err
	}
	b.add("words: loading WordNet", fmt.Sprintf("%.1f s", seconds), "",
		"synsets, hypernyms, antonyms, similar_to, irregular forms")
	if err := b.script(c, `
CREATE LEXICON val (word1 TEXT, word2 TEXT, label INTEGER);
LOAD '$DATA/wordsim/antsyn/*.val' INTO val FORMAT tsv WITH (header = false);
CREATE LEXICON test (word1 TEXT, word2 TEXT, label INTEGER);
LOAD '$DATA/wordsim/antsyn/*.test' INTO test FORMAT tsv WITH (header = false);
CREATE LEXICON ratings (category TEXT, word1 TEXT, word2 TEXT, score FLOAT);
LOAD '`+ratings+`' INTO ratings FORMAT tsv WITH (header = false);`); err != nil {
		return err
	}
	if err := b.opposites(c); err != nil {
		return err
	}
	return b.classes(c)
}

// picked is the best choice of a method.
type picked struct {
	choice, model string
	held, cpu     float64 // score on what it was chosen by, seconds of training
}

// chosen trains all choices of a method and drops all but the best by a metric.
func (b *bench) chosen(c *db.Conn, m wordMethod, name, task, on, metric string) (picked, error) {
	var best picked
	choices := m.choices
	if b.Large {
		choices = append(slices.Clone(choices), m.large...)
	}
	for i, o := range choices {
		model, before := fmt.Sprintf("%s%d", name, i), processor()
		if err := b.script(c, fmt.Sprintf("TRAIN mrlsa AS %s ON wn WITH (rows = synset, %s, %s)", model, m.options,
			o)); err != nil {
			return best, err
		}
		spent := processor() - before
		v, err := b.metric(c, model, task, on, metric)
		if err != nil {
			return best, err
		}
		fmt.Fprintf(b.log, "  %s, %s: %s %.4f, %.1f s of processor time\n", m.name, o, metric, v, spent)
		drop := model
		if best.model == "" || v > best.held {
			drop, best = best.model, picked{o, model, v, spent}
		}
		if drop == "" {
			continue
		}
		if err := b.script(c, "DROP MODEL "+drop); err != nil {
			return best, err
		}
	}
	return best, nil
}

// metric evaluates one model.
func (b *bench) metric(c *db.Conn, model, task, on, metric string) (v float64, err error) {
	err = b.one(c, fmt.Sprintf("SELECT value FROM (EVALUATE %s WITH (%s) ON %s) WHERE metric = '%s' AND label = 'ALL'",
		model, task, on, metric), &v)
	return v, err
}

// against is the p of a paired test of two models.
func (b *bench) against(c *db.Conn, x, y, task, on, metric string) (string, error) {
	var p float64
	err := b.one(c,
		fmt.Sprintf("SELECT value FROM (EVALUATE %s WITH (%s), %s WITH (%s) ON %s) WHERE metric = '%s.p' AND label = 'ALL'",
			x, task, y, task, on, metric), &p)
	return fmt.Sprintf("%.4f", p), err
}

// opposites asks closest-opposite questions drawn from labelled pairs, and tells the pairs apart.
func (b *bench) opposites(c *db.Conn) error {
	t := b.table("Opposites by WordNet: closest-opposite questions and pairs of AntSynNET", "method", "chosen on val",
		"F1 on val", "precision", "recall", "F1", "p of recall against raw", "accuracy of pairs", "pairs tried",
		"s of training, CPU")
	const task = "task = opposites"
	raw := ""
	for i, m := range oppositeMethods {
		best, err := b.chosen(c, m, fmt.Sprintf("o%d_", i), task, "val", "f1")
		if err != nil {
			return err
		}
		if m.name == "raw" {
			raw = best.model
		}
		cells := []string{m.name, best.choice, fmt.Sprintf("%.3f", best.held)}
		for _, metric := range []string{"precision", "recall", "f1"} {
			v, err := b.metric(c, best.model, task, "test", metric)
			if err != nil {
				return err
			}
			cells = append(cells, fmt.Sprintf("%.3f", v))
		}
		p := ""
		if i > 1 {
			if p, err = b.against(c, best.model, raw, task, "test", "recall"); err != nil {
				return err
			}
		}
		cells = append(cells, p)
		for _, metric := range []string{"accuracy", "attempted"} {
			v, err := b.metric(c, best.model, "task = pairs", "test", metric)
			if err != nil {
				return err
			}
			cells = append(cells, fmt.Sprintf("%.3f", v))
		}
		t.add(append(cells, fmt.Sprintf("%.1f", best.cpu))...)
	}
	return nil
}

// classes asks for the best and the worst member of a class.
func (b *bench) classes(c *db.Conn) error {
	t := b.table("Members of classes by WordNet: MaxDiff questions of SemEval-2012 task 2", "method", "chosen on 1a", "1a",
		"1b", "1c", "1d", "1b to 1d", "p against raw", "s of training, CPU")
	raw := ""
	// A thousand questions for figures; a hundred for tests, as they share some forty pairs.
	const test, held = "task = maxdiff, relation = hyponym, forms = english", "ratings WHERE category = '1a'"
	const task = test + ", questions = 1000"
	for i, m := range classMethods {
		best, err := b.chosen(c, m, fmt.Sprintf("c%d_", i), task, held, "accuracy")
		if err != nil {
			return err
		}
		if strings.HasPrefix(m.name, "raw") {
			raw = best.model
		}
		cells := []string{m.name, best.choice, fmt.Sprintf("%.3f", best.held)}
		for _, on := range []string{"= '1b'", "= '1c'", "= '1d'", "<> '1a'"} {
			v, err := b.metric(c, best.model, task, "ratings WHERE category "+on, "accuracy")
			if err != nil {
				return err
			}
			cells = append(cells, fmt.Sprintf("%.3f", v))
		}
		p := ""
		if i > 1 {
			if p, err = b.against(c, best.model, raw, test, "ratings WHERE category <> '1a'", "accuracy"); err != nil {
				return err
			}
		}
		t.add(append(cells, p, fmt.Sprintf("%.1f", best.cpu))...)
	}
	return nil
}

// ratings writes the rated pairs of class inclusion, 1a to 1d, as category, word1, word2, score.
func (b *bench) ratings() (string, error) {
	out, err := os.Create(filepath.Join(b.Dir, "ratings.tsv"))
	if err != nil {
		return "", err
	}
	defer out.Close()
	for _, split := range []string{"Training", "Testing"} {
		f, err := os.Open(b.file("wordsim", "semeval2012t2", "gold."+split+".txt"))
		if err != nil {
			return "", err
		}
		err = classRatings(out, f)
		f.Close()
		if err != nil {
			return "", err
		}
	}
	return out.Name(), out.Close()
}

// classRatings reads headings such as ## GoldRatings-1a and lines such as 67.5 "crown:royalty".
func classRatings(out io.Writer, in io.Reader) error {
	category := ""
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if name, ok := strings.CutPrefix(line, "## GoldRatings-"); ok {
			category = name
			continue
		}
		score, pair, ok := strings.Cut(line, " ")
		a, z, two := strings.Cut(strings.Trim(pair, `"`), ":")
		if !ok || !two || strings.HasPrefix(line, "#") || !slices.Contains([]string{"1a", "1b", "1c", "1d"}, category) {
			continue
		}
		if _, err := fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", category, a, z, score); err != nil {
			return err
		}
	}
	return lines.Err()
}
