package candidates

import (
	"context"
	"math"
	"time"

	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// Found counts what is learned from.
type Found struct {
	Sentences int                // with gold and candidates
	Faults    constituent.Faults // of gold rows
	NoGold    int                // sentences without a gold tree
	NoTree    int                // sentences without a tree of the base
}

// Tell notices what is left out.
func (f *Found) Tell(notice func(string)) {
	f.Faults.Tell(notice)
	if f.NoGold > 0 {
		notice(text.Countf("%d {sentence without a tree is|sentences without a tree are} left out", f.NoGold))
	}
	if f.NoTree > 0 {
		notice(text.Countf("%d {sentence is|sentences are} left out, for the base has no tree of them", f.NoTree))
	}
}

// perWorker is how many documents are read at once, for each worker.
const perWorker = 8

// Read lists the candidates of all documents that are learned from. make is called for each sentence with gold
// and candidates, by several workers at once, and take with what it returns, in the order of the sentences.
func Read[T any](ctx context.Context, o *Options, in kind.Input, t *kind.Training, base kind.Trained,
	make func(worker int, s *Sentence, gold []constituent.Bracket) T, take func(T)) (*Found, error) {
	out := &Found{}
	workers := parallel.Workers(t.Workers)
	start, done, told := time.Now(), 0, time.Now()
	flush := func(docs []*text.Document) error {
		parts := newParts[T](len(docs))
		err := parallel.For(ctx, workers, len(docs), func(w, i int) error {
			return parts[i].document(ctx, o, docs[i], base, func(s *Sentence,
				gold []constituent.Bracket) T {
				return make(w, s, gold)
			})
		})
		if err != nil {
			return err
		}
		for _, p := range parts {
			out.Sentences += len(p.made)
			out.Faults.Join(p.faults)
			out.NoGold, out.NoTree = out.NoGold+p.noGold, out.NoTree+p.noTree
			for _, x := range p.made {
				take(x)
			}
		}
		done += len(docs)
		if time.Since(told) > 2*time.Second {
			told = time.Now()
			t.Report(kind.Progress{Step: done, Of: max(done, in.Count()), Objective: math.NaN(), HeldOut: math.NaN(),
				Aside: true, Seconds: time.Since(start).Seconds(), Note: text.Countf("trees of %d {sentence|sentences}",
					out.Sentences)})
		}
		return nil
	}
	return out, batches(ctx, in, perWorker*workers, flush)
}

// batches calls flush with n documents after the other.
func batches(ctx context.Context, in kind.Input, size int, flush func([]*text.Document) error) error {
	var docs []*text.Document
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return err
		}
		if docs = append(docs, d); len(docs) == size {
			if err := flush(docs); err != nil {
				return err
			}
			docs = docs[:0]
		}
	}
	if err := flush(docs); err != nil {
		return err
	}
	return ctx.Err()
}

// part is what a document gives.
type part[T any] struct {
	made           []T
	faults         constituent.Faults
	noGold, noTree int
}

func newParts[T any](n int) []part[T] { return make([]part[T], n) }

func (p *part[T]) document(ctx context.Context, o *Options, d *text.Document, base kind.Trained,
	make func(*Sentence, []constituent.Bracket) T) error {
	gold := p.gold(o, d)
	sentences, err := o.Document(ctx, d, base)
	if err != nil {
		return err
	}
	p.noTree = len(gold)
	for _, x := range sentences {
		if brackets, ok := gold[x.Number]; ok {
			p.noTree--
			p.made = append(p.made, make(x, brackets))
		}
	}
	return nil
}

// gold are the brackets of the sentences of a document that have gold.
func (p *part[T]) gold(o *Options, d *text.Document) map[int][]constituent.Bracket {
	if !o.Trees() {
		return o.goldSpans(d)
	}
	gold := map[int][]constituent.Bracket{}
	for s := range constituent.Sentences(d, o.Tags) {
		if s.Fault != nil {
			p.faults.Add(d.ID, s.Fault)
			continue
		}
		if tree := constituent.Clean(s.Best()); tree != nil {
			gold[s.Number] = constituent.Brackets(tree)
		} else {
			p.noGold++
		}
	}
	return gold
}
