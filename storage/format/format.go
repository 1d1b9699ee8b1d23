// Package format reads and writes files of documents and rows. Every format is one file here
// and one line in the registry.
package format

import (
	"errors"
	"fmt"
	"io"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/columnar"
	"parlance/storage/value"
)

// Target is what a format holds.
type Target int

// The targets.
const (
	Documents Target = iota
	Rows
)

// Format is a registered format.
type Format struct {
	Name, Doc string
	Layers    []string // layers that it gives
	Target    Target
	new       func() codec
}

// codec is a format with its options. It implements some of the interfaces below.
type codec interface{ options(*option.Set) }

// Codec is a format configured by options.
type Codec any

// blockReader reads documents that begin at a line, so that they can be cut apart first and
// parsed by several workers.
type blockReader interface {
	// splitter returns the state of cutting one file.
	splitter() splitter
	// parse turns the lines of one document into documents.
	parse(b block) ([]*text.Document, error)
}

// splitter cuts a file at lines.
type splitter interface {
	// begins tells whether a line begins a document; skip leaves the line out.
	begins(line []byte) (begins, skip bool)
}

// streamReader reads documents one after the other.
type streamReader interface {
	read(src *Source, emit func(doc *text.Document, line int) error) error
}

// rowReader reads rows with the given columns.
type rowReader interface {
	rows(src *Source, columns []Column, emit func(row []value.Value, line int) error) error
}

// documentWriter writes documents.
type documentWriter interface {
	document(w io.Writer, d *text.Document) error
}

// rowWriter writes rows.
type rowWriter interface {
	begin(w io.Writer, columns []Column) error
	row(w io.Writer, columns []Column, row []value.Value) error
}

// placed is a reader of rows that may tell columns by their place alone.
type placed interface{ byPlace() bool }

// ReadsByPlace reports whether a configured format tells columns by their place alone.
func ReadsByPlace(c Codec) bool {
	p, ok := c.(placed)
	return ok && p.byPlace()
}

// ReadsRows reports whether a configured format holds rows that can be read.
func ReadsRows(c Codec) bool {
	_, ok := c.(rowReader)
	return ok
}

// ReadsDocuments reports whether a configured format holds documents that can be read.
func ReadsDocuments(c Codec) bool {
	_, block := c.(blockReader)
	_, stream := c.(streamReader)
	return block || stream
}

// IsBinary reports whether a configured format is not made of text.
func IsBinary(c Codec) bool {
	if b, ok := c.(interface{ binary() bool }); ok {
		return b.binary()
	}
	_, ok := c.(*pgbinary)
	return ok
}

// finisher writes what stands after the last document or row.
type finisher interface{ end(w io.Writer) error }

// Column is a typed column of rows.
type Column struct {
	Name string
	Type value.Type
}

