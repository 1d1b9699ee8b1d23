package kind

import (
	"context"
	"iter"
	"strings"

	"parlance/algo/text"
	"parlance/storage/value"
)

// Resources looks up the objects that a model names in its Schema. Looking up is cheap: what is
// found is kept by the engine, and the same name gives the same pointer until its content changes.
type Resources interface {
	Gazetteer(name string) (Gazetteer, error)
	Lexicon(name string) (Lexicon, error)
	KB(name string) (KB, error)
	// Corpus returns a corpus to search, as it stands in this statement, by the name of the corpus or corpus.layer for
	// passages.
	Corpus(name string) (Corpus, error)
	// Model returns a trained model of any kind; the caller asserts the interface that it needs.
	Model(name string) (Trained, error)
}

// Trained is a trained model with what it looks into itself. Annotating with it takes a Run with
// its own Resources.
type Trained struct {
	Model     Model
	Resources Resources
	Label     string // name@version
}

// Gazetteer matches phrases on tokens.
type Gazetteer interface {
	// Match returns the longest match of tokens that starts at forms[i]: its length in
	// tokens (0 if none) and its labels.
	Match(forms []string, i int) (n int, labels []string)
}

// Lexicon is a table whose first column is a word or phrase: typed columns of words, labelling rules, constraints.
// A word may have several rows. Values are texts, "" for NULL. A model may be one for the first of its relations that
// has no arguments and words in the first of several columns; else the engine reads the relation.
type Lexicon interface {
	// Lookup returns the text of the column for the word, or "": that of its first row.
	Lookup(word, column string) string
	// Columns names the columns, the word first.
	Columns() []string
	// Rows returns the rows of a word by column, in the order of storing. They may not be changed.
	Rows(word string) [][]string
	// All yields all rows by column, in the order of storing. They may not be changed.
	All(context.Context) iter.Seq2[[]string, error]
}

// KB looks up the triples of a knowledge base. Lists are in the order of storing, without
// duplicates; they may not be changed, and are nil for what is unknown.
type KB interface {
	Has(entity string) bool
	Relations() []string
	Objects(subject, relation string) []string
	Subjects(relation, object string) []string
	Types(entity string) []string
	Aliases(entity string) []string
	// Candidates returns the entities that have the name as an alias, in the order of storing, then the entity that is
	// called so itself, if it is not among them.
	Candidates(alias string) []Candidate
	// Column returns what a further column of the table entities says of an entity, such as a text or a vector; NULL
	// where it says nothing.
	Column(entity, column string) value.Value
}

// Candidate is an entity that an alias may mean. Count and Weight are what the columns count and weight of the table
// aliases say, NaN where they say nothing.
type Candidate struct {
	Entity        string
	Count, Weight float64
}

// Corpus is searched by a full-text index.
type Corpus interface {
	// Search returns the k best hits of a query in the language of match(), AnyOf makes one of words, by falling
	// score; equal ones stand in load order. k < 1 asks for all; an empty query finds nothing. Documents come with the
	// gold layers that are named, with all where none is.
	Search(ctx context.Context, query string, k int, layers ...string) ([]Hit, error)
}

// Hit is a document that a search has found, with its stored gold layers, and the passage in it: bytes [Start, End) of
// its text, all of it where documents are indexed as a whole. Nothing of the document may be changed.
type Hit struct {
	Document   *text.Document
	Start, End int
	Score      float64 // BM25
}

// AnyOf is a query for documents with any of the words, "" without words.
func AnyOf(words []string) string {
	var parts []string
	for _, w := range words {
		if w = strings.TrimSpace(strings.ReplaceAll(w, `"`, " ")); w != "" {
			parts = append(parts, `"`+w+`"`)
		}
	}
	return strings.Join(parts, " OR ")
}
