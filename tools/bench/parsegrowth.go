package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"parlance/algo/parse/tree"
	"parlance/db"
)

// lengths are those of the sentences whose parsing is timed.
func (b *bench) lengths() []int {
	if b.Lengths != nil {
		return b.Lengths
	}
	return []int{10, 20, 40, 80}
}

// Sizes of what parseGrowth learns from and parses. Without pruning a parser learns from short
// sentences only: how fast it parses does not depend on what it has learned.
const (
	growthSentences = 3000
	growthEpochs    = 2
	growthShort     = 15
	growthTokens    = 800 // of the sentences of each length
	growthDual      = 50  // iterations of dual decomposition at most
)

// parseGrowth measures how the time to parse a sentence grows with its length.
func (b *bench) parseGrowth() error {
	sentences, err := b.sentences("ud", "en_ewt.train.conllu")
	if err != nil {
		return err
	}
	d, c, err := b.session("growth")
	if err != nil {
		return err
	}
	defer os.Remove(d.Path())
	defer d.Close()
	if err := b.loadCut(c, "train", sentences[:min(growthSentences, len(sentences))]); err != nil {
		return err
	}
	for _, n := range b.lengths() {
		if err := b.loadCut(c, fmt.Sprintf("n%d", n), cut(sentences, n, growthTokens/n)); err != nil {
			return err
		}
	}
	var all []series
	for _, f := range tree.Factorizations() {
		for _, prune := range []bool{false, true} {
			if f == tree.Arc.String() && prune {
				continue // arcs are not pruned
			}
			if dual := f == tree.HeadAutomata.String() || f == tree.GrandparentSibling.String(); dual && !prune && !b.Large {
				continue // takes minutes
			}
			s, err := b.growing(c, f, prune)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			all = append(all, s)
		}
	}
	b.growthTable(all)
	if b.SVG == "" {
		return nil
	}
	return b.growthPlot(c, all)
}

// series is a line of a plot: seconds a sentence by length.
type series struct {
	name    string
	seconds []float64
}

// growing trains a parser and times it, on one core.
func (b *bench) growing(c *db.Conn, factorization string, prune bool) (series, error) {
	s := series{name: factorization + ", all arcs"}
	p := parser{kind: "depparser", options: []string{"factorization = '" + factorization + "'", "labels = 'none'"}}
	if b.Epochs == 0 {
		p.options = append(p.options, fmt.Sprintf("epochs = %d", growthEpochs))
	}
	if prune {
		s.name = factorization + ", pruned"
	} else {
		p.options = append(p.options, fmt.Sprintf("max_length = %d", growthShort))
		if factorization != tree.Arc.String() { // which is not pruned
			p.options = append(p.options, "prune = 0")
		}
	}
	if err := b.script(c, "SET cache = off; DROP MODEL IF EXISTS m; "+b.train(p, "m", "train")); err != nil {
		return s, err
	}
	times, with := 3, ""
	if factorization == tree.HeadAutomata.String() || factorization == tree.GrandparentSibling.String() {
		times, with = 1, fmt.Sprintf(", iterations = %d", growthDual)
	}
	for _, n := range b.lengths() {
		sec, _, err := b.oneCore(c, fmt.Sprintf("SELECT sum(head) FROM n%d.dependencies USING m WITH (max_length = %d%s)", n,
			n, with), times)
		if err != nil {
			return s, err
		}
		s.seconds = append(s.seconds, sec/float64(growthTokens/n))
	}
	fmt.Fprintln(b.log, "  ", s.name, s.seconds)
	return s, nil
}

// exponent is k where time grows as n^k, between the two longest lengths.
func (s series) exponent(lengths []int) float64 {
	i := len(lengths) - 1
	return math.Log(s.seconds[i]/s.seconds[i-1]) / math.Log(float64(lengths[i])/float64(lengths[i-1]))
}

// power is seconds that grow as n^k from a start.
func power(k, start float64, lengths []int) series {
	s := series{name: fmt.Sprintf("n^%.0f", k)}
	for _, n := range lengths {
		s.seconds = append(s.seconds, start*math.Pow(float64(n)/float64(lengths[0]), k))
	}
	return s
}