// formats is the registry, by name.
var formats = []*Format{
	{"aliases", "an entity of a knowledge base a line, another name for it after a tab", nil, Rows,
		func() codec { return &kbRows{of: "aliases", columns: []string{"entity", "alias"}, need: 2} }},
	{"arpa", "a back-off language model of n-grams: columns ngram, log_prob and backoff", nil, Rows,
		func() codec { return &arpa{} }},
	{"arrow", "Apache Arrow, files (which are Feather of version 2) and streams: typed columns in batches of rows, an " +
		"id, a text and labels among them",
		[]string{"labels"}, Documents, func() codec { return &typedColumns{kind: columnar.Arrow} }},
	{"articles", "articles after lines # id TAB title, a paragraph a line", nil, Documents,
		func() codec { return &articles{} }},
	{"bitext", "a sentence and its translation a line, as two documents; alignments of their tokens",
		[]string{"tokens", "sentences", "alignments"}, Documents, func() codec { return &bitext{} }},
	{"brat", "texts .txt with the annotations of brat in files .ann beside them, a pair a document; the name " +
		"is the id",
		[]string{"entities", "relations", "words"}, Documents, func() codec { return &brat{} }},
	{"brown", "a sentence a line, words with their tag after a slash, as in the Brown corpus",
		[]string{"tokens", "sentences"}, Documents, func() codec { return &brown{} }},
	{"conll", "one token a line in columns, a blank line after a sentence",
		[]string{"tokens", "sentences", "chunks", "entities", "segments", "dependencies", "words"}, Documents,
		func() codec { return &conll{} }},
	{"conll2000", "CoNLL-2000: form, xpos, chunks", []string{"tokens", "sentences", "chunks", "words"}, Documents,
		func() codec { return &conll{preset: []string{"form", "xpos", "chunks"}} }},
	{"conll2002", "CoNLL-2002: form, xpos (may be missing), entities",
		[]string{"tokens", "sentences", "entities", "words"}, Documents,
		func() codec { return &conll{preset: []string{"form", "xpos", "entities"}, optional: true} }},
	{"conll2003", "CoNLL-2003: form, xpos, chunks, entities",
		[]string{"tokens", "sentences", "chunks", "entities", "words"}, Documents,
		func() codec { return &conll{preset: []string{"form", "xpos", "chunks", "entities"}} }},
	{"conll2007", "CoNLL 2007, the columns of conllx", []string{"tokens", "sentences", "dependencies", "words"}, Documents,
		func() codec { return &conllx{} }},
	{"conll2009", "CoNLL-2009: dependencies, and arguments of predicates, in gold and predicted columns",
		[]string{"tokens", "sentences", "dependencies", "roles", "words"}, Documents, func() codec { return &conll2009{} }},
	{"conll2012", "CoNLL-2012 of OntoNotes: tokens with trees, entities, predicates with arguments, and coreference",
		[]string{"tokens", "sentences", "constituents", "entities", "roles", "mentions", "words"}, Documents,
		func() codec { return &conll2012{} }},
	{"conllu", "CoNLL-U of Universal Dependencies, with Entity of GUM and CorefUD",
		[]string{"tokens", "sentences", "dependencies", "entities", "mentions", "words"}, Documents,
		func() codec { return &conllu{} }},
	{"conllup",
		"CoNLL-U Plus: columns by # global.columns, in any order, those that CoNLL-U has not being kept; without " +
			"it, columns of predicates and arguments after MISC, as in Universal Propositions",
		[]string{"tokens", "sentences", "dependencies", "roles", "entities", "mentions", "words"}, Documents,
		func() codec { return &conllup{} }},
	{"conllx", "CoNLL-X of dependency treebanks: id, form, lemma, upos, xpos, feats, head, deprel, and projective " +
		"heads, which are kept for writing back", []string{"tokens", "sentences", "dependencies", "words"}, Documents,
		func() codec { return &conllx{} }},
	{"crfpp", "data of CRF++ and Wapiti for a chain that was trained here: a token a line, a column for each value that " +
		"its templates read, the label last, a blank line after a sentence", []string{"tokens", "sentences", "chunks",
		"entities", "segments"}, Documents, func() codec { return &crfpp{} }},
	{"crfsuite", "data of CRFsuite: a label and attributes a line, parted by tabs, a blank line after a sequence; the " +
		"attributes of a token are in misc", []string{"tokens", "sentences", "chunks", "entities", "segments"}, Documents,
		func() codec { return &crfsuite{} }},
	{"csv", "comma-separated values with a header; an empty value is NULL", []string{"labels"}, Documents,
		func() codec { return &separated{delimiter: ","} }},
	{"doccano", "JSON lines of doccano: spans, relations, labels and metadata",
		[]string{"entities", "relations", "labels"}, Documents, func() codec { return &doccano{} }},
	{"ecb", "XML of ECB+ and EventStoryLine: tokens, mentions, coreference, links",
		[]string{"tokens", "sentences", "mentions", "relations", "words"}, Documents, func() codec { return &ecb{} }},
	{"gazetteer", "a phrase a line, its label after a tab", nil, Rows, func() codec { return &tabbed{first: "phrase"} }},
	{"hf", "JSON lines or Parquet of data sets for Hugging Face: tokens with tags, or a text with a label; classes by " +
		"name or number",
		[]string{"tokens", "sentences", "entities", "labels"}, Documents, func() codec { return &hf{} }},
	{"html", "a page. Read: its text without markup; elements can be spans. Written: a page that needs no other file, " +
		"documents with their layers drawn; rows as a table, or drawn where all their columns are those of dependencies " +
		"(at least tok, form, head), of constituents (node, parent, label, char_start, char_end, text), or of spans " +
		"(char_start, char_end, label or cluster) with the text of the document as document_text; counts of what was taken " +
		"for what, and the steps of a training, are drawn above their table", []string{"segments", "entities"},
		Documents, newHTML},
	{"inception", "TSV (version 3) and UIMA CAS XMI of INCEpTION and WebAnno: tokens with their columns, dependencies, " +
		"chunks, spans, relations, chains; a file a document, whose name is the id", []string{"tokens", "sentences", "chunks",
		"entities", "dependencies", "mentions", "relations"}, Documents, func() codec { return &inception{} }},
	{"inline", "text with spans marked by tags: <title> On trees </title>", []string{"segments", "entities", "chunks"},
		Documents, func() codec { return &inline{} }},
	{"jsonl", "a JSON object a line: id, text, metadata, layers as lists of objects",
		[]string{"tokens", "sentences", "chunks", "entities", "segments", "dependencies", "constituents", "mentions", "roles",
			"edits", "relations", "alignments", "words", "labels"}, Documents, func() codec { return &jsonl{} }},
	{"label_studio", "JSON of Label Studio: tasks with the regions, relations and choices of one annotator, or of a " +
		"model; JSON-MIN", []string{"entities", "relations", "labels"}, Documents, func() codec { return &labelStudio{} }},
	{"lexicon", "a word a line, its columns after tabs", nil, Rows, func() codec { return &tabbed{first: "word"} }},
	{"lines", "a document a line", []string{"labels"}, Documents, func() codec { return &lines{} }},
	{"m2", "grammatical error correction: a line S of tokens, lines A of edits, a blank line",
		[]string{"tokens", "sentences", "edits", "words"}, Documents, func() codec { return &m2{} }},
	{"markdown", "a table in Markdown", nil, Rows, func() codec { return &markdown{} }},
	{"mediawiki", "XML dumps of wikis, their markup reduced to text; categories are labels", []string{"labels"}, Documents,
		func() codec { return &mediawiki{} }},
	{"outline", "constituents drawn with lines for a terminal, a phrase or a token a line", nil, Documents,
		func() codec { return &outline{} }},
	{"parquet", "Apache Parquet: typed columns in compressed pages, an id, a text and labels among them",
		[]string{"labels"}, Documents, func() codec { return &typedColumns{kind: columnar.Parquet} }},
	{"pfr", "the PFR corpus of the People's Daily: a paragraph a line, its number, then words with their tags after a " +
		"slash, and compounds in brackets", []string{"tokens", "sentences", "segments"}, Documents,
		func() codec { return &pfr{} }},
	{"pgbinary", "rows as PostgreSQL's COPY … BINARY sends them: values of the types of the columns, by place", nil, Rows,
		func() codec { return &pgbinary{} }},
	{"pgcopy", "rows as PostgreSQL's COPY sends them, values by place: tabs between them, \\N for NULL, other special " +
		"characters after a backslash; a line \\. ends them", nil, Rows, func() codec { return &pgcopy{} }},
	{"picture", "a picture for a terminal: layers of documents, or rows as the shell draws them: dependencies, " +
		"constituents, spans, clusters, edits, relations, alignments, counts of what was taken for what, and line plots", nil,
		Documents, newConsole},
	{"prodigy", "JSON lines of Prodigy: spans, relations and labels by the answers of one annotator",
		[]string{"entities", "relations", "labels"}, Documents, func() codec { return &prodigy{} }},
	{"ptb", "bracketed trees as in the Penn Treebank", []string{"tokens", "sentences", "constituents", "words"}, Documents,
		func() codec { return &ptb{} }},
	{"rules", "rules of a knowledge base, one a line; a weight before or behind a tab; # begins a comment", nil,
		Rows, newRules},
	{"semeval", "SemEval-2010 task 8: a sentence with <e1> and <e2>, their relation, a comment",
		[]string{"entities", "relations"}, Documents, func() codec { return &semeval{} }},
	{"signatures", "a relation of a knowledge base a line, the type of its subjects and that of its objects after tabs",
		nil, Rows, func() codec {
			return &kbRows{of: "relations", columns: []string{"relation", "domain", "range"}, need: 1}
		}},
	{"sinica", "the Sinica Treebank: a tree a line, functions before categories",
		[]string{"tokens", "sentences", "constituents", "words"}, Documents, func() codec { return &sinica{} }},
	{"spacy", "data for spaCy: a DocBin (.spacy), JSON lines of texts with entities, the JSON of version 2",
		[]string{"tokens", "sentences", "entities", "dependencies", "labels"}, Documents, func() codec { return &spacy{} }},
	{"svg", "a picture: layers of documents, or rows of a layer as html draws them, spans also by their own texts; " +
		"counts of what was taken for what (gold, predicted and n, or EVALUATE … WITH (confusion = true)) are a table with " +
		"colours; other rows are a line plot: the first column across, a line for each further numeric column, lines " +
		"told apart by further texts", nil, Documents, newSVG},
	{"svmlight", "data of SVMlight, LIBSVM and LIBLINEAR: a label, then features index:value, a document a line; the " +
		"text is the features", []string{"labels"}, Documents, func() codec { return &svmlight{} }},
	{"text", "plain text: a file is a document, or a document begins at lines that match a pattern", nil, Documents,
		func() codec { return &plain{} }},
	{"triples", "triples of a knowledge base: subject, relation and object between tabs, then weight and truth if " +
		"there are", nil, Rows, newTriples},
	{"tsv", "tab-separated values with a header, in quotes where needed, or without any by quote = ''; an empty value " +
		"is NULL", []string{"labels"}, Documents, func() codec { return &separated{delimiter: "tab"} }},
	{"type_hierarchy", "a type of a knowledge base a line, the type that it is part of after a tab", nil, Rows,
		func() codec { return &kbRows{of: "types", columns: []string{"type", "parent"}, need: 1} }},
	{"types", "an entity of a knowledge base a line, its type after a tab", nil, Rows,
		func() codec { return &kbRows{of: "entities", columns: []string{"entity", "type"}, need: 1} }},
	{"word2vec", "word vectors of word2vec (text and binary), fastText (.vec) and GloVe: the word in the first column " +
		"of type TEXT, its vector in the first one of type VECTOR", nil, Rows, func() codec { return &word2vec{} }},
	{"wordnet", "the folder of WordNet's files, as a knowledge base of words and synsets", nil, Rows,
		func() codec { return &wordnet{} }},
}

