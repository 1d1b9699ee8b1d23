package table

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/columnar"
)

// LooksSeparated recognises values between commas, semicolons or tabs: with a header that names the column text,
// without one where the first record is of the same kind as the others.
func LooksSeparated(ext string, lines, _ []string) (codec.Guess, bool) {
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
			g.With = append(g.With, codec.GuessValue{Name: "delimiter", Text: f.shown})
		}
		return g, true
	}
	if ext == ".csv" || ext == ".tsv" { // one column
		return codec.Guess{Format: ext[1:]}, true
	}
	return codec.Guess{}, false
}

// recordsOf is the records that lines hold, to the first one that has another number of values.
func recordsOf(lines []string, delimiter string) [][]part {
	src := codec.Lines("", strings.Join(lines, "\n"))
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
func separatedGuess(format string, rows [][]part) codec.Guess {
	names := textsOf(rows[0])
	at := longestColumn(rows[min(1, len(rows)-1):]) // a header is no value
	if slices.Contains(names, "text") ||
		len(rows) > 1 && !strings.Contains(names[at], " ") && utf8.RuneCountInString(names[at]) < 40 {
		return codec.Guess{Format: format}
	}
	if len(names) == 2 {
		columns := []string{"label", "label"}
		columns[at] = "text"
		return codec.Guess{Format: format, Looks: "a label and a text a line, without a header",
			With: []codec.GuessValue{{Name: "header", Off: true}, {Name: "columns", List: columns}}}
	}
	for i := range names {
		names[i] = fmt.Sprintf("c%d", i+1)
	}
	names[at] = "text"
	return codec.Guess{Looks: "values without a header",
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

// GuessTyped guesses the format of a file of typed columns, which its first bytes show; ok is false for another file.
func GuessTyped(src *codec.Sources, name string) (g codec.Guess, ok bool, err error) {
	if kind, err := KindOf(src); err != nil || kind == "" {
		return g, false, err
	}
	err = src.Look(name, func(s *codec.Source) error {
		return withColumns(s, "", func(file *columnar.File) error {
			g = codec.Guess{Format: string(file.Kind), Looks: text.Countf("%d {column|columns}", len(file.Columns))}
			has := func(name string) bool {
				return slices.ContainsFunc(file.Columns, func(c columnar.Column) bool { return c.Name == name })
			}
			if file.Metadata("huggingface") != "" || has("tokens") && has("ner_tags") {
				g = codec.Guess{Format: "hf", Looks: "a data set for Hugging Face"}
			}
			return nil
		})
	})
	return g, err == nil, err
}
