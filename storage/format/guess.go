package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// Guess is what the beginning of a file looks like.
type Guess struct {
	Format string       // "" where it fits none, or several
	With   []GuessValue // options of the format beside their defaults
	Looks  string       // what the file looks like, such as "a token a line, its label last"
	Hint   string       // what to write where Format is ""
}

// GuessValue is an option of a guess: a text, or a list of names, or false.
type GuessValue struct {
	Name string
	Text string
	List []string
	Off  bool
}

// Statement is the clause that says what a guess says: FORMAT conll WITH (columns = (form, entities)).
func (g Guess) Statement() string {
	text := "FORMAT " + g.Format
	for i, v := range g.With {
		text += []string{" WITH (", ", "}[min(i, 1)] + v.Name + " = "
		switch {
		case v.List != nil:
			text += "(" + strings.Join(v.List, ", ") + ")"
		case v.Off:
			text += "false"
		default:
			text += "'" + strings.ReplaceAll(v.Text, "'", "''") + "'"
		}
	}
	if len(g.With) > 0 {
		text += ")"
	}
	return text
}

// Bounds of what a guess reads of a file.
const (
	guessLines = 400
	guessBytes = 1 << 20
)

// byExtension are the formats that an extension of a file name tells for sure.
var byExtension = map[string]string{".conllu": "conllu", ".conllup": "conllup", ".cupt": "conllup", ".jsonl": "jsonl",
	".ndjson": "jsonl", ".m2": "m2", ".ann": "brat", ".xmi": "inception",
	".spacy": "spacy"}

// OfExtension is the format of rows that the extension of all paths names, "" for none.
func OfExtension(paths []string) string {
	name := ""
	for i, p := range paths {
		of := rowsByExtension[extension(p)]
		if of == "" || i > 0 && of != name {
			return ""
		}
		name = of
	}
	return name
}

// rowsByExtension are the formats of rows that an extension of a file name tells.
var rowsByExtension = map[string]string{".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl",
	".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow"}

// GuessFormat looks into the first of the files and says which format of documents it is in. The extension decides for
// formats that have their own; other files are read to about their 400th line.
func GuessFormat(src *Sources) (Guess, error) {
	if src.stdin != nil || len(src.names) == 0 {
		return Guess{Looks: "data of any format", Hint: "write FORMAT and one of those that SHOW FORMATS lists"}, nil
	}
	name := src.names[0]
	ext := extension(name)
	for _, n := range src.names {
		if extension(n) != ext {
			return Guess{Looks: "files of several extensions", Hint: "write FORMAT and one of those that SHOW FORMATS lists"},
				nil
		}
	}
	if g, ok, err := guessTyped(src, name); ok || err != nil {
		return g, err
	}
	sure := byExtension[ext]
	if sure != "" && sure != "jsonl" {
		return Guess{Format: sure}, nil
	}
	if ext == ".txt" && src.hasBeside(name, ".ann") {
		return Guess{Format: "brat", Looks: "a text with annotations of brat beside it"}, nil
	}
	var head []string
	err := src.file(name, new(atomic.Int64), func(s *Source) (err error) {
		head, err = s.head()
		return err
	})
	if err != nil {
		return Guess{}, err
	}
	if full := notBlank(head); sure != "" { // tools have formats of their own
		if len(full) > 0 {
			if g, ok := looksTool(ext, head, full); ok {
				return g, nil
			}
		}
		return Guess{Format: sure}, nil
	}
	return guess(ext, head), nil
}

// hasBeside reports whether a file lies beside one of another ending, plain or compressed.
func (s *Sources) hasBeside(name, ending string) bool {
	base := strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	base = strings.TrimSuffix(base, filepath.Ext(base)) + ending
	return slices.ContainsFunc([]string{"", ".gz", ".zst"}, func(z string) bool {
		info, err := s.files.Stat(base + z)
		return err == nil && !info.IsDir()
	})
}

// notBlank is the lines that are not blank.
func notBlank(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.TrimSpace(l) == "" })
}

