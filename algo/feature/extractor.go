package feature

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// Extractor turns documents into attributes. It belongs to one goroutine.
//
// Values of a column are numbered once per form: forms have local numbers, and a table from
// form to value for each column that depends on the form alone. Forms that were not met lately,
// most of which never come again, have numbers for their document only.
type Extractor struct {
	a          *Alphabet
	gazetteers []kind.Gazetteer // by column, nil for others
	lexicons   []kind.Lexicon
	forms      *interner    // that are remembered: their local numbers less maxPassing − 1
	passing    []string     // forms of the last document that are not, by local number
	met        []passed     // by a hash
	generation int          // rises when local numbers begin anew
	split      *split       // nil for all templates
	tokens     []uint32     // local numbers of the forms of the last document, if split
	formVals   []uint32     // of a form, by place in the columns that split reads of single forms
	byForm     [][]uint32   // by column and form: 2 + value, 1 for none, 0 not known yet
	lists      [][][]uint32 // by column and form: values, of atoms with several; nil: not known yet
	local      []uint32     // forms of the sentence
	none       []string     // empty forms, for tokens without
	vals       [][]uint32   // by column and token of the sentence
	growing    bool
	grew       bool // since the last Extract
	key        [8]uint32
	found      found
	at         []uint32 // of a block of tokens: combinations of values of a family
	probes     []probe
	count      docCount
	ctx        context.Context // of ExtractUntil and GrowUntil while they run, else nil
	steps      uint
}

// NewExtractor returns an extractor over the alphabet; res may be nil for sets without
// resources.
func NewExtractor(a *Alphabet, res kind.Resources) (*Extractor, error) {
	n := len(a.set.columns)
	e := &Extractor{a: a, gazetteers: make([]kind.Gazetteer, n), lexicons: make([]kind.Lexicon, n),
		vals: make([][]uint32, n)}
	if err := e.Bind(res); err != nil {
		return nil, err
	}
	return e, nil
}

// Clone returns an extractor of its own memory that shares the alphabet and the resources,
// for another goroutine. The alphabet must be frozen, or nothing may grow it meanwhile.
func (e *Extractor) Clone() *Extractor {
	c := &Extractor{a: e.a, split: e.split, formVals: make([]uint32, len(e.formVals)),
		gazetteers: slices.Clone(e.gazetteers), lexicons: slices.Clone(e.lexicons), vals: make([][]uint32, len(e.vals))}
	c.forget()
	return c
}

// Bind looks the resources up again, which may have changed.
func (e *Extractor) Bind(res kind.Resources) error {
	changed := e.forms == nil
	for i, c := range e.a.set.columns {
		if c.def.resource == "" {
			continue
		}
		if res == nil {
			return fmt.Errorf("the features read %s %s, which is not at hand", c.def.resource, c.args[0])
		}
		if c.def.matched != nil {
			g, err := res.Gazetteer(c.args[0])
			if err != nil {
				return fmt.Errorf("features read gazetteer %s: %w", c.args[0], err)
			}
			changed = changed || g != e.gazetteers[i]
			e.gazetteers[i] = g
			continue
		}
		l, err := res.Lexicon(c.args[0])
		if err != nil {
			return fmt.Errorf("features read lexicon %s: %w", c.args[0], err)
		}
		if h, ok := l.(interface{ Has(column string) bool }); ok && !h.Has(c.args[1]) {
			return fmt.Errorf("lexicon %s has no column %s", c.args[0], c.args[1])
		}
		changed = changed || l != e.lexicons[i]
		e.lexicons[i] = l
	}
	if changed {
		e.forget()
	}
	return nil
}

func (e *Extractor) forget() {
	e.forms, e.passing = &interner{}, e.passing[:0]
	if e.met == nil {
		e.met = make([]passed, metSets)
	}
	e.generation++
	e.byForm = make([][]uint32, len(e.a.set.columns))
	e.lists = make([][][]uint32, len(e.a.set.columns))
}

// Grow appends the attributes of a document to rows, numbering new ones: an item for every
// token, or one for the document. Values of document sets are counts until Finish.
func (e *Extractor) Grow(d *text.Document, rows *Rows) {
	if !e.grew { // what was unknown so far may be numbered now
		e.forget()
	}
	e.growing, e.grew = !e.a.frozen, true
	e.extract(d, rows)
	e.growing = false
}

