package text

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"parlance/storage/value"
)

// Verify reports what is wrong with a layer that a model made for the document, nil for a sound one. Columns have a
// value of their type for each row, or none; offsets lie in the text and divide no character; of built-in layers
// tokens and heads are those of the sentence, and rows are in reading order. def is what the layer should be, tokens
// are those that the document had before.
func (d *Document) Verify(l *Layer, def *LayerDef, tokens *Layer) error {
	if l.Def != def && (l.Def == nil || !slices.Equal(l.Def.Columns, def.Columns)) || len(l.Cols) != len(def.Columns) {
		return errors.New("it has not the columns of its definition")
	}
	var p *places
	k := slices.Index(Builtin, def)
	if k >= 0 {
		p = builtinPlaces[k]
	} else {
		p = newPlaces(def)
	}
	if err := l.verifyColumns(p); err != nil {
		return err
	}
	if def == Tokens {
		return l.verifySame(tokens)
	}
	if l.N == 0 {
		return nil
	}
	if err := d.verifyOffsets(l, p); err != nil || k < 0 || p.sent < 0 {
		return err
	}
	v := rowVerifier{l: l, sent: l.ints(p.sent), tok: l.ints(p.tok), head: l.ints(p.head), pred: l.ints(p.predicate),
		node: l.ints(p.node), parent: l.ints(p.parent), from: l.ints(p.first), to: l.ints(p.last), start: l.ints(p.start)}
	if tokens != nil {
		v.tokens = tokens.Cols[0].Ints
	}
	return v.verify(d, p.ordered && l.Rank == nil) // n best come sentence by sentence, or rank by rank
}

// places tells which columns of a layer say what, -1 for none.
type places struct {
	sent, tok, head, predicate, node, parent, first, last, start int
	offsets                                                      []int
	needed                                                       []bool // columns without which rows are nothing
	ordered                                                      bool   // rows are in reading order
}

func newPlaces(def *LayerDef) *places {
	p := &places{sent: def.Index("sent"), tok: def.Index("tok"), head: def.Index("head"),
		predicate: def.Index("predicate"),
		node:      def.Index("node"), parent: def.Index("parent"), first: def.Index("tok_start"), last: def.Index("tok_end"),
		start: def.Index("char_start"), needed: make([]bool, len(def.Columns)), ordered: def.Spans || def == Dependencies}
	for i, c := range def.Columns {
		if c.Role == Offset {
			p.offsets = append(p.offsets, i)
		}
		p.needed[i] = def.Spans && c.Name != "text" || def == Dependencies && c.Type == value.Integer || def == Labels
	}
	return p
}

// builtinPlaces are the places of the built-in layers.
var builtinPlaces = func() (out []*places) {
	for _, d := range Builtin {
		out = append(out, newPlaces(d))
	}
	return out
}()

// verifyColumns checks types and lengths.
func (l *Layer) verifyColumns(p *places) error {
	for i := range l.Cols {
		c, col := &l.Cols[i], &l.Def.Columns[i]
		var n int
		var others, absent bool
		switch col.Type {
		case value.Integer:
			n, others, absent = len(c.Ints), c.Strs != nil || c.Floats != nil, c.Ints == nil
		case value.Float:
			n, others, absent = len(c.Floats), c.Ints != nil || c.Strs != nil, c.Floats == nil
		default:
			n, others, absent = len(c.Strs), c.Ints != nil || c.Floats != nil, c.Strs == nil
		}
		if others {
			return fmt.Errorf("column %s has values that are not of type %s", col.Name, col.Type)
		}
		if n != l.N && (!absent || p.needed[i]) {
			return fmt.Errorf("column %s has %d values for %d rows", col.Name, n, l.N)
		}
	}
	if l.Prob != nil && len(l.Prob) != l.N {
		return fmt.Errorf("it has %d probabilities for %d rows", len(l.Prob), l.N)
	}
	if l.Rank == nil {
		return nil
	}
	if len(l.Rank) != l.N {
		return fmt.Errorf("it has %d ranks for %d rows", len(l.Rank), l.N)
	}
	if i := slices.IndexFunc(l.Rank, func(r int32) bool { return r < 1 }); i >= 0 {
		return fmt.Errorf("row %d has rank %d", i+1, l.Rank[i])
	}
	return nil
}

