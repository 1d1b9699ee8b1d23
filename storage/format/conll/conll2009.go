package conll

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
)

// conll2009 is the format of the shared task CoNLL-2009: ID FORM LEMMA PLEMMA POS PPOS FEAT
// PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED, and a column of arguments for each predicate.
// The annotation that the layers do not hold, predicted or gold, is kept in the layer words.
type conll2009 struct {
	cut       string
	sentences int
	predicted bool
}

// goldRow is the id of a row of words with gold columns, after the number of the token.
const (
	goldRow = " G"
	fillRow = " FILLPRED"
)

func (c *conll2009) Options(s *option.Set) {
	sentenceOptions(s, &c.cut, &c.sentences)
	s.Bool(&c.predicted, "predicted", false,
		"lemmas, tags, features, heads and relations are the predicted ones, not the gold ones")
}

func (c *conll2009) Splitter() codec.Splitter {
	return &codec.SentenceSplitter{File: c.cut == "file", Sentences: c.sentences}
}

// columns is the place of lemma, pos, feat, head and deprel that the layers hold, the place of
// the others after them, and what the row of the others is called.
func (c *conll2009) columns() (own, other int, row string) {
	if c.predicted {
		return 1, 0, goldRow
	}
	return 0, 1, pRow
}

// argumentTable is the columns of predicates and arguments of a sentence.
type argumentTable struct {
	lines []int
	is    []bool // a predicate
	sense []string
	args  [][]string
}

// add notes the cells of a token.
func (a *argumentTable) add(b *codec.Block, at int, is bool, sense string, args []string) error {
	if len(a.args) > 0 && len(a.args[0]) != len(args) {
		return b.Fault(at, 0, "%d {column|columns} of arguments, the sentence has %d", len(args), len(a.args[0]))
	}
	if sense == "_" {
		sense = ""
	}
	a.lines, a.is, a.sense, a.args = append(a.lines, at), append(a.is, is), append(a.sense, sense),
		append(a.args, slices.Clone(args))
	return nil
}

// flush makes the rows of the sentence. Column k is of predicate k; without columns no predicate
// has arguments.
func (a *argumentTable) flush(b *codec.Block, sent int32, roles *roleRows) error {
	if len(a.args) == 0 {
		return nil
	}
	n, k := len(a.args[0]), 0
	for i, is := range a.is {
		if is {
			roles.add(sent, int32(i+1), a.sense[i], a.column(k))
			k++
		}
	}
	for j := k; j < n; j++ {
		if len(a.column(j)) > 0 {
			return b.Fault(a.lines[0], 0, "%d {column|columns} of arguments for %d predicates", n, k)
		}
	}
	if n > 0 && n < k {
		return b.Fault(a.lines[0], 0, "%d {column|columns} of arguments for %d predicates", n, k)
	}
	*a = argumentTable{}
	return nil
}

// column is the arguments in a column.
func (a *argumentTable) column(k int) (out []labelled) {
	for i, cells := range a.args {
		if k < len(cells) && cells[k] != "" && cells[k] != "_" {
			out = append(out, labelled{cells[k], int32(i + 1), int32(i + 1)})
		}
	}
	return out
}

func (c *conll2009) Parse(b codec.Block) ([]*text.Document, error) {
	var bd layers.Builder
	var arcs arcRows
	var words layers.Words
	var args argumentTable
	var roles roleRows
	cols := layers.TokenCells{Names: []string{"lemma", "xpos", "feats"}}
	own, other, row := c.columns()
	err := tokenLines(&b, &bd, func(at int, f []string) error {
		n := bd.Next()
		if len(f) < 14 {
			return b.Fault(at, 0, "%d {column|columns}, at least 14 are expected", len(f))
		}
		if v, err := strconv.Atoi(f[0]); err != nil || v != n {
			return b.Fault(at, 1, "token %s, %d is expected", f[0], n)
		}
		if f[12] != "_" && f[12] != "Y" {
			return b.Fault(at, 0, "FILLPRED %q is neither Y nor _", f[12])
		}
		if n == 1 {
			if err := args.flush(&b, int32(len(bd.SentStart)-1), &roles); err != nil {
				return err
			}
		}
		bd.Token(f[1], false)
		cols.Add(f[2+own], f[4+own], f[6+own])
		if v := []string{f[2+other], f[4+other], f[6+other], f[8+other], f[10+other]}; slices.ContainsFunc(v,
			func(s string) bool { return s != "_" }) {
			words.Add(len(bd.SentStart), f[0]+row, fmt.Sprintf("%s\t%s\t%s\t%s\t%s", v[0], v[1], v[2], v[3], v[4]))
		}
		if f[12] == "_" && f[13] != "_" {
			words.Add(len(bd.SentStart), f[0]+fillRow, "_")
		}
		if err := args.add(&b, at, f[12] == "Y" || f[13] != "_", f[13], f[14:]); err != nil {
			return err
		}
		return arcs.add(&b, at, f[8+own], f[10+own])
	})
	if err == nil {
		err = args.flush(&b, int32(len(bd.SentStart)), &roles)
	}
	if err != nil {
		return nil, err
	}
	d, toks := bd.Document(b.ID())
	cols.Set(toks)
	arcs.keep(&words, toks)
	roles.set(d, toks)
	words.Set(d)
	return []*text.Document{d}, arcs.set(&b, d, toks)
}