// List returns the formats by name.
func List() []*Format { return formats }

// Lookup returns the format of the name.
func Lookup(name string) (*Format, bool) {
	for _, f := range formats {
		if f.Name == name {
			return f, true
		}
	}
	return nil, false
}

// Reads reports whether the format can be read.
func (f *Format) Reads() bool {
	c := f.new()
	return ReadsDocuments(c) || ReadsRows(c) || ReadsKB(c)
}

// Writes reports whether the format can be written.
func (f *Format) Writes() bool {
	return f.WritesDocuments() || f.WritesRows()
}

// WritesDocuments reports whether documents can be written.
func (f *Format) WritesDocuments() bool {
	c := f.new()
	_, docs := c.(documentWriter)
	return docs || WritesFiles(c)
}

// WritesRows reports whether rows can be written.
func (f *Format) WritesRows() bool {
	_, rows := f.new().(rowWriter)
	return rows
}

// Options returns the declared options with their defaults.
func (f *Format) Options() *option.Set {
	s := &option.Set{}
	f.new().options(s)
	return s
}

// Configure applies options; errors are option.Faults, whose hints name the common options too.
func (f *Format) Configure(args []option.Arg, common ...*option.Set) (Codec, error) {
	c, s := f.new(), &option.Set{}
	c.options(s)
	if err := s.Apply(args, common...); err != nil {
		return nil, err
	}
	return c, nil
}