// verifySame checks that rows and places of tokens are those of the tokens before.
func (l *Layer) verifySame(before *Layer) error {
	if before == nil || before.N != l.N {
		n := 0
		if before != nil {
			n = before.N
		}
		return fmt.Errorf("it has %d rows for %d tokens", l.N, n)
	}
	for i := range l.Cols {
		old, c := before.Cols[i].Ints, l.Cols[i].Ints
		if len(old) > 0 && len(c) > 0 && &old[0] == &c[0] {
			continue
		}
		if !slices.Equal(old, c) {
			return fmt.Errorf("column %s is not that of the tokens", l.Def.Columns[i].Name)
		}
	}
	return nil
}

// VerifyTokens reports what is wrong with tokens into which a model has cut the document, nil for sound ones: columns
// and offsets as Verify wants them; sentences numbered from 1 without gaps, in each of them tokens from 1, none empty
// or over another. Several best analyses of a sentence follow each other, by rank from 1.
func (d *Document) VerifyTokens(l *Layer) error {
	if l.Def != Tokens || len(l.Cols) != len(Tokens.Columns) {
		return errors.New("it has not the columns of tokens")
	}
	p := builtinPlaces[slices.Index(Builtin, Tokens)]
	if err := l.verifyColumns(p); err != nil {
		return err
	}
	if err := d.verifyOffsets(l, p); err != nil {
		return err
	}
	sent, tok, start, end, forms := l.Ints("sent"), l.Ints("tok"), l.Ints("char_start"), l.Ints("char_end"), l.Strs("form")
	if l.N > 0 && (sent == nil || tok == nil || start == nil || end == nil || forms == nil) {
		return errors.New("it lacks a column: sent, tok, char_start, char_end or form")
	}
	var s, k, r int32 // sentence, token, rank of the row before
	at, border := int32(0), int32(0)
	r = 1
	for i := range l.N {
		rank := int32(1)
		if l.Rank != nil {
			rank = l.Rank[i]
		}
		switch {
		case sent[i] == s && rank == r && tok[i] == k+1 && s > 0:
		case sent[i] == s && rank == r+1 && tok[i] == 1 && s > 0:
			at = border
		case sent[i] == s+1 && rank == 1 && tok[i] == 1:
			border = at
		default:
			return fmt.Errorf("row %d is token %d of sentence %d, after token %d of sentence %d", i+1, tok[i], sent[i], k, s)
		}
		if start[i] < at || end[i] <= start[i] || forms[i] == "" {
			return fmt.Errorf("row %d is empty or lies over the token before", i+1)
		}
		s, k, r, at = sent[i], tok[i], rank, end[i]
	}
	return nil
}

// verifyOffsets checks that offsets lie in the text, divide no character and end no earlier than they begin.
func (d *Document) verifyOffsets(l *Layer, p *places) error {
	for _, i := range p.offsets {
		at := l.Cols[i].Ints
		for row, x := range at {
			if x < 0 || int(x) > len(d.Text) {
				return fmt.Errorf("%s of row %d is byte %d of a text of %d", l.Def.Columns[i].Name, row+1, x, len(d.Text))
			}
			if int(x) < len(d.Text) && !utf8.RuneStart(d.Text[x]) && divides(d.Text, int(x)) {
				return fmt.Errorf("%s of row %d, byte %d, divides a character", l.Def.Columns[i].Name, row+1, x)
			}
		}
		if i == 0 || l.Def.Columns[i-1].Role != Offset || !strings.HasSuffix(l.Def.Columns[i].Name, "_end") {
			continue
		}
		for row, start := range l.Cols[i-1].Ints {
			if row < len(at) && start > at[row] {
				return fmt.Errorf("row %d ends at byte %d, before it begins, %d", row+1, at[row], start)
			}
		}
	}
	return nil
}

// divides reports whether an offset lies inside of a character. Bytes that are no UTF-8 are a character each.
func divides(s string, at int) bool {
	for k := 1; k < utf8.UTFMax && k <= at; k++ {
		if utf8.RuneStart(s[at-k]) {
			_, n := utf8.DecodeRuneInString(s[at-k:])
			return n > k
		}
	}
	return false
}

