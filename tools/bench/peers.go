package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/tagger"
	"parlance/storage"
)

// peers measures whole processes beside those of the programs for which there are alternatives: what it costs to start,
// to read, to answer and to end is in it.
func (b *bench) peers() error {
	for _, prepare := range []func() error{b.peerTexts, b.peerLabels, b.peerChunks, b.peerPairs, b.peerDatabase} {
		if err := prepare(); err != nil {
			return err
		}
	}
	if len(b.Rows) == 0 || slices.Contains(b.Rows, "updates") {
		if err := b.updates(); err != nil {
			return err
		}
	}
	return b.contests("Beside peers, "+today(), b.selected())
}

// contestsOfPeers are all contests.
func contestsOfPeers() []contest {
	return []contest{
		{key: "select-1", work: "`SELECT 1`", peer: "sqlite3", ours: `$P exec -c 'SELECT 1'`, theirs: `sqlite3 :memory: 'SELECT 1'`,
			repeat: 20, time: 4, memory: 3.5},
		{key: "tokens", work: "first `tokens(TEXT …)`, tokenizer of EWT", ours: `$P exec --db en.parlance -c "SELECT form FROM ` +
			`tokens(TEXT 'Ann Lee flew to Oslo.')"`, repeat: 10},
		{key: "dependencies", work: "first `dependencies(TEXT …)`: tokenizer, two taggers, parser of EWT",
			ours: `$P exec --db en.parlance -c "SELECT head FROM dependencies(TEXT 'Ann Lee flew to Oslo.')"`, repeat: 10},
		{key: "ngrams-first", work: "first sentence scored by stored 5-grams of 17 MB", peer: "query",
			ours:   `$P exec --db ng.parlance -c "SELECT * FROM kn.score('he goes to school .')"`,
			theirs: `echo 'he goes to school .' | query -v sentence kn.trie`, repeat: 10, time: 2.1, memory: 1.1},
		{key: "ngrams-score", work: "6 MB of sentences scored by them", peer: "query",
			ours:   `$P exec --db ng.parlance -c "EVALUATE kn ON held WITH (samples = 0)"`,
			theirs: `query -v summary kn.trie < held.txt`, time: 1},
		{key: "ngrams-train", work: "5-grams of 17 MB, read and stored", peer: "lmplz",
			fresh:  `rm -f new.parlance`,
			ours:   `$P exec --db new.parlance -f ngrams.sql`,
			theirs: `lmplz -o 5 -S 1G -T . --discount_fallback < train.txt > new.arpa && build_binary trie new.arpa new.trie`,
			time:   1, memory: 1},
		{key: "crf", work: "CRF, CoNLL-2000, 100 iterations", peer: "crfsuite", fresh: `cp chunk.parlance new.parlance`,
			ours: `$P exec --db new.parlance -c "SET workers = 1; TRAIN crf AS m ON c WITH (l2 = 2, iterations = 100, ` +
				`delta = 0, epsilon = 0)"`,
			theirs: `crfsuite learn -a lbfgs -p c2=1 -p max_iterations=100 -p epsilon=0 -p delta=0 -m new.crfsuite chunk.crfsuite`,
			time:   1, memory: 1},
		{key: "svm", work: "linear SVM, R8 from text", peer: "liblinear-train", fresh: `cp r8.parlance new.parlance`,
			ours:   `$P exec --db new.parlance -c "SET workers = 1; TRAIN svm AS m ON x WITH (calibration = none)"`,
			theirs: `liblinear-train -q -s 1 r8.train.libsvm new.model`, time: 1.5},
		{key: "logistic", work: "logistic regression, R8 from text", peer: "liblinear-train", fresh: `cp r8.parlance new.parlance`,
			ours:   `$P exec --db new.parlance -c "SET workers = 1; TRAIN maxent AS m ON x WITH (calibration = none)"`,
			theirs: `liblinear-train -q -s 0 r8.train.libsvm new.model`, time: 1},
		{key: "labels", work: "labels of 5,485 documents of R8", peer: "liblinear-predict",
			ours:   `$P exec --db r8.parlance -c "COPY (SELECT label FROM x.labels USING s) TO 'labels.csv' FORMAT csv"`,
			theirs: `liblinear-predict r8.train.libsvm s.model labels.out`, time: 2.2},
		{key: "labels-text", work: "labels of 5,485 documents of R8, from text", peer: "fasttext",
			ours:   `$P exec --db r8.parlance -c "COPY (SELECT label FROM x.labels USING s) TO 'labels.csv' FORMAT csv"`,
			theirs: `fasttext predict r8.bin r8.texts > labels.out`, time: 1.5},
		alignment,
		{key: "load", work: "loading 51 MB of texts, with sentences and tokens", peer: "sqlite3",
			fresh:  `rm -f new.parlance new.sqlite`,
			ours:   `$P exec --db new.parlance -c "CREATE CORPUS t; LOAD 'texts.txt' INTO t FORMAT lines"`,
			theirs: `sqlite3 new.sqlite 'CREATE TABLE t (text TEXT)' '.mode tabs' '.import texts.txt t'`},
		{key: "fulltext", work: "full-text index of them", peer: "sqlite3",
			fresh:  `cp texts.parlance new.parlance; cp texts.sqlite new.sqlite`,
			ours:   `$P exec --db new.parlance -c "SET workers = 1; CREATE FULLTEXT INDEX ON t (text)"`,
			theirs: `sqlite3 new.sqlite "CREATE VIRTUAL TABLE f USING fts5(text, content='t'); INSERT INTO f(f) VALUES('rebuild')"`,
			time:   1, memory: 4.4},
	}
}

