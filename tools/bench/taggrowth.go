package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"parlance/db"
)

// grown is a kind of tagger or classifier of tokens with few passes, so that all sizes take little.
type grown struct{ name, kind, options string }

var growing = []grown{
	{"crf", "crf", "layer = 'chunks', features = 'chunk', l2 = 2, iterations = 10"},
	{"maxent", "maxent", "layer = 'chunks', features = 'chunk', order = 0, optimizer = 'cd', iterations = 10"},
	{"maxent, order 1", "maxent", "layer = 'chunks', features = 'chunk', order = 1, optimizer = 'cd', iterations = 10"},
	{"perceptron", "perceptron", "layer = 'chunks', features = 'chunk', epochs = 5"},
	{"svm_tagger", "svm_tagger", "layer = 'chunks', features = 'chunk', kernel = 'linear'"},
	{"lookahead, depth 0", "lookahead", "layer = 'chunks', features = 'chunk', depth = 0, epochs = 3"},
	{"lookahead, depth 1", "lookahead", "layer = 'chunks', features = 'chunk', depth = 1, epochs = 3"},
	{"nonlocal_perceptron", "nonlocal_perceptron", "layer = 'chunks', features = 'chunk', epochs = 3"},
}

// tagGrowth measures how trainings grow with the number of tokens, and annotation from raw text.
func (b *bench) tagGrowth() error {
	d, c, err := b.session("growth")
	if err != nil {
		return err
	}
	defer d.Close()
	sizes := []int{10, 30, 100}
	if err := b.shares(c, sizes); err != nil {
		return err
	}
	t := b.table(
		"Taggers on shares of CoNLL-2000: seconds of training; sentences of raw text a second, both cores, no cache", "kind",
		"10 %", "30 %", "100 %", "100 % / 10 %", "sentences/s")
	for i, k := range growing {
		cells := []string{k.name}
		var seconds []float64
		for _, n := range sizes {
			sec, err := b.timed(c, fmt.Sprintf("TRAIN %s AS m%d ON part%d WITH (%s);", k.kind, i, n, k.options))
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			seconds = append(seconds, sec)
			cells = append(cells, fmt.Sprintf("%.2f", sec))
		}
		rate, err := b.rawRate(c, fmt.Sprintf("m%d", i))
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		t.add(append(cells, fmt.Sprintf("%.1f", seconds[2]/seconds[0]), fmt.Sprintf("%.0f", rate))...)
	}
	return nil
}

// shares loads the first sentences of the training data, a percentage of them, and raw text.
func (b *bench) shares(c *db.Conn, sizes []int) error {
	const sentences = 8936
	for _, n := range sizes {
		path := filepath.Join(b.Dir, fmt.Sprintf("share%d", n))
		if err := firstSentences(b.file("chunk", "conll2000.train"), path, sentences*n/100); err != nil {
			return err
		}
		if err := b.script(c, fmt.Sprintf("CREATE CORPUS part%d; LOAD '%s' INTO part%d FORMAT conll2000;", n, path,
			n)); err != nil {
			return err
		}
	}
	return b.script(c, `CREATE CORPUS test; LOAD '$DATA/chunk/conll2000.test' INTO test FORMAT conll2000;
CREATE CORPUS raw; INSERT INTO raw (id, text) SELECT id, text FROM test;
TRAIN perceptron AS tagger ON part100 WITH (layer = 'xpos', features = 'pos', epochs = 5);`)
}

// firstSentences copies the first sentences of a file, which blank lines part.
func firstSentences(from, to string, n int) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	w, lines := bufio.NewWriter(out), bufio.NewScanner(in)
	for n > 0 && lines.Scan() {
		if lines.Text() == "" {
			n--
		}
		fmt.Fprintln(w, lines.Text())
	}
	return errors.Join(lines.Err(), w.Flush())
}

// rawRate is how many documents, sentences here, a model labels a second: cutting, tags and chunks.
func (b *bench) rawRate(c *db.Conn, model string) (float64, error) {
	const sentences = 2012
	if err := b.script(c, "SET cache = off;"); err != nil {
		return 0, err
	}
	sec, err := b.median(3, func() (float64, error) {
		return b.timed(c, fmt.Sprintf("SELECT count(*) FROM raw.chunks USING tagger, %s;", model))
	})
	return sentences / sec, err
}
