package tagger

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Data is labelled sentences for a chain, with the names of its numbers.
type Data struct {
	chain.Data
	Names       []string // of labels
	Labelled    int      // sentences with gold, which come first; those of an input without it have label 0
	Alphabet    *feature.Alphabet
	Skipped     int // sentences left out because a token has no label
	Overlapping int // spans left out because they overlap one before them
}

// Notice tells what was left out.
func (d *Data) Notice(t *kind.Training, target Target) {
	if d.Skipped > 0 {
		t.Notice(text.Countf("%d {sentence is|sentences are} left out: a token has no %s", d.Skipped, target.Column))
	}
	if d.Overlapping > 0 {
		t.Notice(text.Countf("%d {span is|spans are} left out: {it overlaps one before it|they overlap one before them}",
			d.Overlapping))
	}
}

// Read turns the sentences of all documents into data; attributes in fewer than least tokens
// are dropped. Nothing to learn gives an error that wraps kind.ErrNoData.
func Read(ctx context.Context, in kind.Input, set *feature.Set, t Target, res kind.Resources,
	least int) (*Data, error) {
	return ReadWith(ctx, in, nil, set, t, res, least, nil)
}

// ReadWith is Read with the sentences of a second input, whose labels are not looked at, after those of the first.
// unlabelled may be nil. each is called with the forms of every sentence that is kept, in order; nil: not called.
func ReadWith(ctx context.Context, in, unlabelled kind.Input, set *feature.Set, t Target, res kind.Resources, least int,
	each func(forms []string)) (*Data, error) {
	a := feature.NewAlphabet(set)
	e, err := feature.NewExtractor(a, res)
	if err != nil {
		return nil, err
	}
	r := reader{t: t, e: e, index: map[string]uint16{}, data: &Data{}, each: each}
	r.data.Offsets = []uint32{0}
	if err := r.read(ctx, in); err != nil {
		return nil, err
	}
	r.data.Labelled = len(r.data.Offsets) - 1
	if unlabelled != nil {
		r.bare = true
		if err := r.read(ctx, unlabelled); err != nil {
			return nil, err
		}
	}
	return r.finish(ctx, a, least)
}

type reader struct {
	t      Target
	e      *feature.Extractor
	rows   feature.Rows
	index  map[string]uint16
	labels []string
	data   *Data
	inside int  // tokens in spans, or with a label
	bare   bool // labels are not looked at
	each   func(forms []string)
}

// read adds the documents of an input.
func (r *reader) read(ctx context.Context, in kind.Input) error {
	n := 0
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return err
		}
		if n++; n&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.add(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// add appends the sentences of a document. Those without labels are cut off again.
func (r *reader) add(ctx context.Context, d *text.Document) error {
	toks := d.Layer("tokens")
	if toks == nil {
		return nil
	}
	before := r.rows.Len()
	if err := r.e.GrowUntil(ctx, d, &r.rows); err != nil {
		return err
	}
	var spans []text.Span
	if r.t.Spans() && !r.bare {
		if l := d.Layer(r.t.Layer.Name); l != nil {
			spans = l.Spans()
		}
	}
	var forms []string
	if r.each != nil {
		forms = Forms(d)
	}
	bounds := d.SentenceTokens()
	at, next, dropped := before, 0, 0
	for s := 1; s < len(bounds); s++ {
		from := next
		for next < len(spans) && spans[next].Sent <= int32(s) {
			next++
		}
		n := int(bounds[s] - bounds[s-1])
		if n == 0 {
			continue
		}
		if r.bare {
			at += n
			r.data.Gold = append(r.data.Gold, make([]uint16, n)...)
			r.data.Offsets = append(r.data.Offsets, uint32(len(r.data.Gold)))
			r.tell(forms, bounds[s-1], bounds[s])
			continue
		}
		labels, over, ok := r.t.Gold(r.labels, d, s, bounds[s-1], bounds[s], within(spans[from:next], int32(s)))
		r.labels = labels
		r.data.Overlapping += over
		if !ok {
			r.data.Skipped++
			r.cut(at-dropped, n)
			dropped += n
			at += n
			continue
		}
		at += n
		if err := r.gold(labels); err != nil {
			return fmt.Errorf("document %s: %w", d.ID, err)
		}
		r.tell(forms, bounds[s-1], bounds[s])
	}
	return nil
}

func (r *reader) tell(forms []string, from, to int32) {
	if r.each != nil {
		r.each(forms[from:to])
	}
}

// within drops spans that touch no token.
func within(spans []text.Span, sent int32) []text.Span {
	for len(spans) > 0 && spans[0].Sent < sent {
		spans = spans[1:]
	}
	return spans
}

// cut removes n items from item at on.
func (r *reader) cut(at, n int) {
	o := r.rows.Offsets
	from, to := o[at], o[at+n]
	r.rows.Attrs = append(r.rows.Attrs[:from], r.rows.Attrs[to:]...)
	for i := at + n; i < len(o); i++ {
		o[i-n] = o[i] - (to - from)
	}
	r.rows.Offsets = o[:len(o)-n]
}

func (r *reader) gold(labels []string) error {
	for _, l := range labels {
		id, ok := r.index[l]
		if !ok {
			if len(r.index) == chain.MaxLabels {
				return fmt.Errorf("more than %d labels", chain.MaxLabels)
			}
			id = uint16(len(r.index))
			r.index[l] = id
			r.data.Names = append(r.data.Names, l)
		}
		if l != "O" {
			r.inside++
		}
		r.data.Gold = append(r.data.Gold, id)
	}
	r.data.Offsets = append(r.data.Offsets, uint32(len(r.data.Gold)))
	return nil
}

func (r *reader) finish(ctx context.Context, a *feature.Alphabet, least int) (*Data, error) {
	what := r.t.Use()
	name := what.Layer
	if r.t.Column != "" {
		name = "tokens." + r.t.Column
	}
	switch {
	case r.data.Labelled == 0:
		return nil, fmt.Errorf("%w: no sentence has %s", kind.ErrNoData, name)
	case r.inside == 0:
		return nil, fmt.Errorf("%w: the documents have no %s", kind.ErrNoData, name)
	case len(r.rows.Attrs) > math.MaxUint32-1:
		return nil, fmt.Errorf("more than %d attributes of tokens; use fewer templates", uint32(math.MaxUint32))
	}
	d := r.data
	if err := several(d.Names, "token"); err != nil {
		return nil, err
	}
	var err error
	if d.Alphabet, err = feature.Prune(ctx, a, &r.rows, least); err != nil {
		return nil, err
	}
	d.Labels, d.Attributes = len(d.Names), d.Alphabet.Len()
	d.AttrOffsets, d.Attrs = r.rows.Offsets, r.rows.Attrs
	return d, nil
}
