package lemmatizer

import (
	"context"
	"math"
	"strings"
	"unicode"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// reader reads the words of a document.
type reader struct {
	forms []string
	tags  [][]string
}

func newReader(d *text.Document, columns []string) *reader {
	tokens := d.Layer(text.Tokens.Name)
	r := &reader{forms: tokens.Strs("form")}
	for _, c := range columns {
		r.tags = append(r.tags, tokens.Strs(c))
	}
	return r
}

// read reads the word of a row; false where it has no form.
func (r *reader) read(i int, w *word) bool {
	if r.forms == nil || r.forms[i] == "" {
		return false
	}
	w.form, w.lower, w.tags = r.forms[i], lower(r.forms[i]), w.tags[:0]
	for _, column := range r.tags {
		tag := ""
		if column != nil {
			tag = column[i]
		}
		w.tags = append(w.tags, tag)
	}
	return true
}

// lower is the form in lower case, character by character.
func lower(form string) string { return strings.Map(unicode.ToLower, form) }

// worker annotates one document after the other.
type worker struct {
	extractor
	word     word
	features []uint32
	scores   []float64
}

// classify scores the rules of the classifier for the word and returns the best.
func (w *worker) classify(m *model) int {
	w.features = w.features[:0]
	w.each(&w.word, func(feature []byte) {
		if id, ok := m.features[string(feature)]; ok {
			w.features = append(w.features, id)
		}
	})
	return m.best(m.weights, w.features, len(w.ends)-1, w.scores)
}

// lemmaOf is the lemma of the worker's word, by the rule that it was seen with, else by the best one of the classifier.
// Where no rule is left, it is the form. The score is that of the dictionary, or with s_r the sum of the weights of
// rule r
//
//	prob = exp(s_best) / Σ_r exp(s_r)        over the rules that the form is long enough for
func (w *worker) lemmaOf(m *model, wantProb bool) (l string, prob float64) {
	if s, ok := m.words.find(&w.word); ok {
		if l, ok := m.rules[s.rule].apply(w.word.form); ok {
			return l, s.prob()
		}
	}
	best := w.classify(m)
	if best < 0 {
		return w.word.form, 1
	}
	if wantProb {
		sum := 0.0
		for r, x := range w.scores {
			if m.rules[r].fits(len(w.ends) - 1) {
				sum += math.Exp(x - w.scores[best])
			}
		}
		prob = 1 / sum
	}
	l, _ = m.rules[best].apply(w.word.form)
	return l, prob
}

// Annotate writes the lemmas of documents. A token without a form has none.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	w := m.workers.Get().(*worker)
	defer m.workers.Put(w)
	for _, d := range docs {
		tokens := d.Layer(text.Tokens.Name)
		if tokens == nil || !run.Wants(text.Tokens.Name) {
			continue
		}
		r := newReader(d, m.opt.tags)
		lemmas := make([]string, tokens.N)
		var prob []float64
		if run.Prob {
			prob = make([]float64, tokens.N)
		}
		for i := range lemmas {
			if i&1023 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			p := math.NaN()
			if r.read(i, &w.word) {
				lemmas[i], p = w.lemmaOf(m, run.Prob)
			}
			if run.Prob {
				prob[i] = p
			}
		}
		out := *tokens
		out.Cols = append([]text.Col{}, tokens.Cols...)
		out.SetStrs(lemma, lemmas)
		out.Prob = prob
		d.SetLayer(&out)
	}
	return ctx.Err()
}

// Explain tells of a word that was seen how often it had its rule, of another the weights of its rule against the
// next best.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, _ *kind.Run) (out kind.Explanation,
	err error) {
	w := m.workers.Get().(*worker)
	defer m.workers.Put(w)
	for _, d := range docs {
		if d.Layer(text.Tokens.Name) == nil {
			continue
		}
		r := newReader(d, m.opt.tags)
		for s := range at.Sentences(d) {
			if err := ctx.Err(); err != nil {
				return out, err
			}
			for i := s.From; i < s.To; i++ {
				if at.Token(i-s.From+1) && r.read(i, &w.word) {
					x := kind.Decision{Doc: d.ID, Sent: s.Number, Tok: i - s.From + 1, Form: w.word.form}
					m.explain(w, &x)
					out.Decisions = append(out.Decisions, x)
				}
			}
		}
	}
	return out, ctx.Err()
}

func (m *model) explain(w *worker, d *kind.Decision) {
	d.Outcome, d.Prob = w.lemmaOf(m, true)
	if s, ok := m.words.find(&w.word); ok {
		d.Gather(map[string]float64{"seen: " + m.rules[s.rule].String(): float64(s.count)}, 0)
		return
	}
	best := w.classify(m)
	if best < 0 {
		return
	}
	second := -1
	for r, x := range w.scores {
		if r != best && (second < 0 || x > w.scores[second]) && m.rules[r].fits(len(w.ends)-1) {
			second = r
		}
	}
	if second >= 0 {
		if d.RunnerUp, _ = m.rules[second].apply(w.word.form); d.RunnerUp == d.Outcome { // by another rule
			d.RunnerUp = m.rules[second].String()
		}
	}
	sums := map[string]float64{}
	for _, f := range w.features {
		x := m.weights.At(f, uint16(best))
		if second >= 0 {
			x -= m.weights.At(f, uint16(second))
		}
		sums[m.names[f]] += x
	}
	d.Gather(sums, 0)
}
