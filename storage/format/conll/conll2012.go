package conll

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// conll2012 is the format of the shared tasks on coreference in OntoNotes: document, part, token
// number, form, xpos, bit of a tree, lemma, frameset, word sense, speaker, entity, a column of
// arguments for each predicate, and coreference. Columns are separated by tabs if the line has
// one, else by blanks; -, _ and nothing are missing. Sense and speaker of a token are in misc.
type conll2012 struct{}

func (c *conll2012) Options(*option.Set) {}

const beginDocument, endDocument = "#begin document", "#end document"

// docSplitter cuts at #begin document; a file without it is a document.
type docSplitter struct{ began bool }

func (s *docSplitter) Begins(line []byte) (begins, skip bool) {
	if bytes.HasPrefix(line, []byte(beginDocument)) || !s.began && !codec.IsBlank(line) {
		s.began = true
		return true, false
	}
	return false, false
}

func (c *conll2012) Splitter() codec.Splitter { return &docSplitter{} }

// conll2012Reader is one document on its way.
type conll2012Reader struct {
	b        *codec.Block
	id       string
	part     int // -1 if the document names none
	bd       layers.Builder
	cols     layers.TokenCells
	rows     layers.Tree
	words    layers.Words
	entities []text.Span
	ner      bool // some cell is about entities
	roles    roleRows
	mentions layers.Mentions
	lines    []int      // of the sentence
	cells    [][]string // of the sentence
	ended    bool
}