// rowVerifier checks the places of the rows of a built-in layer.
type rowVerifier struct {
	l        *Layer
	tokens   []int32 // sentence of each token
	sent     []int32
	tok      []int32
	head     []int32
	pred     []int32
	node     []int32
	parent   []int32
	from, to []int32 // tokens
	start    []int32
	at       int32 // sentence at hand, 0 for none
	first    int   // row of its first token
}

// ints is an integer column, nil for none.
func (l *Layer) ints(i int) []int32 {
	if i < 0 {
		return nil
	}
	return l.Cols[i].Ints
}

// sentences is the number of sentences of a document, of which the last ones may lack tokens.
func (v *rowVerifier) sentences(d *Document) int32 {
	n := int32(0)
	if len(v.tokens) > 0 {
		n = v.tokens[len(v.tokens)-1]
	}
	if l := d.Layer(Sentences.Name); l != nil {
		n = max(n, int32(l.N))
	}
	return n
}

func (v *rowVerifier) verify(d *Document, ordered bool) error {
	before, last := int32(0), int32(0)
	if n := len(v.tokens); n > 0 {
		last = v.tokens[n-1]
	}
	for i, s := range v.sent {
		if s < 0 || s > last {
			if last = v.sentences(d); s < 0 || s > last {
				return fmt.Errorf("row %d is in sentence %d of %d", i+1, s, last)
			}
		}
		if ordered && s > 0 && s < before {
			return fmt.Errorf("row %d, of sentence %d, follows one of sentence %d", i+1, s, before)
		}
		if ordered && s > 0 && s == before && !v.follows(i) {
			return fmt.Errorf("row %d is out of reading order", i+1)
		}
		if s != v.at {
			v.enter(s, ordered)
		}
		before = s
		if err := v.row(i); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return nil
}

// enter finds the first token of a sentence. In order, the way from the one before is short.
func (v *rowVerifier) enter(s int32, ordered bool) {
	if ordered && s > v.at {
		for v.first < len(v.tokens) && v.tokens[v.first] < s {
			v.first++
		}
	} else {
		v.first = sort.Search(len(v.tokens), func(i int) bool { return v.tokens[i] >= s })
	}
	v.at = s
}

// has reports whether the sentence has the token.
func (v *rowVerifier) has(tok int32) bool {
	i := v.first + int(tok) - 1
	return tok > 0 && i < len(v.tokens) && v.tokens[i] == v.at
}

// length counts the tokens of the sentence.
func (v *rowVerifier) length() int {
	n := 0
	for v.has(int32(n + 1)) {
		n++
	}
	return n
}

// follows reports whether a row stands after the one before it, of the same sentence.
func (v *rowVerifier) follows(i int) bool {
	if v.l.Def == Dependencies {
		return v.tok[i-1] < v.tok[i]
	}
	return v.start[i-1] <= v.start[i]
}

// row checks the tokens of a row. A span that touches none has none: 0 to 0.
func (v *rowVerifier) row(i int) error {
	if v.tok != nil && !v.has(v.tok[i]) {
		return fmt.Errorf("tok is %d in a sentence of %d tokens", v.tok[i], v.length())
	}
	if v.pred != nil && !v.has(v.pred[i]) {
		return fmt.Errorf("predicate is %d in a sentence of %d tokens", v.pred[i], v.length())
	}
	if v.head != nil && (v.head[i] != 0 && !v.has(v.head[i]) || v.head[i] == v.tok[i]) {
		return fmt.Errorf("the head of token %d is %d in a sentence of %d tokens", v.tok[i], v.head[i], v.length())
	}
	if v.node != nil && v.parent != nil && (v.parent[i] < 0 || v.parent[i] >= v.node[i]) {
		return fmt.Errorf("node %d has the parent %d", v.node[i], v.parent[i])
	}
	if v.from == nil || v.to == nil {
		return nil
	}
	if a, b := v.from[i], v.to[i]; (a != 0 || b != 0) && (a < 1 || b < a || !v.has(b)) {
		return fmt.Errorf("tokens %d to %d of a sentence of %d", a, b, v.length())
	}
	return nil
}
