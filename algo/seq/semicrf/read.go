package semicrf

import (
	"context"
	"strings"

	"parlance/algo/engine/semimarkov"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/expectation"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// extraction turns documents into attributes. It belongs to one goroutine.
type extraction struct {
	extractors [sorts]*feature.Extractor // nil for none
	rows       [sorts]feature.Rows
	triggers   *expectation.Triggers // nil for none
	phrases    kind.Gazetteer
	lexicon    kind.Lexicon
	column     string
	hits       []expectation.Hit
	lower      []byte
}

// extraction returns one over alphabets. triggers may be nil.
func (m *model) extraction(alphabets *[sorts]*feature.Alphabet, triggers *expectation.Triggers,
	res kind.Resources) (*extraction, error) {
	x := &extraction{triggers: triggers, column: m.opt.column}
	for i, a := range alphabets {
		if a == nil {
			continue
		}
		var err error
		if x.extractors[i], err = feature.NewExtractor(a, res); err != nil {
			return nil, err
		}
	}
	return x, x.bind(m, res)
}

// bind looks resources up again.
func (x *extraction) bind(m *model, res kind.Resources) (err error) {
	for _, e := range x.extractors {
		if e == nil {
			continue
		}
		if err := e.Bind(res); err != nil {
			return err
		}
	}
	if m.opt.lexicon != "" {
		if x.lexicon, err = res.Lexicon(m.opt.lexicon); err != nil {
			return err
		}
	}
	if x.triggers != nil {
		x.phrases, err = m.opt.Phrases(res)
	}
	return err
}

// corpus is what training reads of documents, before attributes have their last numbers.
type corpus struct {
	x          *extraction
	sentences  []sentence
	wholes     []string
	wholeIndex map[string]uint32
	cut        int // segments longer than the bound
	overlap    int // spans left out because they overlap one before them
}

// sentence is one sequence of a corpus: items first to first+n of the rows of the extraction.
type sentence struct {
	first, n int
	forms    []string
	hits     []expectation.Hit
	gold     []semimarkov.Segment // nil without gold
}

// read adds the sentences of documents. gold tells whether their segments are learned.
func (c *corpus) read(ctx context.Context, in kind.Input, m *model, layer string, gold bool) error {
	for d, err := range in.Documents(ctx) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		toks := d.Layer("tokens")
		if toks == nil || toks.N == 0 {
			continue
		}
		first := c.x.rows[ofToken].Len()
		for i, e := range c.x.extractors {
			if e == nil {
				continue
			}
			if err := e.GrowUntil(ctx, d, &c.x.rows[i]); err != nil {
				return err
			}
		}
		if err := c.document(d, m, layer, first, gold); err != nil {
			return err
		}
	}
	return nil
}

func (c *corpus) document(d *text.Document, m *model, layer string, first int, gold bool) error {
	var spans []text.Span
	if l := d.Layer(layer); gold && l != nil {
		spans = l.Spans()
	}
	forms, bounds, next := tagger.Forms(d), d.SentenceTokens(), 0
	for s := 1; s < len(bounds); s++ {
		var own []text.Span
		for ; next < len(spans) && spans[next].Sent <= int32(s); next++ {
			if spans[next].Sent == int32(s) {
				own = append(own, spans[next])
			}
		}
		from, to := int(bounds[s-1]), int(bounds[s])
		if from == to {
			continue
		}
		x := sentence{first: first + from, n: to - from, forms: forms[from:to]}
		if c.x.triggers != nil {
			x.hits = c.x.triggers.Match(nil, x.forms, c.x.phrases)
		}
		if gold {
			x.gold = c.gold(m, own, x.n)
		}
		c.sentences = append(c.sentences, x)
	}
	return nil
}

// gold returns the segments of a sentence of n tokens, with segments of one token outside of spans.
func (c *corpus) gold(m *model, spans []text.Span, n int) []semimarkov.Segment {
	out := []semimarkov.Segment{}
	at := int32(0)
	outside := func(to int32) {
		for ; at < to; at++ {
			out = append(out, semimarkov.Segment{Start: at, End: at + 1, Label: m.labels.id(bio.Outside)})
		}
	}
	for _, s := range spans {
		if s.First <= at || int(s.Last) > n || s.Last < s.First {
			c.overlap++
			continue
		}
		outside(s.First - 1)
		out = append(out, semimarkov.Segment{Start: at, End: s.Last, Label: m.labels.id(s.Label)})
		at = s.Last
	}
	outside(int32(n))
	return out
}

// longest is the number of tokens of the longest gold segment.
func (c *corpus) longest() (most int) {
	for i := range c.sentences {
		for _, g := range c.sentences[i].gold {
			most = max(most, int(g.End-g.Start))
		}
	}
	return most
}

// bound cuts gold segments of more tokens than longest into pieces.
func (c *corpus) bound(longest int) {
	for i := range c.sentences {
		s := &c.sentences[i]
		var out []semimarkov.Segment
		for _, g := range s.gold {
			if int(g.End-g.Start) > longest {
				c.cut++
			}
			for ; int(g.End-g.Start) > longest; g.Start += int32(longest) {
				out = append(out, semimarkov.Segment{Start: g.Start, End: g.Start + int32(longest), Label: g.Label})
			}
			out = append(out, g)
		}
		if s.gold != nil {
			s.gold = out
		}
	}
}

// repeats tells whether neighbouring gold segments share a label other than outside.
func (c *corpus) repeats(names []string) bool {
	for i := range c.sentences {
		for k, g := range c.sentences[i].gold {
			if k > 0 && g.Label == c.sentences[i].gold[k-1].Label && names[g.Label] != bio.Outside {
				return true
			}
		}
	}
	return false
}