// extension is that of a file name, in small letters and without .gz or .zst.
func extension(name string) string {
	name = strings.ToLower(name)
	return filepath.Ext(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst"))
}

// head is the first lines of a file, without their ends.
func (s *Source) head() (lines []string, err error) {
	for n := 0; len(lines) < guessLines && n < guessBytes; {
		line, _, err := s.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		lines = append(lines, string(line))
		n += len(line) + 1
	}
	return lines, nil
}

// guess says what lines look like. The looks are tried from those that are hardest to take for another.
func guess(ext string, lines []string) Guess {
	full := notBlank(lines)
	if len(full) == 0 {
		return Guess{Looks: "an empty file", Hint: "write FORMAT and one of those that SHOW FORMATS lists"}
	}
	for _, look := range []func(ext string, lines, full []string) (Guess, bool){looksMarked, looksTool, looksJSON,
		looksTokens,
		looksSeparated} {
		if g, ok := look(ext, lines, full); ok {
			return g
		}
	}
	if layout := vectorLayout([]byte(strings.Join(lines, "\n"))); ext == ".vec" || layout == headText || layout == noHead {
		return Guess{Looks: "word vectors", Hint: vectorHint + " makes a table for them, and LOAD … INTO vectors reads them"}
	}
	return Guess{Looks: "plain text", Hint: "FORMAT lines makes a document of each line, FORMAT text one of the file"}
}

// openings are how files of some formats begin.
var openings = []struct {
	re     *regexp.Regexp
	format string
	looks  string
}{
	{regexp.MustCompile(`(?i)^<!doctype html|^<html\b`), "html", "a page of HTML"},
	{regexp.MustCompile(`^#FORMAT=WebAnno TSV 3`), "inception", "TSV of INCEpTION"},
	{regexp.MustCompile(`^(<\?xml[^>]*>\s*)?<xmi:XMI\b`), "inception", "a CAS of UIMA as XMI"},
	{regexp.MustCompile(`^<mediawiki\b`), "mediawiki", "a dump of a wiki"},
	{regexp.MustCompile(`^#begin document `), "conll2012", "documents of CoNLL-2012"},
	{regexp.MustCompile(`^# ?global\.columns\s*=`), "conllup", "CoNLL-U Plus"},
	{regexp.MustCompile(`^\(\s*(\([A-Z]|[A-Z]+\s*\()`), "ptb", "bracketed trees"},
}

// looksMarked tells files by how they begin, CoNLL-U by its ten columns and M2 by its letters.
func looksMarked(_ string, _, full []string) (Guess, bool) {
	for _, o := range openings {
		if o.re.MatchString(full[0]) {
			return Guess{Format: o.format, Looks: o.looks}, true
		}
	}
	if strings.HasPrefix(full[0], "S ") && slices.ContainsFunc(full, func(l string) bool {
		return strings.HasPrefix(l, "A ") && strings.Count(l, "|||") == 5
	}) {
		return Guess{Format: "m2", Looks: "corrected sentences of M2"}, true
	}
	tokens := slices.DeleteFunc(slices.Clone(full), func(l string) bool { return strings.HasPrefix(l, "#") })
	if len(tokens) > 0 && !slices.ContainsFunc(tokens, func(l string) bool { return !conlluLine.MatchString(l) }) {
		return Guess{Format: "conllu", Looks: "the ten columns of CoNLL-U"}, true
	}
	return Guess{}, false
}

var conlluLine = regexp.MustCompile(`^\d+([-.]\d+)?\t([^\t]*\t){8}[^\t]*$`)

// looksJSON tells an object a line from one value over the whole file.
func looksJSON(_ string, _, full []string) (Guess, bool) {
	switch first := strings.TrimSpace(full[0]); {
	case first[0] == '{' && json.Valid([]byte(first)):
		return Guess{Format: "jsonl", Looks: "a JSON object a line"}, true
	case first[0] == '[' && (len(first) == 1 || strings.ContainsAny(first[1:2], "{[\"]") || json.Valid([]byte(first))),
		first == "{":
		items := map[bool]string{true: ".[]", false: "."}[first[0] == '[']
		return Guess{Looks: "one value of JSON", Hint: "FORMAT jsonl reads an object a line, with the members text and " +
			"perhaps id and label; jq -c '" + items + "' FILE > FILE.jsonl writes them so"}, true
	}
	return Guess{}, false
}

// spanLabel matches a label of a span in one of the schemes of conll.
var spanLabel = regexp.MustCompile(`^(O|[BIESLU]-\S+)(,\S+)?$`)

// looksTokens tells files with a token a line, whose last column has labels of spans, or whose lines are short and in
// groups. All lines have as many columns.
func looksTokens(ext string, lines, full []string) (Guess, bool) {
	full = slices.DeleteFunc(slices.Clone(full), func(l string) bool { return strings.HasPrefix(l, "-DOCSTART-") })
	rows := make([][]string, len(full))
	for i, l := range full {
		if rows[i] = columnsOf(l); len(rows[i]) != len(rows[0]) || len(rows[i]) < 2 {
			return Guess{}, false
		}
	}
	if len(rows) == 0 {
		return Guess{}, false
	}
	n := len(rows[0])
	share := func(c int) float64 { // of the rows whose column c has the label of a span
		fit := 0
		for _, r := range rows {
			if spanLabel.MatchString(r[c]) {
				fit++
			}
		}
		return float64(fit) / float64(len(rows))
	}
	const nearlyAll = 0.95 // files of the shared tasks have slips
	grouped := len(full) < len(lines) && !slices.ContainsFunc(full, func(l string) bool {
		return strings.Contains(l, "\t") && strings.Contains(l, " ")
	})
	switch {
	case share(n-1) >= nearlyAll && n == 4 && share(2) >= nearlyAll:
		return tokensGuess([]string{"form", "xpos", "chunks", "entities"}), true
	case share(n-1) >= nearlyAll && n == 3 && phrases(rows):
		return tokensGuess([]string{"form", "xpos", "chunks"}), true
	case share(n-1) >= nearlyAll && n == 3:
		return tokensGuess([]string{"form", "xpos", "entities"}), true
	case share(n-1) >= nearlyAll:
		columns := append([]string{"form"}, slices.Repeat([]string{"_"}, n-2)...)
		return tokensGuess(append(columns, "entities")), true
	case n == 2 && grouped && ext != ".csv" && wordSized(rows):
		g := tokensGuess([]string{"form", "xpos"})
		g.Looks = "a token and its tag a line"
		return g, true
	}
	return Guess{}, false
}

// phraseLabel matches labels of chunks.
var phraseLabel = regexp.MustCompile(`^(O|[BIESLU]-(NP|VP|PP|ADJP|ADVP|SBAR|PRT|CONJP|INTJ|LST|UCP))$`)

// phrases reports whether the last column has chunks and nothing else.
func phrases(rows [][]string) bool {
	for _, r := range rows {
		if !phraseLabel.MatchString(r[len(r)-1]) {
			return false
		}
	}
	return true
}

func tokensGuess(columns []string) Guess {
	return Guess{Format: "conll", With: []GuessValue{{Name: "columns", List: columns}},
		Looks: "a token a line, the label of its span last"}
}

// columnsOf is the columns of a token: between tabs if there are any, else between blanks.
func columnsOf(line string) []string {
	if strings.Contains(line, "\t") {
		return strings.Split(strings.TrimRight(line, "\t "), "\t")
	}
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' })
}

// wordSized reports whether no value is longer than words are.
func wordSized(rows [][]string) bool {
	for _, r := range rows {
		for _, v := range r {
			if utf8.RuneCountInString(v) > 40 {
				return false
			}
		}
	}
	return true
}

// looksSeparated tells values between commas, semicolons or tabs: with a header that names the column text, without one
// where the first record is of the same kind as the others.
func looksSeparated(ext string, lines, _ []string) (Guess, bool) {
	for _, f := range []struct{ ext, format, delimiter, shown string }{
		{".tsv", "tsv", "\t", ""}, {".csv", "csv", ",", ""}, {"", "tsv", "\t", ""}, {".csv", "csv", ";", ";"}} {
		if f.ext != "" && f.ext != ext || f.ext == "" && ext == ".csv" {
			continue
		}
		rows := recordsOf(lines, f.delimiter)
		if len(rows) == 0 || len(rows[0]) < 2 {
			continue
		}
		g := separatedGuess(f.format, rows)
		if f.shown != "" && g.Format != "" {
			g.With = append(g.With, GuessValue{Name: "delimiter", Text: f.shown})
		}
		return g, true
	}
	if ext == ".csv" || ext == ".tsv" { // one column
		return Guess{Format: ext[1:]}, true
	}
	return Guess{}, false
}

// recordsOf is the records that lines hold, to the first one that has another number of values.
func recordsOf(lines []string, delimiter string) [][]part {
	src := (&Sources{}).source("", strings.NewReader(strings.Join(lines, "\n")))
	r := &records{src: src, delimiter: delimiter, quote: `"`}
	var out [][]part
	for {
		record, _, err := r.next()
		if err != nil || len(out) > 0 && len(record) != len(out[0]) {
			return out
		}
		out = append(out, slices.Clone(record))
	}
}

// separatedGuess says how records name their text. The first record is a header if it names a column text, or if its
// value among the longest ones is a single word; the reader then says which column may be meant.
func separatedGuess(format string, rows [][]part) Guess {
	names := textsOf(rows[0])
	at := longestColumn(rows[min(1, len(rows)-1):]) // a header is no value
	if slices.Contains(names, "text") ||
		len(rows) > 1 && !strings.Contains(names[at], " ") && utf8.RuneCountInString(names[at]) < 40 {
		return Guess{Format: format}
	}
	if len(names) == 2 {
		columns := []string{"label", "label"}
		columns[at] = "text"
		return Guess{Format: format, Looks: "a label and a text a line, without a header",
			With: []GuessValue{{Name: "header", Off: true}, {Name: "columns", List: columns}}}
	}
	for i := range names {
		names[i] = fmt.Sprintf("c%d", i+1)
	}
	names[at] = "text"
	return Guess{Looks: "values without a header",
		Hint: fmt.Sprintf("FORMAT %s WITH (header = false, columns = (%s)) names the columns", format, strings.Join(names,
			", "))}
}

// longestColumn is the column whose values have the most characters; of equal ones the last.
func longestColumn(rows [][]part) int {
	sums, best := make([]int, len(rows[0])), 0
	for _, r := range rows {
		for i, v := range r {
			sums[i] += utf8.RuneCountInString(v.text)
		}
	}
	for i, n := range sums {
		if n >= sums[best] {
			best = i
		}
	}
	return best
}
