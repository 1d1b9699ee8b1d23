package format

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"parlance/storage/format/codec"
	"parlance/storage/format/resource"
	"parlance/storage/format/table"
)

// byExtension are the formats that follow for sure from the extension of a file name.
var byExtension = map[string]string{".conllu": "conllu", ".conllup": "conllup", ".cupt": "conllup", ".jsonl": "jsonl",
	".ndjson": "jsonl", ".m2": "m2", ".ann": "brat", ".xmi": "inception",
	".spacy": "spacy"}

// OfExtension is the format of rows that the extension of all paths names, "" for none.
func OfExtension(paths []string) string {
	name := ""
	for i, p := range paths {
		of := rowsByExtension[codec.Extension(p)]
		if of == "" || i > 0 && of != name {
			return ""
		}
		name = of
	}
	return name
}

// rowsByExtension are the formats of rows that follow from the extension of a file name.
var rowsByExtension = map[string]string{".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl",
	".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow"}

// GuessFormat looks into the first of the files and says which format of documents it is in. The extension decides for
// formats that have their own; other files are read to about their 400th line.
func GuessFormat(src *codec.Sources) (codec.Guess, error) {
	paths := src.Paths()
	if len(paths) == 0 {
		return codec.Guess{Looks: "data of any format", Hint: "write FORMAT and one of those that SHOW FORMATS lists"}, nil
	}
	name := paths[0]
	ext := codec.Extension(name)
	for _, n := range paths {
		if codec.Extension(n) != ext {
			return codec.Guess{Looks: "files of several extensions",
				Hint: "write FORMAT and one of those that SHOW FORMATS lists"}, nil
		}
	}
	if g, ok, err := table.GuessTyped(src, name); ok || err != nil {
		return g, err
	}
	sure := byExtension[ext]
	if sure != "" && sure != "jsonl" {
		return codec.Guess{Format: sure}, nil
	}
	if ext == ".txt" && src.HasBeside(name, ".ann") {
		return codec.Guess{Format: "brat", Looks: "a text with annotations of brat beside it"}, nil
	}
	var head []string
	err := src.Look(name, func(s *codec.Source) (err error) {
		head, err = s.Head()
		return err
	})
	if err != nil {
		return codec.Guess{}, err
	}
	if full := notBlank(head); sure != "" { // tools have formats of their own
		if len(full) > 0 {
			if g, ok := looksTool(ext, head, full); ok {
				return g, nil
			}
		}
		return codec.Guess{Format: sure}, nil
	}
	return guess(ext, head), nil
}

// notBlank is the lines that are not blank.
func notBlank(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.TrimSpace(l) == "" })
}

// guess says what lines look like. The looks are tried from those that are hardest to take for another.
func guess(ext string, lines []string) codec.Guess {
	full := notBlank(lines)
	if len(full) == 0 {
		return codec.Guess{Looks: "an empty file", Hint: "write FORMAT and one of those that SHOW FORMATS lists"}
	}
	for _, look := range []func(ext string, lines, full []string) (codec.Guess, bool){looksMarked, looksTool, looksJSON,
		looksTokens,
		table.LooksSeparated} {
		if g, ok := look(ext, lines, full); ok {
			return g
		}
	}
	if g, ok := resource.LooksLikeVectors(ext, lines); ok {
		return g
	}
	return codec.Guess{Looks: "plain text",
		Hint: "FORMAT lines makes a document of each line, FORMAT text one of the file"}
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

// looksMarked knows files by how they begin, CoNLL-U by its ten columns and M2 by its letters.
func looksMarked(_ string, _, full []string) (codec.Guess, bool) {
	for _, o := range openings {
		if o.re.MatchString(full[0]) {
			return codec.Guess{Format: o.format, Looks: o.looks}, true
		}
	}
	if strings.HasPrefix(full[0], "S ") && slices.ContainsFunc(full, func(l string) bool {
		return strings.HasPrefix(l, "A ") && strings.Count(l, "|||") == 5
	}) {
		return codec.Guess{Format: "m2", Looks: "corrected sentences of M2"}, true
	}
	tokens := slices.DeleteFunc(slices.Clone(full), func(l string) bool { return strings.HasPrefix(l, "#") })
	if len(tokens) > 0 && !slices.ContainsFunc(tokens, func(l string) bool { return !conlluLine.MatchString(l) }) {
		return codec.Guess{Format: "conllu", Looks: "the ten columns of CoNLL-U"}, true
	}
	return codec.Guess{}, false
}

var conlluLine = regexp.MustCompile(`^\d+([-.]\d+)?\t([^\t]*\t){8}[^\t]*$`)

// looksJSON tells apart an object a line and one value over the whole file.
func looksJSON(_ string, _, full []string) (codec.Guess, bool) {
	switch first := strings.TrimSpace(full[0]); {
	case first[0] == '{' && json.Valid([]byte(first)):
		return codec.Guess{Format: "jsonl", Looks: "a JSON object a line"}, true
	case first[0] == '[' && (len(first) == 1 || strings.ContainsAny(first[1:2], "{[\"]") || json.Valid([]byte(first))),
		first == "{":
		items := map[bool]string{true: ".[]", false: "."}[first[0] == '[']
		return codec.Guess{Looks: "one value of JSON",
			Hint: "FORMAT jsonl reads an object a line, with the members text and " +
				"perhaps id and label; jq -c '" + items + "' FILE > FILE.jsonl writes them so"}, true
	}
	return codec.Guess{}, false
}

// spanLabel matches a label of a span in one of the schemes of conll.
var spanLabel = regexp.MustCompile(`^(O|[BIESLU]-\S+)(,\S+)?$`)

// looksTokens knows files with a token a line, whose last column has labels of spans, or whose lines are short and in
// groups. All lines have as many columns.
func looksTokens(ext string, lines, full []string) (codec.Guess, bool) {
	full = slices.DeleteFunc(slices.Clone(full), func(l string) bool { return strings.HasPrefix(l, "-DOCSTART-") })
	rows := make([][]string, len(full))
	for i, l := range full {
		if rows[i] = columnsOf(l); len(rows[i]) != len(rows[0]) || len(rows[i]) < 2 {
			return codec.Guess{}, false
		}
	}
	if len(rows) == 0 {
		return codec.Guess{}, false
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
	return codec.Guess{}, false
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

func tokensGuess(columns []string) codec.Guess {
	return codec.Guess{Format: "conll", With: []codec.GuessValue{{Name: "columns", List: columns}},
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