// Document writes a document as it was read.
func (c *conll2009) Document(w io.Writer, d *text.Document) error {
	toks := d.Layer("tokens")
	if toks == nil {
		return nil
	}
	all, ok := frames(d)
	if !ok {
		return fmt.Errorf("document %s: its roles name no tokens", d.ID)
	}
	words := layers.Kept(d)
	t := conll2009Writer{conll2009: c, d: d, toks: toks, trees: arcsOf(d, toks, words), words: words}
	bounds := d.SentenceTokens()
	for s := int32(1); int(s) < len(bounds); s++ {
		if bounds[s] == bounds[s-1] {
			continue
		}
		if err := t.sentence(all[s], s, bounds[s-1], bounds[s]); err != nil {
			return err
		}
	}
	_, err := w.Write(t.b.Bytes())
	return err
}

// conll2009Writer is the lines of a document.
type conll2009Writer struct {
	*conll2009
	d     *text.Document
	toks  *text.Layer
	trees headColumns
	words layers.KeptWords
	b     bytes.Buffer
}

func (t *conll2009Writer) sentence(fs []*frame, s, from, to int32) error {
	fs, args, err := argumentColumns(t.d, fs, to-from, false)
	if err != nil {
		return err
	}
	known := false // the sentence has senses or arguments: those of a test do not
	pred := map[int32]*frame{}
	for k, f := range fs {
		pred[f.predicate] = f
		known = known || f.sense != "" || slices.ContainsFunc(args[k], func(v string) bool { return v != "_" })
	}
	own, other, row := t.columns()
	for i := from; i < to; i++ {
		id := itoa(i - from + 1)
		f := slices.Repeat([]string{"_"}, 14)
		f[0], f[1] = id, t.toks.Cols[4].Strs[i]
		f[2+own], f[4+own], f[6+own] = layers.CellOf(t.toks.Strs("lemma"), int(i)),
			layers.CellOf(t.toks.Strs("xpos"), int(i)),
			layers.CellOf(t.toks.Strs("feats"), int(i))
		f[8+own], f[10+own] = t.trees.cells(int(i))
		if v := t.words.Cells(s, id+row, 5); v != nil {
			f[2+other], f[4+other], f[6+other], f[8+other], f[10+other] = v[0], v[1], v[2], v[3], v[4]
		}
		if p := pred[i-from+1]; p != nil {
			f[12], f[13] = "Y", orBar(p.sense)
			if t.words.Cells(s, id+fillRow, 1) != nil {
				f[12] = "_"
			}
		}
		for k := range args {
			if known {
				f = append(f, args[k][i-from])
			}
		}
		if err := writeCells(&t.b, t.d.ID, f); err != nil {
			return err
		}
	}
	t.b.WriteByte('\n')
	return nil
}

// argumentColumns is the predicates of a sentence by token, and for each one cell a token of n;
// marked says whether a column marks its predicate as V. An argument is one token.
func argumentColumns(d *text.Document, all []*frame, n int32, marked bool) ([]*frame, [][]string, error) {
	fs := slices.Clone(all)
	slices.SortFunc(fs, func(a, b *frame) int { return cmp.Compare(a.predicate, b.predicate) })
	columns := make([][]string, len(fs))
	for k, f := range fs {
		col := slices.Repeat([]string{"_"}, int(n))
		for _, a := range f.args {
			switch {
			case a.first != a.last:
				return nil, nil,
					fmt.Errorf("document %s: argument %s of token %d covers %d tokens; this format names one, FORMAT conll2012 "+
						"holds spans", d.ID, a.label, f.predicate, a.last-a.first+1)
			case a.label == "V" && a.first == f.predicate:
			case col[a.first-1] != "_":
				return nil, nil, fmt.Errorf("document %s: token %d is two arguments of token %d; this format holds one", d.ID,
					a.first, f.predicate)
			default:
				col[a.first-1] = orBar(a.label)
			}
		}
		if marked && col[f.predicate-1] == "_" {
			col[f.predicate-1] = "V"
		}
		columns[k] = col
	}
	return fs, columns, nil
}

func orBar(s string) string {
	if s == "" {
		return "_"
	}
	return s
}
