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

// Verify reports what is wrong with a layer that a model made for the document, nil for a sound one. Columns have a value
// of their type for each row, or none; offsets lie in the text and divide no character; of built-in layers tokens and
// heads are those of the sentence, and rows are in reading order. def is what the layer should be, tokens are those that
// the document had before.
func (d *Document) Verify(l *Layer, def *LayerDef, tokens *Layer) error {
	if l.Def != def && (l.Def == nil || !slices.Equal(l.Def.Columns, def.Columns)) || len(l.Cols) != len(def.Columns) {
		return errors.New("it has not the columns of its definition")
	}
	if err := l.verifyColumns(); err != nil {
		return err
	}
	if def == Tokens {
		return l.verifySame(tokens)
	}
	if err := d.verifyOffsets(l); err != nil {
		return err
	}
	if l.N == 0 || !slices.Contains(Builtin, def) {
		return nil
	}
	v := rowVerifier{l: l}
	v.columns(d, tokens)
	return v.verify()
}

// verifyColumns checks types and lengths.
func (l *Layer) verifyColumns() error {
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
		if n != l.N && (!absent || l.Def.needs(col)) {
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

// needs reports whether rows of a layer are nothing without a column.
func (d *LayerDef) needs(c *Column) bool {
	switch {
	case d.Spans:
		return c.Name != "text"
	case d == Dependencies:
		return c.Type == value.Integer
	case d == Labels:
		return true
	}
	return false
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

// verifyOffsets checks that offsets lie in the text, divide no character and end no earlier than they begin.
func (d *Document) verifyOffsets(l *Layer) error {
	for i := range l.Def.Columns {
		col, at := &l.Def.Columns[i], l.Cols[i].Ints
		if col.Role != Offset {
			continue
		}
		for row, x := range at {
			if x < 0 || int(x) > len(d.Text) {
				return fmt.Errorf("%s of row %d is byte %d of a text of %d", col.Name, row+1, x, len(d.Text))
			}
			if int(x) < len(d.Text) && !utf8.RuneStart(d.Text[x]) && divides(d.Text, int(x)) {
				return fmt.Errorf("%s of row %d, byte %d, divides a character", col.Name, row+1, x)
			}
		}
		if i == 0 || l.Def.Columns[i-1].Role != Offset || !strings.HasSuffix(col.Name, "_end") {
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
	last     int32   // sentence
	sent     []int32
	tok      []int32
	head     []int32
	pred     []int32
	node     []int32
	parent   []int32
	from, to []int32 // tokens
	start    []int32
	length   int32 // tokens of the sentence at hand
}

// columns finds what the rows say of places.
func (v *rowVerifier) columns(d *Document, tokens *Layer) {
	l := v.l
	if tokens != nil {
		v.tokens = tokens.Cols[0].Ints
	}
	if n := len(v.tokens); n > 0 {
		v.last = v.tokens[n-1]
	}
	if s := d.Layer(Sentences.Name); s != nil {
		v.last = max(v.last, int32(s.N))
	}
	for i := range l.Cols {
		switch c := l.Cols[i].Ints; l.Def.Columns[i].Name {
		case "sent":
			v.sent = c
		case "tok":
			v.tok = c
		case "head":
			v.head = c
		case "predicate":
			v.pred = c
		case "node":
			v.node = c
		case "parent":
			v.parent = c
		case "tok_start":
			v.from = c
		case "tok_end":
			v.to = c
		case "char_start":
			v.start = c
		}
	}
}

func (v *rowVerifier) verify() error {
	ordered := v.l.Rank == nil && (v.l.Def.Spans || v.l.Def == Dependencies) // n best come sentence by sentence, or rank by rank
	before := int32(0)
	for i, s := range v.sent {
		if s < 0 || s > v.last {
			return fmt.Errorf("row %d is in sentence %d of %d", i+1, s, v.last)
		}
		switch {
		case s == 0: // a span that touches no token
			v.length = 0
		case i == 0 || s != before:
			if ordered && s < before {
				return fmt.Errorf("row %d, of sentence %d, follows one of sentence %d", i+1, s, before)
			}
			v.length = v.tokensOf(s)
		case ordered && !v.follows(i):
			return fmt.Errorf("row %d is out of reading order", i+1)
		}
		before = s
		if err := v.row(i); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return nil
}

// tokensOf counts the tokens of a sentence.
func (v *rowVerifier) tokensOf(s int32) int32 {
	first := sort.Search(len(v.tokens), func(i int) bool { return v.tokens[i] >= s })
	n := first
	for n < len(v.tokens) && v.tokens[n] == s {
		n++
	}
	return int32(n - first)
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
	if v.tok != nil && (v.tok[i] < 1 || v.tok[i] > v.length) {
		return fmt.Errorf("tok is %d in a sentence of %d tokens", v.tok[i], v.length)
	}
	if v.pred != nil && (v.pred[i] < 1 || v.pred[i] > v.length) {
		return fmt.Errorf("predicate is %d in a sentence of %d tokens", v.pred[i], v.length)
	}
	if v.head != nil && (v.head[i] < 0 || v.head[i] > v.length || v.head[i] == v.tok[i]) {
		return fmt.Errorf("the head of token %d is %d in a sentence of %d tokens", v.tok[i], v.head[i], v.length)
	}
	if v.node != nil && v.parent != nil && (v.parent[i] < 0 || v.parent[i] >= v.node[i]) {
		return fmt.Errorf("node %d has the parent %d", v.node[i], v.parent[i])
	}
	if v.from == nil || v.to == nil {
		return nil
	}
	if a, b := v.from[i], v.to[i]; (a != 0 || b != 0) && (a < 1 || b < a || b > v.length) {
		return fmt.Errorf("tokens %d to %d of a sentence of %d", a, b, v.length)
	}
	return nil
}
