package gazetteer

import "strings"

// Lexicon maps words to texts in named columns. Fill it before it is shared; after that it
// is safe for concurrent use.
type Lexicon struct {
	lower   bool
	columns map[string]int
	rows    map[string][]string
}

// NewLexicon returns an empty lexicon with the columns besides the word. letterCase is
// exact or lower.
func NewLexicon(columns []string, letterCase string) *Lexicon {
	l := &Lexicon{lower: letterCase == "lower", columns: map[string]int{}, rows: map[string][]string{}}
	for i, c := range columns {
		l.columns[c] = i
	}
	return l
}

// Add adds a word with its values by column. Of several rows of one word the first counts.
func (l *Lexicon) Add(word string, values []string) {
	if l.lower {
		word = strings.ToLower(word)
	}
	if _, ok := l.rows[word]; !ok {
		l.rows[word] = values
	}
}

// Has reports whether there is a column of the name.
func (l *Lexicon) Has(column string) bool {
	_, ok := l.columns[column]
	return ok
}

// Lookup returns the value of the column for the word, "" if either is unknown.
func (l *Lexicon) Lookup(word, column string) string {
	i, ok := l.columns[column]
	if !ok {
		return ""
	}
	if l.lower {
		word = strings.ToLower(word)
	}
	row := l.rows[word]
	if i >= len(row) {
		return ""
	}
	return row[i]
}