// GrowUntil does what Grow does, but ends with the error of the context soon after it has one.
func (e *Extractor) GrowUntil(ctx context.Context, d *text.Document, rows *Rows) error {
	e.ctx = ctx
	e.Grow(d, rows)
	e.ctx = nil
	return ctx.Err()
}

// ended counts a step of a long document and reports whether the context has ended.
func (e *Extractor) ended() bool {
	e.steps++
	return e.ctx != nil && e.steps%1024 == 0 && e.ctx.Err() != nil
}

// ExtractUntil does what Extract does, but ends with the error of the context soon after it has one.
func (e *Extractor) ExtractUntil(ctx context.Context, d *text.Document, rows *Rows) error {
	e.ctx = ctx
	e.Extract(d, rows)
	e.ctx = nil
	return ctx.Err()
}

// Ready returns an extractor of the attributes of an alphabet that is bound to resources: e, or a new one where e is
// nil.
func (e *Extractor) Ready(a *Alphabet, res kind.Resources) (*Extractor, error) {
	if e == nil {
		return NewExtractor(a, res)
	}
	return e, e.Bind(res)
}

// Each extracts one document after the other into rows, emptied before, and calls do.
func (e *Extractor) Each(ctx context.Context, docs []*text.Document, rows *Rows, do func(*text.Document) error) error {
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows.Reset()
		if err := e.ExtractUntil(ctx, d, rows); err != nil {
			return err
		}
		if err := do(d); err != nil {
			return err
		}
	}
	return nil
}

// Extract appends the attributes of a document that the alphabet knows.
func (e *Extractor) Extract(d *text.Document, rows *Rows) {
	from := len(rows.Attrs)
	e.grew = false
	e.extract(d, rows)
	if e.a.set.document {
		e.a.weigh(rows.Attrs[from:], rows.Values[from:])
	}
}

// Finish turns the counts of grown rows into the values that Extract gives.
func (e *Extractor) Finish(rows *Rows) {
	if !e.a.set.document {
		return
	}
	for i := 1; i < len(rows.Offsets); i++ {
		from, to := rows.Offsets[i-1], rows.Offsets[i]
		e.a.weigh(rows.Attrs[from:to], rows.Values[from:to])
	}
}

func (e *Extractor) extract(d *text.Document, rows *Rows) {
	rows.start()
	toks := d.Layer("tokens")
	if e.a.set.document {
		e.document(d, toks, rows)
		return
	}
	if toks == nil {
		return
	}
	e.pass()
	if len(e.forms.texts) > maxForms {
		e.forget()
	}
	bounds := d.SentenceTokens()
	e.tokens = e.tokens[:0]
	for s := 1; s < len(bounds); s++ {
		if s&255 == 0 && e.ctx != nil && e.ctx.Err() != nil {
			return
		}
		if bounds[s] > bounds[s-1] {
			e.sentence(toks, int(bounds[s-1]), int(bounds[s]), rows)
		}
	}
}

// sentence appends the attributes of rows [from, to) of the tokens layer.
func (e *Extractor) sentence(toks *text.Layer, from, to int, rows *Rows) {
	n := to - from
	list, columns := &e.a.all, e.a.columns
	if e.split != nil && !e.growing {
		list, columns = &e.split.lookUps, e.split.columns
	}
	e.values(toks, from, to, columns)
	if e.split != nil && !e.growing {
		e.tokens = append(e.tokens, e.local...)
	}
	if !e.growing {
		e.lookUp(list, n, rows)
		return
	}
	for t := range n {
		if e.ended() {
			return
		}
		for k, x := range e.a.set.templates {
			if e.a.set.columns[x.atoms[0].column].def.many {
				continue
			}
			if id := e.attribute(k, t, n); id != 0 {
				rows.Attrs = append(rows.Attrs, id-1)
			}
		}
		e.many(t, n, rows)
		rows.end()
	}
}

// values fills columns for rows [from, to) of the tokens layer.
func (e *Extractor) values(toks *text.Layer, from, to int, columns []int) {
	n := to - from
	forms := toks.Strs("form")
	if forms == nil { // not read, or NULL
		e.none = append(e.none, make([]string, max(0, n-len(e.none)))...)
		forms = e.none[:n]
	} else {
		forms = forms[from:to]
	}
	e.local = e.local[:0]
	for _, f := range forms {
		e.local = append(e.local, e.form(f))
	}
	for _, c := range columns {
		if cap(e.vals[c]) < n {
			e.vals[c] = make([]uint32, n, 2*n)
		}
		e.vals[c] = e.vals[c][:n]
		e.column(c, toks, forms, from, to)
	}
}

