package reduction

import (
	"context"

	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// Worker annotates one document after the other.
type Worker struct {
	Classify *Classifier
	Rows     feature.Rows // items of the document at hand
	extract  *feature.Extractor
	names    []string
	prob     []float64
	spans    []text.Span
}

// NewWorker returns a worker with memory of its own.
func (t *Trained) NewWorker() Worker { return Worker{Classify: t.Machines.Classifier()} }

// Each reads the items of one document after the other and calls do.
func (w *Worker) Each(ctx context.Context, t *Trained, docs []*text.Document, res kind.Resources,
	do func(*text.Document) error) (err error) {
	if w.extract, err = w.extract.Ready(t.Alphabet, res); err != nil {
		return err
	}
	return w.extract.Each(ctx, docs, &w.Rows, do)
}

// Tagging is how a kind labels the tokens of a document, sentence by sentence from left to right.
type Tagging struct {
	Start  func()                                                         // begins a sentence; may be nil
	Label  func(item int) (label string, prob float64)                    // labels a token
	Decide func(item int, asked bool) kind.Decision                       // labels a token, and explains it where asked
	Spans  func(dst []text.Span, sent int32, labels []string) []text.Span // reads labels of a sentence
}

func (k *Tagging) start() {
	if k.Start != nil {
		k.Start()
	}
}

// Tag labels the tokens of the document at hand. A span is as probable as its labels are together, each
// after those chosen before it.
func (w *Worker) Tag(ctx context.Context, d *text.Document, target tagger.Target, prob bool, k Tagging) error {
	res := target.NewResult(d)
	bounds := d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.names, w.prob = w.names[:0], w.prob[:0]
		k.start()
		for t := bounds[s-1]; t < bounds[s]; t++ {
			if t&255 == 255 && ctx.Err() != nil { // a sentence may be long
				return ctx.Err()
			}
			name, p := k.Label(int(t))
			if !target.Spans() {
				res.Tag(name, p)
				continue
			}
			w.names, w.prob = append(w.names, name), append(w.prob, p)
		}
		w.spans = k.Spans(w.spans[:0], int32(s), w.names)
		for _, sp := range w.spans {
			p := 1.0
			for t := sp.First - 1; t < sp.Last; t++ {
				p *= w.prob[t]
			}
			res.Span(sp, p, 1)
		}
	}
	res.Set(prob, false)
	return nil
}

// Explain appends the decisions for the asked tokens of the document at hand.
func (w *Worker) Explain(out []kind.Decision, d *text.Document, at kind.At, k Tagging) []kind.Decision {
	forms := tagger.Forms(d)
	for s := range at.Sentences(d) {
		k.start()
		for t := s.From; t < s.To; t++ {
			tok := t - s.From + 1
			asked := at.Token(tok)
			x := k.Decide(t, asked)
			if asked {
				x.Doc, x.Sent, x.Tok, x.Form = d.ID, s.Number, tok, forms[t]
				out = append(out, x)
			}
		}
	}
	return out
}
