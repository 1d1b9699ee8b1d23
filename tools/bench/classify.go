package main

import (
	"fmt"
	"math"
	"time"

	"parlance/algo/classify/svm/reduction"
	"parlance/algo/classify/svm/solver"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/tagger"
	"parlance/storage"
)

// items are rows with classes, numbered by falling size, for tools that classify.
type items struct {
	rows    solver.Rows
	class   []uint16
	classes int
}

// classify measures classifiers of single tokens beside LIBLINEAR and LIBSVM. Figures are seconds
// of processor time, of all threads together: the tools run one after the other, perhaps beside
// other programs.
func (b *bench) classify() error {
	d, c, err := b.session("classify")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := b.script(c, chunkCorpus+`
CREATE CORPUS bio (split TEXT);
LOAD '$DATA/ner/bc5cdr.train' INTO bio FORMAT conll WITH (columns = (form, entities)) SET split = 'train';`); err != nil {
		return err
	}
	if err := d.Close(); err != nil {
		return err
	}
	s, err := storage.Open(d.Path(), storage.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer s.Close()
	train, test, err := b.tokens(s, "c", "chunks", "chunk", math.MaxInt)
	if err != nil {
		return err
	}
	b.add("classify: items, attributes, labels",
		fmt.Sprintf("%d, %d, %d", train.rows.Len(), train.rows.Width, train.classes), "211727, 335674, 22",
		"CoNLL-2000, feature set chunk")
	if err := b.linear(train, test); err != nil {
		return err
	}
	train, _, err = b.tokens(s, "bio", "entities", "ner", 10000)
	if err != nil {
		return err
	}
	return b.kernel(train)
}

// tokens reads the tokens of the splits train and test as items, the first most of train.
func (b *bench) tokens(s *storage.Store, corpus, layer, features string, most int) (train, test *items, err error) {
	docs, err := splitOf(b.ctx, s, corpus, "train")
	if err != nil {
		return nil, nil, err
	}
	set, _ := feature.Builtin(features)
	target, err := tagger.NewTarget(layer, bio.BIO)
	if err != nil {
		return nil, nil, err
	}
	data, err := tagger.Read(b.ctx, kind.Documents(docs), set, target, nil, 1)
	if err != nil {
		return nil, nil, err
	}
	order := reduction.Renumber(data.Gold, data.Labels)
	n := min(most, data.Tokens())
	train = &items{solver.Rows{Width: data.Attributes, Offsets: data.AttrOffsets[:n+1],
		Columns: data.Attrs[:data.AttrOffsets[n]]}, data.Gold[:n], data.Labels}
	number := map[string]uint16{}
	for i, old := range order {
		number[data.Names[old]] = uint16(i)
	}
	if docs, err = splitOf(b.ctx, s, corpus, "test"); err != nil {
		return nil, nil, err
	}
	data.Alphabet.Freeze()
	e, err := feature.NewExtractor(data.Alphabet, nil)
	if err != nil {
		return nil, nil, err
	}
	test = &items{classes: data.Labels}
	var rows feature.Rows
	rows.Reset()
	for _, d := range docs {
		e.Extract(d, &rows)
		bounds := d.SentenceTokens()
		spans := d.Layer(layer).Spans()
		for s := 1; s < len(bounds); s++ {
			var own = spans[:0:0]
			for _, sp := range spans {
				if int(sp.Sent) == s {
					own = append(own, sp)
				}
			}
			labels, _, _ := target.Gold(nil, d, s, bounds[s-1], bounds[s], own)
			for _, l := range labels {
				y, ok := number[l]
				if !ok {
					y = math.MaxUint16
				}
				test.class = append(test.class, y)
			}
		}
	}
	test.rows = solver.Rows{Width: data.Attributes, Offsets: rows.Offsets, Columns: rows.Attrs}
	return train, test, nil
}

// linear trains linear classifiers: ours, and LIBLINEAR's logistic regression and machines.
func (b *bench) linear(train, test *items) error {
	o := reduction.Options{C: 0.1, Squared: true, Epsilon: 0.1, Iterations: 1000, Shrinking: true, Seed: 1}
	ours := 0.0
	for workers := 1; workers <= 2; workers++ {
		o.Workers = workers
		sec, wall, m, err := b.machines(train, o)
		if err != nil {
			return err
		}
		if workers == 1 {
			ours = sec
		}
		b.add(fmt.Sprintf("svm, linear, one against the rest, %d worker", workers), fmt.Sprintf("%.1f s", sec), "≤ 8 s",
			fmt.Sprintf("accuracy %.2f %%, %.1f s by the clock", 100*accuracy(m, test), wall))
	}
	o.Scheme, o.Squared, o.Workers = reduction.CrammerSinger, false, 1
	joint, _, m, err := b.machines(train, o)
	if err != nil {
		return err
	}
	b.add("svm, linear, crammer_singer", fmt.Sprintf("%.1f s", joint), "",
		fmt.Sprintf("accuracy %.2f %%", 100*accuracy(m, test)))
	logistic, err := b.regression(train, test)
	if err != nil {
		return err
	}
	if err := b.write("train.libsvm", train); err != nil {
		return err
	}
	if err := b.write("test.libsvm", test); err != nil {
		return err
	}
	for _, p := range []struct {
		what string
		args []string
		ours float64
	}{{"-s 1 -c 0.1", []string{"-s", "1", "-c", "0.1"}, ours}, {"-s 4 -c 0.1", []string{"-s", "4", "-c", "0.1"}, joint},
		{"-s 0", []string{"-s", "0"}, logistic}, {"-s 7", []string{"-s", "7"}, logistic}} {
		sec, said, err := b.run("liblinear-train", append(p.args, b.temporary("train.libsvm"), b.temporary("model"))...)
		if err != nil || sec == 0 {
			return err
		}
		_ = said
		_, said, err = b.run("liblinear-predict", b.temporary("test.libsvm"), b.temporary("model"), b.temporary("out"))
		if err != nil {
			return err
		}
		note := firstLine(said)
		if p.ours > 0 {
			note += fmt.Sprintf("; ours takes %.2f of it", p.ours/sec)
		}
		b.add("LIBLINEAR "+p.what, fmt.Sprintf("%.1f s", sec), "", note)
	}
	return nil
}

// machines trains ours and returns seconds of processor time and by the clock.
func (b *bench) machines(train *items, o reduction.Options) (sec, wall float64, m *reduction.Machines, err error) {
	start, used := time.Now(), processor()
	m, err = reduction.Train(b.ctx, &train.rows, train.class, train.classes, o)
	return processor() - used, time.Since(start).Seconds(), m, err
}

// accuracy is the share of items that get their class.
func accuracy(m *reduction.Machines, test *items) float64 {
	c, right := m.Classifier(), 0
	for i, y := range test.class {
		cols, vals := test.rows.Row(i)
		c.Load(cols, vals)
		if c.Best() == int(y) {
			right++
		}
	}
	return float64(right) / float64(len(test.class))
}

// kernel trains pairwise machines with a polynomial kernel: ours and LIBSVM's.
func (b *bench) kernel(train *items) error {
	dual := 0.0
	o := reduction.Options{Scheme: reduction.Pairwise,
		Kernel: solver.Kernel{Shape: solver.Polynomial, Degree: 2, Gamma: 0.01, Coef0: 1},
		C:      1, Epsilon: 1e-3, Shrinking: true, Cache: 256 << 20, Workers: 1, Report: func(_, _ int,
			d float64) {
			dual = d
		}}
	ours, _, _, err := b.machines(train, o)
	if err != nil {
		return err
	}
	b.add("svm, poly of degree 2, pairwise", fmt.Sprintf("%.2f s", ours), "≤ LIBSVM",
		fmt.Sprintf("10,000 tokens of BC5CDR; dual %.4f", dual))
	if err := b.write("poly.libsvm", train); err != nil {
		return err
	}
	sec, said, err := b.run("svm-train", "-t", "1", "-d", "2", "-g", "0.01", "-r", "1", "-c", "1", "-m", "256",
		b.temporary("poly.libsvm"), b.temporary("model"))
	if err != nil || sec == 0 {
		return err
	}
	theirs := objectives(said)
	b.add("LIBSVM, the same", fmt.Sprintf("%.2f s", sec), "",
		fmt.Sprintf("dual %.4f, relative difference %.1e; ours takes %.2f of it", theirs, math.Abs(dual/theirs-1), ours/sec))
	return nil
}