func (b *bench) growthTable(all []series) {
	lengths, columns := b.lengths(), []string{"factorization"}
	for _, n := range lengths {
		columns = append(columns, fmt.Sprintf("ms at %d tokens", n))
	}
	last := len(lengths) - 1
	t := b.table(
		fmt.Sprintf("Growth of parsing with the length of sentences, one core, dual decomposition in %d iterations at most",
			growthDual), append(columns, fmt.Sprintf("k of n^k from %d to %d", lengths[last-1], lengths[last]))...)
	for _, s := range append(all, power(3, 1e-3, lengths), power(4, 1e-3, lengths)) {
		cells := []string{s.name}
		for _, sec := range s.seconds {
			cells = append(cells, fmt.Sprintf("%.3f", 1e3*sec))
		}
		t.add(append(cells, fmt.Sprintf("%.2f", s.exponent(lengths)))...)
	}
}

// growthPlot writes the plots, with and without pruning, beside n^3 and n^4.
func (b *bench) growthPlot(c *db.Conn, all []series) error {
	for _, p := range []struct{ suffix, file, title string }{
		{", all arcs", "growth-all.svg", "Seconds a sentence by tokens, all arcs"},
		{", pruned", "growth-pruned.svg", "Seconds a sentence by tokens, pruned"},
	} {
		lines, least := []series(nil), math.Inf(1)
		for _, s := range all {
			if strings.HasSuffix(s.name, p.suffix) {
				lines, least = append(lines, series{strings.TrimSuffix(s.name, p.suffix), s.seconds}), min(least, s.seconds[0])
			}
		}
		var rows []string
		for _, s := range append(lines, power(3, least, b.lengths()), power(4, least, b.lengths())) {
			for i, n := range b.lengths() {
				rows = append(rows, fmt.Sprintf("(%d, '%s', %.9f)", n, s.name, s.seconds[i]))
			}
		}
		path := strings.ReplaceAll(filepath.Join(b.SVG, p.file), "'", "''")
		if err := b.script(c, "COPY (SELECT * FROM (VALUES "+strings.Join(rows, ", ")+
			") v (tokens, factorization, seconds)) TO '"+path+"' FORMAT svg WITH (log_x = true, log_y = true, title = '"+p.title+
			"')"); err != nil {
			return err
		}
	}
	return nil
}

// sentences reads the sentences of a file of CoNLL-U: their rows of tokens, as columns.
func (b *bench) sentences(parts ...string) ([][][]string, error) {
	f, err := os.Open(b.file(parts...))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out [][][]string
	var sentence [][]string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		columns := strings.Split(lines.Text(), "\t")
		switch {
		case lines.Text() == "" && len(sentence) > 0:
			out, sentence = append(out, sentence), nil
		case len(columns) == 10 && !strings.ContainsAny(columns[0], "-."):
			sentence = append(sentence, columns)
		}
	}
	if len(sentence) > 0 {
		out = append(out, sentence)
	}
	return out, lines.Err()
}

// cut returns count sentences of exactly n tokens, made of one sentence after the other. The first
// token is the head of all others, for the trees are to be found only.
func cut(sentences [][][]string, n, count int) [][][]string {
	var out [][][]string
	var now [][]string
	for i := 0; len(out) < count; i++ {
		for _, row := range sentences[i%len(sentences)] {
			if len(now) == n {
				break
			}
			row = append([]string(nil), row...)
			row[0], row[6], row[7] = fmt.Sprint(len(now)+1), "1", "dep"
			if len(now) == 0 {
				row[6], row[7] = "0", "root"
			}
			now = append(now, row)
		}
		if len(now) == n {
			out, now = append(out, now), nil
		}
	}
	return out
}

// loadCut loads sentences into a new corpus.
func (b *bench) loadCut(c *db.Conn, corpus string, sentences [][][]string) error {
	var s strings.Builder
	for _, rows := range sentences {
		for _, r := range rows {
			s.WriteString(strings.Join(r, "\t") + "\n")
		}
		s.WriteString("\n")
	}
	path := filepath.Join(b.Dir, corpus+".conllu")
	if err := os.WriteFile(path, []byte(s.String()), 0o600); err != nil {
		return err
	}
	return b.script(c, "CREATE CORPUS "+corpus+"; LOAD '"+path+"' INTO "+corpus+" FORMAT conllu")
}
