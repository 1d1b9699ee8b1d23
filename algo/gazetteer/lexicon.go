package gazetteer

import (
	"context"
	"iter"
	"slices"

	"parlance/algo/text"
)

// Lexicon is rows of texts in named columns, of which the first is the word. Fill it before it is shared; after that it
// is safe for concurrent use.
type Lexicon struct {
	lower   bool
	columns []string
	first   map[string]int32 // row of each word
	next    []int32          // row of the same word, -1 for none
	last    map[string]int32 // of words with several rows
	rows    [][]string
}

// NewLexicon returns an empty lexicon with the columns, the word first. letterCase is exact or lower.
func NewLexicon(columns []string, letterCase string) *Lexicon {
	return &Lexicon{lower: letterCase == "lower", columns: columns, first: map[string]int32{}, last: map[string]int32{}}
}

func (l *Lexicon) key(word string) string {
	if l.lower {
		return text.Fold(word)
	}
	return word
}

// Add adds a row by column. A word may have several.
func (l *Lexicon) Add(row []string) {
	n, word := int32(len(l.rows)), l.key(row[0])
	l.rows, l.next = append(l.rows, row), append(l.next, -1)
	at, known := l.first[word]
	if !known {
		l.first[word] = n
		return
	}
	if end, several := l.last[word]; several {
		at = end
	}
	l.next[at], l.last[word] = n, n
}

// Has reports whether there is a column of the name besides the word.
func (l *Lexicon) Has(column string) bool { return slices.Index(l.columns, column) > 0 }

// Lookup returns the value of the column in the first row of the word, "" if either is unknown.
func (l *Lexicon) Lookup(word, column string) string {
	i := slices.Index(l.columns, column)
	at, ok := l.first[l.key(word)]
	if i < 1 || !ok || i >= len(l.rows[at]) {
		return ""
	}
	return l.rows[at][i]
}

// Columns names the columns, the word first.
func (l *Lexicon) Columns() []string { return l.columns }

// Rows returns the rows of a word in the order of adding.
func (l *Lexicon) Rows(word string) (out [][]string) {
	at, ok := l.first[l.key(word)]
	for ok && at >= 0 {
		out = append(out, l.rows[at])
		at = l.next[at]
	}
	return out
}

// All yields all rows in the order of adding.
func (l *Lexicon) All(ctx context.Context) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for i, row := range l.rows {
			if i%1024 == 0 && ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}
