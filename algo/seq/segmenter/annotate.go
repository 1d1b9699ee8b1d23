package segmenter

import (
	"context"
	"strings"
	"unicode"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// worker annotates documents, one after the other.
type worker struct {
	chars characters
	lat   lattice
	search
	marginals *marginals
	words     []span
	rows      tokenRows
}

// tokenRows are tokens on their way.
type tokenRows struct {
	columns [4][]int32 // sent, tok, char_start, char_end
	forms   []string
	tags    []string
	prob    []float64
	rank    []int32
}

func (w *worker) document(ctx context.Context, m *model, d *text.Document, run *kind.Run) error {
	w.rows = tokenRows{}
	err := w.eachSentence(m, d, func(sent int32) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return w.sentence(ctx, m, d, sent, run)
	})
	if err != nil {
		return err
	}
	w.rows.set(d, m.opt.layer, run)
	return nil
}

// eachSentence calls use for the sentences that have characters, when these are in place.
func (w *worker) eachSentence(m *model, d *text.Document, use func(sent int32) error) (err error) {
	w.lat.walls = m.opt.spaces == "cut"
	sent := int32(0)
	sentences(d.Text, 0, len(d.Text), nil, func(from, to int) bool {
		w.chars.reset()
		w.chars.add(d.Text, from, to, m.opt.fullWidth)
		w.chars.close()
		if w.chars.len() == 0 {
			return true
		}
		sent++
		err = use(sent)
		return err == nil
	})
	return err
}

// load scores the lattice of the characters, and sums over it where probabilities are wanted.
func (w *worker) load(m *model, prob bool) (err error) {
	w.lat.load(m.weights, &w.chars, m.opt.lattice)
	if !prob {
		return nil
	}
	if w.marginals == nil {
		if w.marginals, err = newMarginals(m.weights, 1/m.temperature); err != nil {
			return err
		}
	}
	return w.marginals.load(&w.lat)
}

// sentence appends the words of a sentence, those of the best analyses where several are wanted.
func (w *worker) sentence(ctx context.Context, m *model, d *text.Document, sent int32, run *kind.Run) error {
	if err := w.load(m, run.Prob || run.NBest > 1); err != nil {
		return err
	}
	if run.NBest > 1 {
		return w.several(ctx, d, sent, run.NBest)
	}
	path, _ := w.search.best(&w.lat)
	w.words = w.lat.read(w.words[:0], path)
	for i, x := range w.words {
		w.rows.add(d, &w.lat, sent, int32(i+1), x)
		if run.Prob {
			w.rows.prob = append(w.rows.prob, w.marginals.prob(x))
		}
	}
	return nil
}

// several appends the words of the n best analyses. Their prob is the share of the analysis: that of its best path.
func (w *worker) several(ctx context.Context, d *text.Document, sent int32, n int) error {
	w.search.forward(&w.lat)
	found, err := w.search.analyses(ctx, n)
	if err != nil {
		return err
	}
	for r, a := range found {
		p := w.marginals.share(a.score)
		for i, x := range a.words {
			w.rows.add(d, &w.lat, sent, int32(i+1), x)
			w.rows.prob, w.rows.rank = append(w.rows.prob, p), append(w.rows.rank, int32(r+1))
		}
	}
	return nil
}

// add appends a token. Its form has no white space.
func (t *tokenRows) add(d *text.Document, l *lattice, sent, tok int32, x span) {
	from, to := l.characters.start[x.from], l.characters.end[x.to-1]
	for i, v := range [4]int32{sent, tok, from, to} {
		t.columns[i] = append(t.columns[i], v)
	}
	form := d.Text[from:to]
	if strings.ContainsFunc(form, unicode.IsSpace) {
		form = strings.Join(strings.Fields(form), "")
	}
	t.forms, t.tags = append(t.forms, form), append(t.tags, l.w.tags[x.tag])
}

// set makes the tokens a layer of the document.
func (t *tokenRows) set(d *text.Document, column string, run *kind.Run) {
	l := text.NewLayer(text.Tokens)
	l.N = len(t.forms)
	for i, c := range []string{"sent", "tok", "char_start", "char_end"} {
		l.SetInts(c, t.columns[i])
	}
	l.SetStrs("form", t.forms)
	if column != formColumn {
		l.SetStrs(column, t.tags)
	}
	if run.Prob || run.NBest > 1 {
		l.Prob = t.prob
	}
	if run.NBest > 1 {
		l.Rank = t.rank
	}
	d.SetLayer(l)
}