func (c *conll2012) Parse(b codec.Block) ([]*text.Document, error) {
	r := conll2012Reader{b: &b, id: b.ID(), part: -1, cols: layers.TokenCells{Names: []string{"xpos", "lemma", "misc"}}}
	at := 0
	for rest := b.Text; rest != ""; at++ {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		var err error
		switch {
		case codec.IsBlankText(line):
			err = r.sentence()
		case strings.HasPrefix(line, beginDocument):
			err = r.begin(at, line)
		case strings.HasPrefix(line, endDocument):
			err = r.sentence()
			r.ended = true
		case line[0] == '#':
			r.words.Add(len(r.bd.SentStart)+1, "", strings.TrimRight(line, "\r"))
		default:
			err = r.token(at, line)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := r.sentence(); err != nil {
		return nil, err
	}
	return []*text.Document{r.document()}, nil
}

// begin reads #begin document (name); part 000.
func (r *conll2012Reader) begin(at int, line string) error {
	name := text.Trim(line[len(beginDocument):])
	if k := strings.LastIndex(name, "; part "); k >= 0 && !strings.HasSuffix(name, ")") {
		part := text.Trim(name[k+len("; part "):])
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil {
			return r.b.Fault(at, 0, "%q is no number of a part", part)
		}
		r.part, name = int(n), name[:k]
	}
	if bare, ok := strings.CutPrefix(name, "("); ok && strings.HasSuffix(bare, ")") {
		name = bare[:len(bare)-1]
	}
	if name == "" {
		return r.b.Fault(at, 0, "the document has no name; a document begins with #begin document (name); part 000")
	}
	if r.id = name; r.part > 0 {
		r.id += "/" + strconv.Itoa(r.part)
	}
	return nil
}

func (r *conll2012Reader) token(at int, line string) error {
	if r.ended {
		return r.b.Fault(at, 0, "a token stands after the end of the document")
	}
	var cells []string
	if strings.Contains(line, "\t") {
		cells = strings.Split(line, "\t")
	} else {
		cells = text.Fields(line)
	}
	if len(cells) < 12 {
		return r.b.Fault(at, 0, "%d {column|columns}, at least 12 are expected", len(cells))
	}
	if len(r.cells) > 0 && len(r.cells[0]) != len(cells) {
		return r.b.Fault(at, 0, "%d {column|columns}, the sentence has %d", len(cells), len(r.cells[0]))
	}
	if cells[3] == "" {
		return r.b.Fault(at, 0, "the form is empty")
	}
	r.lines, r.cells = append(r.lines, at), append(r.cells, cells)
	return nil
}

// sentence reads the lines gathered.
func (r *conll2012Reader) sentence() error {
	if len(r.cells) == 0 {
		return nil
	}
	r.bd.Sentence()
	sent := int32(len(r.bd.SentStart))
	r.rows.Sentence(int(sent))
	for i, c := range r.cells {
		next := r.bd.Next()
		r.bd.Token(c[3], false)
		r.cols.Add(present(c[4]), present(c[6]), tokenMisc(present(c[8]), present(c[9])))
		if !treeCell(&r.rows, c[5], next) {
			return r.b.Fault(r.lines[i], 0, "%q is no bit of a tree such as (S(NP* or *) that fits here", c[5])
		}
	}
	last := len(r.cells) - 1
	if len(r.rows.Open) > 0 {
		return r.b.Fault(r.lines[last], 0, "the sentence ends within its tree")
	}
	err := r.layers(sent)
	r.lines, r.cells = r.lines[:0], r.cells[:0]
	return err
}

// layers reads the columns of entities, arguments and coreference.
func (r *conll2012Reader) layers(sent int32) error {
	spans, err := r.column(10)
	if err != nil {
		return err
	}
	for _, s := range spans {
		r.entities = append(r.entities, text.Span{Sent: sent, First: s.first, Last: s.last, Label: s.label})
	}
	for _, c := range r.cells {
		r.ner = r.ner || !blankCell(c[10])
	}
	if err := r.arguments(sent); err != nil {
		return err
	}
	var coref clusterColumn
	for i, c := range r.cells {
		if v := c[len(c)-1]; !coref.cell(v, int32(i+1)) {
			return r.b.Fault(r.lines[i], 0, "%q is no coreference such as (3), (3|(4 or 3) that fits here", v)
		}
	}
	if ids := slices.Sorted(maps.Keys(coref.open)); len(ids) > 0 {
		return r.b.Fault(r.lines[len(r.lines)-1], 0, "the sentence ends within a mention of %s", ids[0])
	}
	for _, m := range coref.mentions {
		r.mentions.Rows = append(r.mentions.Rows, layers.Mention{Sent: sent, First: m.first, Last: m.last, Cluster: m.label})
	}
	return nil
}

// column reads the spans of a column.
func (r *conll2012Reader) column(k int) ([]labelled, error) {
	var col bracketColumn
	for i, c := range r.cells {
		if !col.cell(c[k], int32(i+1)) {
			return nil, r.b.Fault(r.lines[i], 0, "column %d: %q is no span such as (ARG0*, *) or * that fits here", k+1, c[k])
		}
	}
	if len(col.open) > 0 {
		return nil, r.b.Fault(r.lines[len(r.lines)-1], 0, "column %d: the sentence ends within a span", k+1)
	}
	return col.spans, nil
}

// arguments reads a column for each predicate; a column marks its predicate as V. Predicates
// without a column have no arguments.
func (r *conll2012Reader) arguments(sent int32) error {
	var framesets []int32 // tokens
	for i, c := range r.cells {
		if !blankCell(c[7]) {
			framesets = append(framesets, int32(i+1))
		}
	}
	done := map[int32]bool{}
	for k := 11; k < len(r.cells[0])-1; k++ {
		args, err := r.column(k)
		if err != nil {
			return err
		}
		predicate := r.predicate(args)
		if predicate == 0 && k-11 < len(framesets) {
			predicate = framesets[k-11]
		}
		if predicate > 0 {
			done[predicate] = true
			sense := r.cells[predicate-1][7]
			if blankCell(sense) {
				sense = ""
			}
			r.roles.add(sent, predicate, sense, args)
		} else if len(args) > 0 {
			return r.b.Fault(r.lines[0], 0, "column %d has arguments but no predicate, marked (V*)", k+1)
		}
	}
	for _, p := range framesets {
		if !done[p] {
			r.roles.add(sent, p, r.cells[p-1][7], nil)
		}
	}
	return nil
}

// predicate is the token marked as V, rather one with a frameset; 0 without one.
func (r *conll2012Reader) predicate(args []labelled) (token int32) {
	for _, a := range args {
		if a.label != "V" {
			continue
		}
		if !blankCell(r.cells[a.first-1][7]) {
			return a.first
		}
		if token == 0 {
			token = a.first
		}
	}
	return token
}

func (r *conll2012Reader) document() *text.Document {
	if len(r.bd.SentStart) == 0 && len(r.words.ID) > 0 {
		r.bd.Sentence()
	}
	for i := range r.words.Sent { // comments after the last sentence
		r.words.Sent[i] = min(r.words.Sent[i], int32(len(r.bd.SentStart)))
	}
	d, toks := r.bd.Document(r.id)
	if r.part >= 0 {
		d.Fields = append(d.Fields, text.Field{Name: "part", Value: value.Int(int64(r.part))})
	}
	r.cols.Set(toks)
	r.rows.Set(d, toks)
	if r.ner {
		d.SetLayer(d.SpanLayer(text.Entities, r.entities))
	}
	r.roles.set(d, toks)
	r.mentions.Set(d, toks)
	r.words.Set(d)
	return d
}

// treeCell reads the bit of a tree at a token: nodes open, * is the token, nodes close.
func treeCell(rows *layers.Tree, s string, tok int) bool {
	if blankCell(s) {
		return true
	}
	passed := false // the token
	for i := 0; i < len(s); {
		switch s[i] {
		case '(':
			n := strings.IndexAny(s[i+1:], "(*)")
			if n < 1 || passed {
				return false
			}
			rows.Push(s[i+1:i+1+n], tok)
			i += n + 1
		case '*':
			passed = true
			i++
		case ')':
			if len(rows.Open) == 0 {
				return false
			}
			passed = true
			rows.Pop(tok + 1)
			i++
		default:
			return false
		}
	}
	return true
}

// present is a cell's value, _ if it is missing.
func present(s string) string {
	if blankCell(s) {
		return "_"
	}
	return s
}

var (
	miscEscaper   = strings.NewReplacer(`\`, `\\`, "|", `\p`)
	miscUnescaper = strings.NewReplacer(`\\`, `\`, `\p`, "|")
)

// tokenMisc is sense and speaker as attributes.
func tokenMisc(sense, speaker string) string {
	var out []string
	if sense != "_" {
		out = append(out, "Sense="+miscEscaper.Replace(sense))
	}
	if speaker != "_" {
		out = append(out, "Speaker="+miscEscaper.Replace(speaker))
	}
	if len(out) == 0 {
		return "_"
	}
	return strings.Join(out, "|")
}

// attribute is the value of an attribute of misc, "" if there is none.
func attribute(misc, name string) string {
	for a := range strings.SplitSeq(misc, "|") {
		if v, ok := strings.CutPrefix(a, name+"="); ok {
			return v
		}
	}
	return ""
}
