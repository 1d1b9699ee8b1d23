package tagparser

import (
	"context"
	"fmt"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/depparser"
	"parlance/algo/text"
	"parlance/storage/value"
)

// candidate is an arc that is looked at, with its probability.
type candidate struct {
	head, mod int32
	prob      float64
}

// pruner is a log-linear parser of the arcs of derivations, by exponentiated gradient (Collins et al. 2008).
type pruner struct{ m kind.Model }

// newPruner returns one that is not trained.
func newPruner(bits, epochs int) (*pruner, error) {
	p := &pruner{depparser.Kind().New()}
	s := &option.Set{}
	p.m.Options(s)
	args := []option.Arg{}
	for name, v := range map[string]value.Value{"factorization": value.Str("arc"), "objective": value.Str("loglinear"),
		"optimizer": value.Str("eg"), "features": value.Str("lean"), "labels": value.Str("none"), "coarse_tag": value.Str("xpos"),
		"bits": value.Int(int64(bits)), "epochs": value.Int(int64(epochs))} {
		args = append(args, option.Arg{Name: name, Value: v})
	}
	return p, s.Apply(args)
}

// dependencies is sentences as a document with their arcs; heads may be nil.
func dependencies(id string, words, tags [][]string, heads [][]int32) *text.Document {
	d := &text.Document{ID: id}
	toks, arcs := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
	var sent, tok, zero, head []int32
	var forms, xpos []string
	for s := range words {
		for i := range words[s] {
			sent, tok, zero = append(sent, int32(s+1)), append(tok, int32(i+1)), append(zero, 0)
			forms, xpos = append(forms, words[s][i]), append(xpos, tags[s][i])
			if heads != nil {
				head = append(head, heads[s][i+1])
			}
		}
	}
	toks.N = len(sent)
	for name, v := range map[string][]int32{"sent": sent, "tok": tok, "char_start": zero, "char_end": zero} {
		toks.SetInts(name, v)
	}
	toks.SetStrs("form", forms)
	toks.SetStrs("xpos", xpos)
	d.SetLayer(toks)
	if heads != nil {
		arcs.N = len(sent)
		arcs.SetInts("sent", sent)
		arcs.SetInts("tok", tok)
		arcs.SetInts("head", head)
		d.SetLayer(arcs)
	}
	return d
}

// train learns from examples.
func (p *pruner) train(ctx context.Context, t *kind.Training, examples []*example, name string) error {
	var docs kind.Documents
	for i, x := range examples {
		docs = append(docs, dependencies(fmt.Sprint(i), [][]string{x.words}, [][]string{x.tags}, [][]int32{x.heads}))
	}
	return p.m.Train(ctx, &kind.Training{On: docs, Seed: t.Seed, Workers: t.Workers, Notice: t.Notice, Report: func(x kind.Progress) {
		x.Note, x.Aside = name+": "+x.Note, true
		t.Report(x)
	}})
}

// arcs returns the arcs of sentences with their probabilities, by sentence.
func (p *pruner) arcs(ctx context.Context, words, tags [][]string) ([][]candidate, error) {
	d := dependencies("", words, tags, nil)
	run := &kind.Run{Workers: 1, Wanted: []string{"arcs"}, Report: func(kind.Progress) {}}
	if err := p.m.Annotate(ctx, []*text.Document{d}, run); err != nil {
		return nil, err
	}
	out := make([][]candidate, len(words))
	l := d.Layer("arcs")
	sent, tok, head := l.Ints("sent"), l.Ints("tok"), l.Ints("head")
	prob := l.Cols[l.Def.Index("prob")].Floats
	for i, s := range sent {
		out[s-1] = append(out[s-1], candidate{head[i], tok[i], float64(float32(prob[i]))})
	}
	return out, nil
}

// prunerBits is the size of its tables, of 2^bits weights.
const prunerBits = 18
