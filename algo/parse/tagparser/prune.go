package tagparser

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/depparser"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Values of the option pruner.
const (
	byArcs   = "arcs"
	byLabels = "labels"
)

// candidate is an arc that is looked at, with its probability.
type candidate struct {
	head, mod int32
	prob      float64
	parts     [3][]partProb // of the labels' parts, by parsers with labels; empty by one of arcs alone
}

// partProb is the probability of an arc whose label has a part, one of the phrases or tags of triples.
type partProb struct {
	part int32
	prob float32
}

// pruner is one log-linear parser of the arcs of derivations, by exponentiated gradient (Collins et al. 2008), or three
// whose arcs are labelled with one part of a triple each: parent, head child, modifier (Carreras et al. 2008, section
// 4.2).
type pruner struct{ ms []kind.Model }

// newPruner returns one that is not trained.
func newPruner(labelled bool, bits, epochs int) (*pruner, error) {
	args := map[string]value.Value{"factorization": value.Str("arc"), "objective": value.Str("loglinear"),
		"optimizer": value.Str("eg"), "features": value.Str("lean"), "labels": value.Str("none"),
		"coarse_tag": value.Str("xpos"), "bits": value.Int(int64(bits)), "epochs": value.Int(int64(epochs))}
	p := &pruner{make([]kind.Model, 1)}
	if labelled {
		args["labels"], args["optimizer"] = value.Str("joint"), value.Str("sgd")
		p.ms = make([]kind.Model, 3)
	}
	for i := range p.ms {
		p.ms[i] = depparser.Kind().New()
		s, list := &option.Set{}, []option.Arg{}
		p.ms[i].Options(s)
		for name, v := range args {
			list = append(list, option.Arg{Name: name, Value: v})
		}
		if err := s.Apply(list); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// dependencies is sentences as a document with their arcs, heads and labels by token from 1; both may be nil.
func dependencies(id string, words, tags [][]string, heads [][]int32, labels [][]string) *text.Document {
	d := &text.Document{ID: id}
	toks, arcs := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
	var sent, tok, zero, head []int32
	var forms, xpos, rel []string
	for s := range words {
		for i := range words[s] {
			sent, tok, zero = append(sent, int32(s+1)), append(tok, int32(i+1)), append(zero, 0)
			forms, xpos = append(forms, words[s][i]), append(xpos, tags[s][i])
			if heads != nil {
				head = append(head, heads[s][i+1])
			}
			if labels != nil {
				rel = append(rel, labels[s][i+1])
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
		if labels != nil {
			arcs.SetStrs("deprel", rel)
		}
		d.SetLayer(arcs)
	}
	return d
}

// labelled tells whether there are three parsers with labels.
func (p *pruner) labelled() bool { return len(p.ms) > 1 }

// train learns from examples.
func (p *pruner) train(ctx context.Context, t *kind.Training, g *grammar, examples []*example, name string) error {
	for k, m := range p.ms {
		var docs kind.Documents
		for i, x := range examples {
			var labels [][]string
			if p.labelled() {
				labels = [][]string{x.parts(g, k)}
			}
			docs = append(docs, dependencies(fmt.Sprint(i), [][]string{x.words}, [][]string{x.tags}, [][]int32{x.heads}, labels))
		}
		title := name
		if p.labelled() {
			title = fmt.Sprintf("%s, %d of %d", name, k+1, len(p.ms))
		}
		err := m.Train(ctx, &kind.Training{On: docs, Seed: t.Seed, Workers: t.Workers, Notice: t.Notice,
			Report: func(x kind.Progress) {
				x.Note, x.Aside = title+": "+x.Note, true
				t.Report(x)
			}})
		if err != nil {
			return err
		}
	}
	return nil
}

// parts are one part of the triples of an example, by token.
func (x *example) parts(g *grammar, k int) []string {
	out := make([]string, len(x.triple))
	for m := 1; m < len(out); m++ {
		t := g.triples[x.triple[m]]
		out[m] = [3]string{t.Parent, t.Head, t.Modifier}[k]
	}
	return out
}

// arcs returns the arcs of sentences with their probabilities, by sentence.
func (p *pruner) arcs(ctx context.Context, g *grammar, words, tags [][]string) ([][]candidate, error) {
	if p.labelled() {
		return p.labelledArcs(ctx, g, words, tags)
	}
	d, err := p.parse(ctx, 0, "arcs", words, tags)
	if err != nil {
		return nil, err
	}
	out := make([][]candidate, len(words))
	l := d.Layer("arcs")
	sent, tok, head := l.Ints("sent"), l.Ints("tok"), l.Ints("head")
	prob := l.Cols[l.Def.Index("prob")].Floats
	for i, s := range sent {
		out[s-1] = append(out[s-1], candidate{head: head[i], mod: tok[i], prob: float64(float32(prob[i]))})
	}
	return out, nil
}

// parse runs one of the parsers.
func (p *pruner) parse(ctx context.Context, k int, layer string, words, tags [][]string) (*text.Document, error) {
	d := dependencies("", words, tags, nil, nil)
	run := &kind.Run{Workers: 1, Wanted: []string{layer}, Report: func(kind.Progress) {}}
	return d, p.ms[k].Annotate(ctx, []*text.Document{d}, run)
}

// labelledArcs are those that all three parsers have; prob is the product of the three.
func (p *pruner) labelledArcs(ctx context.Context, g *grammar, words, tags [][]string) ([][]candidate, error) {
	out := make([][]candidate, len(words))
	places := make([]map[[2]int32]int, len(words))
	for k := range p.ms {
		d, err := p.parse(ctx, k, "arc_relations", words, tags)
		if err != nil {
			return nil, err
		}
		l := d.Layer("arc_relations")
		sent, tok, head, rel := l.Ints("sent"), l.Ints("tok"), l.Ints("head"), l.Strs("deprel")
		prob := l.Cols[l.Def.Index("prob")].Floats
		for i, s := range sent {
			if places[s-1] == nil {
				places[s-1] = map[[2]int32]int{}
			}
			part, ok := g.partID[rel[i]]
			at, seen := places[s-1][[2]int32{head[i], tok[i]}]
			switch {
			case !ok:
				continue
			case !seen && k > 0:
				continue
			case !seen:
				at = len(out[s-1])
				places[s-1][[2]int32{head[i], tok[i]}] = at
				out[s-1] = append(out[s-1], candidate{head: head[i], mod: tok[i]})
			}
			x := &out[s-1][at]
			x.parts[k] = append(x.parts[k], partProb{part, float32(prob[i])})
		}
	}
	for s := range out {
		out[s] = slices.DeleteFunc(out[s], func(x candidate) bool { return !x.whole() })
		for i := range out[s] {
			out[s][i].sum()
		}
	}
	return out, nil
}

// whole tells whether all parts of labels have some probability.
func (x *candidate) whole() bool {
	return len(x.parts[0]) > 0 && len(x.parts[1]) > 0 && len(x.parts[2]) > 0
}

// sum sets the probability of an arc from those of its parts.
func (x *candidate) sum() {
	x.prob = 1
	for _, list := range x.parts {
		sum := 0.0
		for _, y := range list {
			sum += float64(y.prob)
		}
		x.prob *= sum
	}
}

// prunerBits is the size of its tables, of 2^bits weights.
const prunerBits = 18
