package relationacquirer

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"parlance/algo/acquire/template"
	"parlance/algo/acquire/tuples"
	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "relation_acquirer",
		Learns: "such pairs in sentences whose path no pattern has, by a machine that learns from what " +
			"`class_patterns` found; the layer `relations` of new documents",
		Figures:  "causes on SemEval-2010: precision 91, recall 39",
		Revision: 1,
		Doc: "pairs of nouns in a relation, such as causes and effects, and the sentences that say so: a machine " +
			"learns from what class_patterns has found, without labels",
		Paper: "De Saeger, Torisawa, Tsuchida, Kazama, Hashimoto, Yamada, Oh, Varga and Yan 2011",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	generator          // of candidates
	features  []string // that training data have, sorted
	number    map[string]uint32
	pool      *solver.Pool // of support vectors, nil before training
	beta      []float64    // of these
	bias      float64
	gamma     float64
	examples  []example // training data
	instances []instance
	opt       struct {
		tuples.ReaderOptions
		label, candidates, task string
		groups                  []string
		topN, samples, degree   int
		c, threshold, least     float64
		nbest                   int
	}
}

// groups are the groups of features.
var groups = []string{"base", "classes", "infix", "partials"}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Text(&o.label, "relation", "causes", "name of the relation in the layer relations")
	s.Int(&o.topN, "top", 25000, 1, math.MaxInt32,
		"first pairs of the first stage that positive examples are made of").Per("pairs")
	s.Int(&o.samples, "samples", 50000, 10, 10000000, "positive and negative examples at most, of each").Per("examples")
	s.Choice(&o.candidates, "candidates", "both", []string{"both", "class", "partial"},
		"what makes a candidate: a pair of classes and a partial pattern, or one of these alone")
	s.Float(&o.threshold, "threshold", 0.2, 0, 1, "words are of classes that are as probable at least")
	s.List(&o.groups, "features", groups,
		"what the machine sees: base, words and parts of speech around the nouns; classes "+
			"of the nouns; infix, words between them; partials, partial patterns")
	s.Int(&o.degree, "degree", 3, 1, 4, "degree of the polynomial kernel")
	s.Float(&o.c, "c", 1, 1e-6, 1e6, "cost of errors of the machine")
	s.Int(&o.nbest, "nbest", 100000, 1, 100000000, "pairs that are kept, the best ones").Per("pairs")
	s.Float(&o.least, "min_score", 0, -1e6, 1e6, "relations of documents have this score at least").In(option.Predict)
	s.Choice(&o.task, "task", "layers", []string{"layers", "pairs"},
		"what EVALUATE asks: relations of documents, or how many of the first pairs are in a list").In(option.Predict)
	o.Declare(s)
	s.Check("features", func() error {
		for _, f := range o.groups {
			if !slices.Contains(groups, f) {
				return fmt.Errorf("option features: '%s' is no group of features%s; there are base, classes, infix "+
					"and partials", f,
					option.DidYouMean(f, groups))
			}
		}
		return nil
	})
}

// Schema tells that parsed text is read, what a first stage has found, and classes.
func (m *model) Schema() kind.Schema {
	tokens := text.Tokens.Name
	s := kind.Schema{
		Reads: []kind.LayerUse{{Layer: tokens, Columns: []string{"form", "upos"}},
			{Layer: tokens, Columns: []string{"lemma", "xpos", "feats"}, Optional: true},
			{Layer: text.Dependencies.Name}},
		Writes: []kind.LayerUse{{Layer: text.Relations.Name}}, Prob: kind.Score,
		Relations: relations,
		Roles: []kind.Role{
			{Name: "stage1", Doc: "model of class_patterns", Tables: []kind.TableUse{instanceTable}, Train: true},
			{Name: "classes",
				Doc: "classes of words that the first stage was trained with, such as a model of latent_classes; " +
					"without, all are of one class", Tables: []kind.TableUse{classTable}, Optional: true, Train: true}},
	}
	if m.opt.task == "pairs" {
		s.Scores = []kind.TableUse{template.Pairs}
	}
	return s
}

// Train reads the text twice: for training data, and to score all candidates. It keeps, for each pair, the best
// candidate with its features, about 300 bytes.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	top, err := m.readStage(ctx, t)
	if err != nil {
		return err
	}
	begun := time.Now()
	report := func(step int, note string) {
		t.Report(kind.Progress{Step: step, Of: 3, Objective: math.NaN(), HeldOut: math.NaN(),
			Seconds: time.Since(begun).Seconds(), Note: note})
	}
	good, bad, err := m.gather(ctx, t, top)
	if err != nil {
		return err
	}
	report(1, fmt.Sprintf("%d positive and %d negative examples", len(good), len(bad)))
	if err := m.learn(ctx, good, bad); err != nil {
		return err
	}
	report(2, text.Countf("%d support vectors, %d {feature|features}", m.pool.Len(), len(m.features)))
	n, err := m.rank(ctx, t, top)
	if err != nil {
		return err
	}
	report(3, text.Countf("%d {candidate|candidates}, %d {pair|pairs}", n, len(m.instances)))
	return ctx.Err()
}

// chunkTokens and shardTokens cut documents into parts that are read at once and by one goroutine.
const (
	chunkTokens = 400_000
	shardTokens = 20_000
)

// each reads all documents, shard by shard; take gets what read makes of the shards, in their order.
func each[T any](ctx context.Context, t *kind.Training, o tuples.ReaderOptions,
	read func(*tuples.Reader, *text.Document, *T),
	take func(*T)) error {
	var docs []*text.Document
	n := 0
	flush := func() error {
		var shards [][]*text.Document
		from, size := 0, 0
		for i, d := range docs {
			if size += tokensOf(d); size >= shardTokens || i == len(docs)-1 {
				shards = append(shards, docs[from:i+1])
				from, size = i+1, 0
			}
		}
		found := make([]*T, len(shards))
		err := parallel.Reduce(ctx, t.Workers, len(shards), func(_, i int) error {
			found[i] = new(T)
			r := tuples.NewReader(o)
			for _, d := range shards[i] {
				read(r, d, found[i])
			}
			return nil
		}, func(i int) {
			take(found[i])
			found[i] = nil
		})
		docs, n = docs[:0], 0
		return err
	}
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		docs = append(docs, d)
		if n += tokensOf(d); n >= chunkTokens {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	return ctx.Err()
}

func tokensOf(d *text.Document) int {
	if l := d.Layer(text.Tokens.Name); l != nil {
		return l.N + 1
	}
	return 1
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(8 * len(m.beta))
	if m.pool != nil {
		n += m.pool.Bytes()
	}
	for _, f := range m.features {
		n += 2*int64(len(f)) + 64
	}
	for i := range m.instances {
		n += int64(200 + 4*len(m.instances[i].features))
	}
	return n + int64(150*len(m.examples)) + m.generator.bytes()
}