// numbering is where attributes of each sort begin: those of tokens, triggers, beginnings, ends, whole segments,
// lengths.
type numbering struct{ triggers, begin, end, wholes, lengths, total uint32 }

func size(a *feature.Alphabet) uint32 {
	if a == nil {
		return 0
	}
	return uint32(a.Len())
}

// numbering returns the numbers for a trained model, or one in training.
func (m *model) numbering(triggers *expectation.Triggers, longest int) (n numbering) {
	n.triggers = size(m.alphabets[ofToken])
	n.begin = n.triggers
	if triggers != nil {
		n.begin += uint32(len(triggers.Names))
	}
	n.end = n.begin + size(m.alphabets[ofBegin])
	n.wholes = n.end + size(m.alphabets[ofEnd])
	n.lengths = n.wholes + uint32(len(m.wholes))
	n.total = n.lengths
	if m.opt.lengths {
		n.total += uint32(longest)
	}
	return n
}

// sequence makes one of items first to first+n of the rows.
func (x *extraction) sequence(first, n int, hits []expectation.Hit, no *numbering) semimarkov.Sequence {
	part := func(sort int, add uint32) (out semimarkov.Rows) {
		r := &x.rows[sort]
		if x.extractors[sort] == nil {
			return out
		}
		if out = (semimarkov.Rows{Offsets: r.Offsets[first : first+n+1], Attrs: r.Attrs}); add == 0 {
			return out
		}
		lo, hi := out.Offsets[0], out.Offsets[n]
		attrs, offsets := make([]uint32, hi-lo), make([]uint32, n+1)
		for i, a := range r.Attrs[lo:hi] {
			attrs[i] = a + add
		}
		for i, o := range out.Offsets {
			offsets[i] = o - lo
		}
		return semimarkov.Rows{Offsets: offsets, Attrs: attrs}
	}
	s := semimarkov.Sequence{N: n, Token: part(ofToken, 0), Begin: part(ofBegin, no.begin), End: part(ofEnd, no.end),
		Edge: part(ofEdge, 0)}
	if len(hits) > 0 {
		s.Token = withHits(s.Token, n, hits, no.triggers)
	}
	return s
}

// withHits adds triggers to the attributes of tokens.
func withHits(r semimarkov.Rows, n int, hits []expectation.Hit, add uint32) semimarkov.Rows {
	out := semimarkov.Rows{Offsets: []uint32{0}}
	for t := range n {
		out.Attrs = append(out.Attrs, r.Attrs[r.Offsets[t]:r.Offsets[t+1]]...)
		for len(hits) > 0 && hits[0].Token == int32(t) {
			out.Attrs, hits = append(out.Attrs, uint32(hits[0].Trigger)+add), hits[1:]
		}
		out.Offsets = append(out.Offsets, uint32(len(out.Attrs)))
	}
	return out
}

// Prefixes of attributes of whole segments.
const (
	identityPrefix = "identity="
	lexiconPrefix  = "segment_lexicon="
)

// eachWhole calls f with each attribute of a whole segment that a sentence may have.
func (x *extraction) eachWhole(forms []string, longest int, identity bool, f func(start, end int, name []byte)) {
	if !identity && x.lexicon == nil {
		return
	}
	for start := range forms {
		x.lower = append(x.lower[:0], identityPrefix...)
		for end := start + 1; end <= min(len(forms), start+longest); end++ {
			if end > start+1 {
				x.lower = append(x.lower, ' ')
			}
			x.lower = append(x.lower, strings.ToLower(forms[end-1])...)
			if identity {
				f(start, end, x.lower)
			}
			if x.lexicon != nil {
				if v := x.lexicon.Lookup(string(x.lower[len(identityPrefix):]), x.column); v != "" {
					f(start, end, []byte(lexiconPrefix+v))
				}
			}
		}
	}
}

// growWholes numbers the attributes of whole segments: words of gold segments, values of the lexicon.
func (c *corpus) growWholes(longest int, identity bool) {
	c.wholeIndex = map[string]uint32{}
	for i := range c.sentences {
		s := &c.sentences[i]
		gold := map[[2]int]bool{}
		for _, g := range s.gold {
			gold[[2]int{int(g.Start), int(g.End)}] = true
		}
		c.x.eachWhole(s.forms, longest, identity, func(start, end int, name []byte) {
			if strings.HasPrefix(string(name), identityPrefix) && !gold[[2]int{start, end}] {
				return
			}
			if _, ok := c.wholeIndex[string(name)]; !ok {
				c.wholeIndex[string(name)] = uint32(len(c.wholes))
				c.wholes = append(c.wholes, string(name))
			}
		})
	}
}

// wholesOf lists the known attributes of whole segments of a sentence.
func (x *extraction) wholesOf(forms []string, longest int, identity bool, index map[string]uint32,
	add uint32) (out []semimarkov.Whole) {
	x.eachWhole(forms, longest, identity, func(start, end int, name []byte) {
		if id, ok := index[string(name)]; ok {
			out = append(out, semimarkov.Whole{Start: int32(start), End: int32(end), Attr: id + add})
		}
	})
	return out
}

// notices tells what was cut or left out.
func (c *corpus) notices(t *kind.Training, longest int) {
	if c.cut > 0 {
		t.Notice(text.Countf("%d {segment is|segments are} longer than %d {token|tokens} and are learned in pieces, which "+
			"teaches "+
			"wrong ends; max_length may be larger", c.cut, longest))
	}
	if c.overlap > 0 {
		t.Notice(text.Countf("%d {span is|spans are} left out: {it overlaps one before it|they overlap one before them}",
			c.overlap))
	}
}
