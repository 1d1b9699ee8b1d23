package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
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
	list := b.selected()
	for _, p := range []struct {
		files []string // that it makes
		make  func() error
	}{
		{[]string{"ngrams.sql", "ng.parlance", "train.txt", "held.txt", "texts.txt", "texts."}, b.peerTexts},
		{[]string{"r8"}, b.peerLabels},
		{[]string{"posts"}, b.peerPosts},
		{[]string{"chunk"}, b.peerChunks},
		{[]string{"pairs"}, b.peerPairs},
	} {
		if slices.ContainsFunc(list, func(c contest) bool { return c.reads(p.files...) }) {
			if err := p.make(); err != nil {
				return err
			}
		}
	}
	if err := b.peerDatabase(list); err != nil {
		return err
	}
	if len(b.Rows) == 0 || slices.Contains(b.Rows, "updates") {
		if err := b.updates(); err != nil {
			return err
		}
	}
	return b.contests("Beside peers, "+today(), list)
}

// selected are the contests with a key that --rows names, or all.
func (b *bench) selected() []contest {
	return slices.DeleteFunc(peerContests(), func(c contest) bool {
		return len(b.Rows) > 0 && !slices.Contains(b.Rows, c.key)
	})
}

// peerContests is the rows of the table.
func peerContests() []contest {
	return []contest{
		{key: "select-1", work: "`SELECT 1`", peer: "sqlite3",
			ours:   `$P exec -c 'SELECT 1'`,
			theirs: `sqlite3 :memory: 'SELECT 1'`,
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
		{key: "svm-prepared", work: "linear SVM, R8, the same prepared features", peer: "liblinear-train",
			fresh: `cp r8v.parlance new.parlance`,
			ours: `$P exec --db new.parlance -c "SET workers = 1; TRAIN svm AS m ON v WITH (features = bow, bias = 0, ` +
				`calibration = none)"`,
			theirs: `liblinear-train -q -s 1 r8.train.libsvm new.model`, time: 1},
		{key: "logistic-prepared", work: "logistic regression, R8, the same prepared features", peer: "liblinear-train",
			fresh: `cp r8v.parlance new.parlance`,
			ours: `$P exec --db new.parlance -c "SET workers = 1; TRAIN maxent AS m ON v WITH (features = bow, ` +
				`calibration = none)"`,
			theirs: `liblinear-train -q -s 0 r8.train.libsvm new.model`, time: 1},
		{key: "posts", work: "logistic regression, 800 posts of 20 Newsgroups from text", peer: "liblinear-train",
			fresh:  `cp posts.parlance new.parlance`,
			ours:   `$P exec --db new.parlance -c "SET workers = 1; TRAIN maxent AS m ON x WITH (calibration = none)"`,
			theirs: `liblinear-train -q -s 0 posts.train.libsvm new.model`, time: 1,
			score: [2]string{`cp posts.parlance new.parlance; $P exec --db new.parlance -c "TRAIN maxent AS m ON x WITH ` +
				`(calibration = none)" -c "EVALUATE m ON y" 2>&1 | awk '$3 == "accuracy" { printf "%.1f", 100 * $5; exit }'`,
				`liblinear-predict posts.test.libsvm new.model labels.out | awk '{ print $3 + 0 }'`}},
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
	var list []labelled
	err := b.eachLine(b.file("textcat", "r8.train.txt.gz"), func(line string) {
		label, text, _ := strings.Cut(line, "\t")
		list = append(list, labelled{label, text})
	})
	if err != nil {
		return err
	}
	var plain, marked strings.Builder
	for _, d := range list {
		fmt.Fprintln(&plain, d.text)
		fmt.Fprintf(&marked, "__label__%s %s\n", d.label, d.text)
	}
	for name, s := range map[string]string{"r8.texts": plain.String(), "r8.marked": marked.String()} {
		if err := os.WriteFile(b.temporary(name), []byte(s), 0o600); err != nil {
			return err
		}
	}
	return b.writeLabelled(list, newWordNumbers(), true, "r8.tsv", "r8.train.libsvm")
}

// peerPosts writes the posts of 20 Newsgroups, each in a line with its group, and as their words in lower case in the
// format of LIBLINEAR, for training and for tests.
func (b *bench) peerPosts() error {
	numbers := newWordNumbers()
	for _, part := range []string{"train", "test"} {
		raw, err := os.ReadFile(b.file("textcat", "20news-bydate."+part+".part.txt"))
		if err != nil {
			return err
		}
		var list []labelled
		for post := range strings.SplitSeq("\n"+strings.ToValidUTF8(string(raw), " "), "\n##### ") {
			if group, rest, found := strings.Cut(post, "/"); found {
				_, text, _ := strings.Cut(rest, "\n")
				list = append(list, labelled{group, strings.Join(strings.Fields(text), " ")})
			}
		}
		if err := b.writeLabelled(list, numbers, part == "train", "posts."+part+".tsv", "posts."+part+".libsvm"); err != nil {
			return err
		}
	}
	return nil
}

// labelled is a document with a label.
type labelled struct{ label, text string }

// wordNumbers numbers words and labels from 1.
type wordNumbers struct{ words, labels map[string]int }

func newWordNumbers() *wordNumbers { return &wordNumbers{map[string]int{}, map[string]int{}} }

// writeLabelled writes documents as lines of label and text, and of their different words between blanks, in lower
// case; words without a number are left out unless they get one.
func (b *bench) writeLabelled(list []labelled, n *wordNumbers, grow bool, lines, vectors string) error {
	err := b.writes(lines, func(w *bufio.Writer) error {
		for _, d := range list {
			fmt.Fprintf(w, "%s\t%s\n", d.label, d.text)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return b.writes(vectors, func(w *bufio.Writer) error {
		for _, d := range list {
			if n.labels[d.label] == 0 {
				n.labels[d.label] = len(n.labels) + 1
			}
			row := map[int]bool{}
			for _, t := range strings.Fields(strings.ToLower(d.text)) {
				if n.words[t] == 0 && grow {
					n.words[t] = len(n.words) + 1
				}
				if n.words[t] > 0 {
					row[n.words[t]] = true
				}
			}
			fmt.Fprint(w, n.labels[d.label])
			for _, c := range slices.Sorted(maps.Keys(row)) {
				fmt.Fprintf(w, " %d:1", c)
			}
			fmt.Fprintln(w)
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

// peerDatabase makes the databases and models that contests read.
func (b *bench) peerDatabase(list []contest) error {
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
		"r8v.sql": `CREATE CORPUS v WITH (tokenizer = 'whitespace');
LOAD 'r8.train.libsvm' INTO v FORMAT svmlight;
`,
		"posts.sql": `CREATE CORPUS x;
LOAD 'posts.train.tsv' INTO x FORMAT lines WITH (label = 'first');
CREATE CORPUS y;
LOAD 'posts.test.tsv' INTO y FORMAT lines WITH (label = 'first');
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
	for _, made := range [][2]string{
		{"ng.parlance", `$P exec --db ng.parlance -f ngrams.sql -f held.sql`},
		{"en.parlance", `$P exec --db en.parlance -f en.sql`},
		{"r8.parlance", `$P exec --db r8.parlance -f r8.sql -c "TRAIN svm AS s ON x WITH (calibration = none)"`},
		{"r8v.parlance", `$P exec --db r8v.parlance -f r8v.sql`},
		{"posts.parlance", `$P exec --db posts.parlance -f posts.sql`},
		{"texts.parlance", `$P exec --db texts.parlance -f texts.sql`},
		{"pairs.parlance", `$P exec --db pairs.parlance -f pairs.sql`},
		{"texts.sqlite", `sqlite3 texts.sqlite 'CREATE TABLE t (text TEXT)' '.mode tabs' '.import texts.txt t'`},
		{"kn.trie", `lmplz -o 5 -S 1G -T . --discount_fallback < train.txt > kn.arpa && build_binary trie kn.arpa kn.trie`},
		{"s.model", `liblinear-train -q -s 1 r8.train.libsvm s.model`},
		{"r8.bin", `fasttext supervised -input r8.marked -output r8 -epoch 25 -thread 1`},
	} {
		if !slices.ContainsFunc(list, func(c contest) bool { return c.reads(made[0]) }) {
			continue
		}
		fmt.Fprintln(b.log, "  "+made[1])
		if _, err := b.shell(program, made[1]); err != nil {
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