// attribute returns 1 + the attribute of template k at token t of n, or 0.
func (e *Extractor) attribute(k, t, n int) uint32 {
	atoms := e.a.set.templates[k].atoms
	if len(atoms) == 1 {
		at := t + atoms[0].offset
		if uint(at) >= uint(n) {
			return 0
		}
		v := e.vals[atoms[0].column][at]
		if s := e.a.single[k]; int(v) < len(s) && (s[v] != 0 || !e.growing) {
			return s[v]
		}
		if v == 0 || !e.growing {
			return 0
		}
		e.key[0] = v
		return e.a.add(k, e.key[:1])
	}
	for i, a := range atoms {
		at := t + a.offset
		if uint(at) >= uint(n) {
			return 0
		}
		v := e.vals[a.column][at]
		if v == 0 {
			return 0
		}
		e.key[i] = v
	}
	if e.growing {
		return e.a.add(k, e.key[:len(atoms)])
	}
	return e.a.find(k, e.key[:len(atoms)])
}

// value returns the number of a value of a column: 0 if it is empty or, unless growing, unknown.
func (e *Extractor) value(c int, s string) uint32 {
	if s == "" {
		return 0
	}
	if e.growing {
		return e.a.values[c].add(s)
	}
	return e.a.values[c].find(s)
}

// column computes the values of column c for the sentence.
func (e *Extractor) column(c int, toks *text.Layer, forms []string, from, to int) {
	col, out := &e.a.set.columns[c], e.vals[c]
	switch {
	case col.def.many:
		if col.def.window {
			e.ofForm(c, forms)
		} else {
			e.substrings(c, forms)
		}
	case col.def.fixed:
		clear(out)
		one := e.value(c, "1")
		switch col.name {
		case "bos":
			out[0] = one
		case "eos":
			out[len(out)-1] = one
		default:
			for i := range out {
				out[i] = one
			}
		}
	case e.gazetteers[c] != nil:
		e.gazetteer(c, forms)
	case col.def.value != nil || e.lexicons[c] != nil:
		e.ofForm(c, forms)
	default:
		strs := toks.Strs(col.def.reads)
		for i := range out {
			out[i] = 0
			if strs != nil {
				out[i] = e.value(c, strs[from+i])
			}
		}
	}
}

// ofForm fills a column that depends on the form alone, each form computed once.
func (e *Extractor) ofForm(c int, forms []string) {
	out := e.vals[c]
	for i, f := range e.local {
		out[i] = e.valueOf(c, f, forms[i])
	}
}

// valueOf is the value of column c for a form, given with its local number, computed once.
func (e *Extractor) valueOf(c int, f uint32, form string) uint32 {
	known := e.byForm[c]
	if int(f) >= len(known) {
		known = append(known, make([]uint32, max(e.numbers(), 2*len(known))-len(known))...)
		e.byForm[c] = known
	}
	if known[f] == 0 {
		known[f] = 1 + e.value(c, e.compute(c, form))
	}
	return known[f] - 1
}

func (e *Extractor) compute(c int, form string) string {
	col := &e.a.set.columns[c]
	switch {
	case col.name == bias:
		return "1"
	case form == "":
		return ""
	}
	if lex := e.lexicons[c]; lex != nil {
		s := lex.Lookup(form, col.args[1])
		if col.size > 0 {
			if cut := Affix(s, col.size, false); cut != "" {
				s = cut
			}
		}
		return s
	}
	return col.def.value(col, form)
}

// gazetteer fills a column with the longest phrases, from left to right.
func (e *Extractor) gazetteer(c int, forms []string) {
	out := e.vals[c]
	clear(out)
	for i := 0; i < len(forms); {
		n, labels := e.gazetteers[c].Match(forms, i)
		if n == 0 {
			i++
			continue
		}
		if l, ok := e.a.set.columns[c].def.matched(labels); ok {
			out[i] = e.value(c, "B"+l)
			for k := 1; k < n; k++ {
				out[i+k] = e.value(c, "I"+l)
			}
		}
		i += n
	}
}