// Error is a fault in a file.
type Error struct {
	File      string
	Line, Col int // 1-based; Col in bytes, 0 if unknown
	Msg       string
	Hint      string
	err       error // that the message tells, or nil
}

// Unwrap returns the cause, such as value.ErrNotText.
func (e *Error) Unwrap() error { return e.err }

// faultf is an error of a file; an error among the arguments is its cause.
func faultf(file string, line, col int, format string, args ...any) error {
	e := &Error{File: file, Line: line, Col: col, Msg: text.Countf(format, args...)}
	for _, a := range args {
		if err, ok := a.(error); ok {
			e.err = err
		}
	}
	var over *loadEnded
	if errors.As(e.err, &over) {
		return over.error // not the file is at fault
	}
	return e
}

// loadEnded says why a load ended, to what reads a value.
type loadEnded struct{ error }

// Unwrap returns the reason.
func (e *loadEnded) Unwrap() error { return e.error }

func (e *Error) Error() string {
	if e.Col > 0 {
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// DocumentWriter writes documents to a stream.
type DocumentWriter struct {
	c documentWriter
	w io.Writer
}

// NewDocumentWriter returns a writer of documents.
func NewDocumentWriter(c Codec, w io.Writer) (*DocumentWriter, error) {
	if f, ok := c.(fileWriter); ok {
		return newStreamOfFiles(f, w)
	}
	d, ok := c.(documentWriter)
	if !ok {
		return nil, errors.New("the format holds no documents")
	}
	return &DocumentWriter{d, w}, nil
}

// Write writes a document.
func (w *DocumentWriter) Write(d *text.Document) error { return w.c.document(w.w, d) }

// RowWriter writes rows to a stream.
type RowWriter struct {
	c       rowWriter
	w       io.Writer
	columns []Column
}

// Close writes what stands after the documents. It does not close the stream.
func (w *DocumentWriter) Close() error { return finish(w.c, w.w) }

func finish(c any, w io.Writer) error {
	if f, ok := c.(finisher); ok {
		return f.end(w)
	}
	return nil
}

// NewRowWriter writes what stands before the rows and returns a writer of rows.
func NewRowWriter(c Codec, w io.Writer, columns []Column) (*RowWriter, error) {
	r, ok := c.(rowWriter)
	if !ok {
		return nil, errors.New("the format holds no rows")
	}
	return &RowWriter{r, w, columns}, r.begin(w, columns)
}

// Write writes the rows of a batch.
func (w *RowWriter) Write(b *value.Batch) error {
	row := make([]value.Value, 0, len(b.Cols))
	for i := range b.N {
		row = b.Row(row[:0], i)
		if err := w.c.row(w.w, w.columns, row); err != nil {
			return err
		}
	}
	return nil
}

// Close writes what stands after the rows. It does not close the stream.
func (w *RowWriter) Close() error { return finish(w.c, w.w) }