// selected are the contests with a key that --rows names, or all.
func (b *bench) selected() []contest {
	return slices.DeleteFunc(contestsOfPeers(), func(c contest) bool {
		return len(b.Rows) > 0 && !slices.Contains(b.Rows, c.key)
	})
}

// wanted reports whether a selected contest names one of the files in its commands.
func (b *bench) wanted(files ...string) bool {
	return slices.ContainsFunc(b.selected(), func(c contest) bool {
		return slices.ContainsFunc(files, func(f string) bool { return strings.Contains(c.fresh+c.ours+c.theirs, f) })
	})
}

// tokenPattern cuts texts where words and marks begin.
var tokenPattern = regexp.MustCompile(`[\pL\pN]+('[\pL\pN]+)?|[^\s\pL\pN]`)

// sentenceEnd ends a sentence: a full stop before white space.
var sentenceEnd = regexp.MustCompile(`\.\s+`)

// marks leaves out what sqlite3 takes for the ends of fields.
var marks = strings.NewReplacer("\t", " ", `"`, "'")

// peerTexts writes sentences of an encyclopedia, a line each, words apart by blanks: train.txt of 17 MB and held.txt of
// 6, and articles, a line each, of 51 MB.
func (b *bench) peerTexts() error {
	for name, parts := range map[string][]int{"train.txt": {1, 2, 3}, "held.txt": {7}} {
		err := b.writes(name, func(w *bufio.Writer) error {
			for _, k := range parts {
				if err := b.eachLine(b.file("text", fmt.Sprintf("wikipedia-en.%d.txt.gz", k)), func(line string) {
					if strings.HasPrefix(line, "# ") {
						return
					}
					for _, s := range sentenceEnd.Split(line, -1) {
						if words := tokenPattern.FindAllString(s, -1); len(words) > 0 {
							fmt.Fprintln(w, strings.Join(words, " "))
						}
					}
				}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return b.writes("texts.txt", func(w *bufio.Writer) error {
		files, err := filepath.Glob(b.file("text", "wiki*.txt.gz"))
		if err != nil {
			return err
		}
		for _, f := range files {
			text := ""
			end := func() {
				if text != "" {
					fmt.Fprintln(w, text)
				}
				text = ""
			}
			if err := b.eachLine(f, func(line string) {
				if strings.HasPrefix(line, "# ") {
					end()
					return
				}
				text += marks.Replace(line) + " "
			}); err != nil {
				return err
			}
			end()
		}
		return nil
	})
}

// peerLabels writes the documents of R8 as lines of label and text, as fastText reads them, and as their words in the
// format of LIBLINEAR.
func (b *bench) peerLabels() error {
	var labels, texts []string
	err := b.eachLine(b.file("textcat", "r8.train.txt.gz"), func(line string) {
		label, text, _ := strings.Cut(line, "\t")
		labels, texts = append(labels, label), append(texts, text)
	})
	if err != nil {
		return err
	}
	number, classes := map[string]int{}, map[string]int{}
	return b.writes("r8.train.libsvm", func(w *bufio.Writer) error {
		var plain, marked, tabs strings.Builder
		for i, text := range texts {
			fmt.Fprintln(&plain, text)
			fmt.Fprintf(&marked, "__label__%s %s\n", labels[i], text)
			fmt.Fprintf(&tabs, "%s\t%s\n", labels[i], text)
			if classes[labels[i]] == 0 {
				classes[labels[i]] = len(classes) + 1
			}
			row := map[int]bool{}
			for _, t := range strings.Fields(text) {
				if number[t] == 0 {
					number[t] = len(number) + 1
				}
				row[number[t]] = true
			}
			columns := make([]int, 0, len(row))
			for c := range row {
				columns = append(columns, c)
			}
			slices.Sort(columns)
			fmt.Fprint(w, classes[labels[i]])
			for _, c := range columns {
				fmt.Fprintf(w, " %d:1", c)
			}
			fmt.Fprintln(w)
		}
		for name, s := range map[string]string{"r8.texts": plain.String(), "r8.marked": marked.String(),
			"r8.tsv": tabs.String()} {
			if err := os.WriteFile(b.temporary(name), []byte(s), 0o600); err != nil {
				return err
			}
		}
		return nil
	})
}

// peerChunks writes the tokens of CoNLL-2000 with the attributes of the feature set chunk as CRFsuite reads them.
func (b *bench) peerChunks() error {
	d, c, err := b.session("chunk")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := b.script(c, "CREATE CORPUS c; LOAD '$DATA/chunk/conll2000.train' INTO c FORMAT conll2000"); err != nil {
		return err
	}
	if err := d.Close(); err != nil {
		return err
	}
	s, err := storage.Open(d.Path(), storage.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer s.Close()
	docs, err := splitOf(b.ctx, s, "c", "")
	if err != nil {
		return err
	}
	set, _ := feature.Builtin("chunk")
	target, err := tagger.NewTarget("chunks", bio.BIO)
	if err != nil {
		return err
	}
	data, err := tagger.Read(b.ctx, kind.Documents(docs), set, target, nil, 1)
	if err != nil {
		return err
	}
	return writeCRFsuite(b.temporary("chunk.crfsuite"), data)
}

// peerDatabase makes the databases and models that the contests read.
func (b *bench) peerDatabase() error {
	program, err := b.program()
	if err != nil {
		return err
	}
	const ngrams = `CREATE CORPUS train WITH (tokenizer = 'whitespace');
LOAD 'train.txt' INTO train FORMAT lines;
SET workers = 1;
TRAIN ngrams AS kn ON train;
`
	for name, text := range map[string]string{
		"ngrams.sql": ngrams,
		"held.sql": `CREATE CORPUS held WITH (tokenizer = 'whitespace');
LOAD 'held.txt' INTO held FORMAT lines;
`,
		"en.sql": strings.ReplaceAll(`CREATE CORPUS ud;
LOAD '$DATA/ud/en_ewt.train.conllu' INTO ud FORMAT conllu;
TRAIN tokenizer AS tok ON ud;
TRAIN perceptron AS upos ON ud WITH (layer = upos, calibration = none);
TRAIN perceptron AS xpos ON ud WITH (layer = xpos, calibration = none);
TRAIN transition_parser AS parser ON ud WITH (tags = xpos, calibration = none);
ALTER DATABASE SET using = (tok, upos, xpos, parser);
`, "$DATA", b.Data),
		"r8.sql": `CREATE CORPUS x;
LOAD 'r8.tsv' INTO x FORMAT lines WITH (label = 'first');
`,
		"pairs.sql": `CREATE CORPUS zhen (pair TEXT, side TEXT) WITH (tokenizer = 'whitespace');
LOAD 'pairs.txt' INTO zhen FORMAT bitext;
`,
		"texts.sql": `CREATE CORPUS t;
LOAD 'texts.txt' INTO t FORMAT lines;
`,
	} {
		if err := os.WriteFile(b.temporary(name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	for _, made := range []struct {
		line  string
		files []string
	}{
		{`$P exec --db ng.parlance -f ngrams.sql -f held.sql`, []string{"ng.parlance"}},
		{`$P exec --db en.parlance -f en.sql`, []string{"en.parlance"}},
		{`$P exec --db r8.parlance -f r8.sql -c "TRAIN svm AS s ON x WITH (calibration = none)"`, []string{"r8.parlance"}},
		{`$P exec --db texts.parlance -f texts.sql`, []string{"texts.parlance"}},
		{`$P exec --db pairs.parlance -f pairs.sql`, []string{"pairs.parlance"}},
		{`sqlite3 texts.sqlite 'CREATE TABLE t (text TEXT)' '.mode tabs' '.import texts.txt t'`, []string{"texts.sqlite"}},
		{`lmplz -o 5 -S 1G -T . --discount_fallback < train.txt > kn.arpa && build_binary trie kn.arpa kn.trie`,
			[]string{"kn.trie"}},
		{`liblinear-train -q -s 1 r8.train.libsvm s.model`, []string{"s.model"}},
		{`fasttext supervised -input r8.marked -output r8 -epoch 25 -thread 1`, []string{"r8.bin"}},
	} {
		line := made.line
		if !b.wanted(made.files...) {
			continue
		}
		fmt.Fprintln(b.log, "  "+line)
		if _, err := b.shell(program, line); err != nil {
			return err
		}
	}
	return nil
}

// writes makes a file of the folder of the benchmark.
func (b *bench) writes(name string, write func(*bufio.Writer) error) error {
	f, err := os.Create(b.temporary(name))
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

// eachLine calls use with the lines of a compressed file.
func (b *bench) eachLine(path string, use func(string)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	lines := bufio.NewReaderSize(z, 1<<20)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			use(strings.TrimSuffix(line, "\n"))
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
