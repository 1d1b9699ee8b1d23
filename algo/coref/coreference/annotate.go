package coreference

import (
	"context"
	"strconv"

	"parlance/algo/coref/kblink"
	"parlance/algo/coref/linking"
	"parlance/algo/coref/mention"
	"parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Annotate groups the mentions of documents.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s, err := m.newScorer(run.Resources)
	if err != nil {
		return err
	}
	for _, d := range docs {
		x, links, err := m.resolve(ctx, s, d)
		if err != nil {
			return err
		}
		if m.write(ctx, d, x, links, run); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// resolve links the mentions of a document: its own, or those that the detector finds.
func (m *model) resolve(ctx context.Context, s *scorer, d *text.Document) (*document, linking.Links, error) {
	x, err := m.scored(ctx, s, d)
	if err != nil {
		return nil, linking.Links{}, err
	}
	links, err := m.decode(ctx, x)
	return x, links, err
}

// scored is a document with its mentions, or those that the detector finds, and the scores of their pairs.
func (m *model) scored(ctx context.Context, s *scorer, d *text.Document) (*document, error) {
	if s.detector != nil {
		var err error
		if d, err = s.detector.find(ctx, d); err != nil {
			return nil, err
		}
	}
	x, err := newDocument(ctx, d, mention.Lexicons{}, m.opt.limit, m.opt.separate)
	if err != nil {
		return nil, err
	}
	if err := x.look(ctx, s.base); err != nil {
		return nil, err
	}
	if m.opt.withoutScores() {
		return x, ctx.Err()
	}
	if err := s.score(ctx, x); err != nil {
		return nil, err
	}
	if m.opt.merge {
		x.vectors = &vectors{}
		if err := x.vectors.read(ctx, x, s.readers, s.t.bits); err != nil {
			return nil, err
		}
	}
	if m.opt.kbMode() == kbStatic {
		if err := x.weighStatic(ctx, &m.opt, m.trained.weights[m.opt.kbBase():]); err != nil {
			return nil, err
		}
	}
	for i := range x.mentions {
		if kind.Ended(ctx, i) {
			return nil, ctx.Err()
		}
		if t := m.thresholdOption(x, i); t != 0 {
			for k := range x.table.Row(i) {
				x.table.Row(i)[k] += t
			}
		}
	}
	return x, nil
}

// thresholdOption is what the options add to the scores of the links of a mention.
func (m *model) thresholdOption(d *document, i int) float64 {
	if d.pronoun(i) {
		return m.opt.pronoun
	}
	return m.opt.threshold
}

// scorer scores the pairs of documents. It serves one goroutine.
type scorer struct {
	t        *trained
	readers  [2]*reader
	detector *detector    // nil where the documents have the mentions
	base     *kblink.Base // nil without a knowledge base

	resources kind.Resources
	names     [2]*place.Extractor // of explanations
	bound     [2]*document
	walk      *walk // through the document, of explanations with a knowledge base
}

func (m *model) newScorer(res kind.Resources) (*scorer, error) {
	s := &scorer{t: m.trained, resources: res}
	var err error
	if s.readers, err = newReaders(m.trained.features, res); err != nil {
		return nil, err
	}
	if s.detector, err = m.newDetector(res); err != nil {
		return nil, err
	}
	s.base, err = m.opt.newBase(res)
	return s, err
}

// score writes the scores of all pairs of a document, with the thresholds, to its table.
func (s *scorer) score(ctx context.Context, d *document) error {
	if err := bind(ctx, s.readers, d); err != nil {
		return err
	}
	var others [2][]float64 // scores of antecedents, by part
	var sums [width]float32
	for i, m := range d.mentions {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := d.part(i)
		r, w := s.readers[part], s.t.part(part)
		own := s.sum(r.pairs.Second(i), w) + s.t.thresholds[thresholdOf(m.Type)]
		for j := len(others[part]); j < i; j++ {
			others[part] = append(others[part], s.sum(r.pairs.First(j), w))
		}
		row, first := d.table.Row(i), d.table.First(i)
		for from := 0; from < len(row); from += width {
			size := min(width, len(row)-from)
			if r.both > 0 {
				block, err := r.pairs.Block(i, first+from, first+from+size)
				if err != nil {
					return err
				}
				s.block(block, w, sums[:size])
			}
			for k, v := range sums[:size] {
				row[from+k] = own + others[part][first+from+k] + float64(v)
			}
		}
	}
	return nil
}

// part is the weights of a part.
func (t *trained) part(k int) []float32 { return t.weights[k<<t.bits : (k+1)<<t.bits] }

// sum is the sum of the weights of features.
func (s *scorer) sum(hashes []uint32, w []float32) float64 {
	sum, shift := float32(0), 32-s.t.bits
	for _, h := range hashes {
		sum += w[h>>shift]
	}
	return float64(sum)
}

// block adds the weights of the features of a block up, template by template.
func (s *scorer) block(hashes []uint32, w []float32, sums []float32) {
	clear(sums)
	shift := 32 - s.t.bits
	for n := len(sums); len(hashes) >= n && n > 0; hashes = hashes[n:] {
		for k, h := range hashes[:n] {
			sums[k] += w[h>>shift]
		}
	}
}

// thresholdOf numbers the types that have thresholds of their own.
func thresholdOf(t mention.Type) int {
	switch t {
	case mention.Name:
		return 0
	case mention.Pronoun:
		return 2
	}
	return 1
}

// allLinkNodes bounds the search of all_link in each component.
const allLinkNodes = 100_000

// decode makes clusters of the scores in the table of a document.
func (m *model) decode(ctx context.Context, d *document) (linking.Links, error) {
	switch m.opt.decoder() {
	case "sieve":
		return sieve(ctx, d)
	case "kb_linking":
		return d.byCandidates(ctx)
	}
	rules, err := m.constraintsOf(ctx, d)
	if err != nil {
		return linking.Links{}, err
	}
	var all linking.AllClusters
	switch m.opt.decoder() {
	case "all_link":
		all, err = linking.AllLink(ctx, d.table, linking.AllOptions{Drop: linking.Drop(m.opt.drop), Exact: m.opt.exact,
			Nodes: allLinkNodes, Rules: rules})
	case "spanning_forest":
		all.Clusters, _, err = linking.SpanningForest(ctx, d.table, rules)
	case "closure":
		all.Clusters, err = linking.Closed(ctx, d.table, 0)
	case "ilp":
		if len(d.mentions) > m.opt.exact {
			return linking.Link(ctx, d.table, linking.Options{Rules: rules})
		}
		all, err = linking.Exact(ctx, d.table,
			linking.ExactOptions{Rules: rules, Relaxed: m.opt.relaxed, Nodes: allLinkNodes})
	default:
		o := linking.Options{Temperature: m.opt.temperatureOf(), Rules: rules, Nearest: m.opt.decoder() == "closest_link"}
		o.Before = m.before(d)
		return linking.Link(ctx, d.table, o)
	}
	if err != nil {
		return linking.Links{}, err
	}
	return linking.Inside(ctx, d.table, all.Clusters)
}

// before is what changes the scores of a mention by the links before it, nil where nothing does.
func (m *model) before(d *document) func(i int, antecedents []int32) {
	var list []func(i int, antecedents []int32)
	if d.vectors != nil {
		list = append(list, m.trained.merging(d))
	}
	if m.opt.kbMode() == kbDynamic {
		list = append(list, d.weighing(&m.opt, m.trained.weights[m.opt.kbBase():]))
	}
	if len(list) == 0 {
		return nil
	}
	return func(i int, antecedents []int32) {
		for _, f := range list {
			f(i, antecedents)
		}
	}
}

// placeColumns say where a mention stands.
var placeColumns = []string{"sent", "char_start", "char_end", "tok_start", "tok_end"}

// write sets the layers of the answer, as far as the context lets it.
func (m *model) write(ctx context.Context, doc *text.Document, d *document, links linking.Links, run *kind.Run) {
	size := make([]int, len(d.mentions))
	for _, c := range links.Clusters {
		size[c]++
	}
	keep := m.opt.singletons == "keep" || m.opt.singletons == "auto" && m.trained.singletons
	number := make([]int32, len(d.mentions)) // of mentions in the answer, from 1
	var rows []int
	for i := range d.mentions {
		if keep || size[links.Clusters[i]] > 1 {
			rows = append(rows, i)
			number[i] = int32(len(rows))
		}
	}
	if run.Wants(text.Mentions.Name) {
		doc.SetLayer(m.mentionsLayer(d, links, rows, run.Prob))
	}
	if run.Wants(linksLayer.Name) {
		l := text.NewLayer(linksLayer)
		for i, a := range links.Antecedents {
			if a != linking.None {
				l.Cols[0].Ints = append(l.Cols[0].Ints, number[i])
				l.Cols[1].Ints = append(l.Cols[1].Ints, number[a])
				l.Cols[2].Floats = append(l.Cols[2].Floats, links.Scores[i])
				l.N++
			}
		}
		doc.SetLayer(l)
	}
	if run.Wants(candidatesLayer.Name) {
		doc.SetLayer(candidates(ctx, d))
	}
}

// candidates is the pairs with scores above 0, by mentions of the document.
func candidates(ctx context.Context, d *document) *text.Layer {
	l := text.NewLayer(candidatesLayer)
	for i := range d.mentions {
		if i&15 == 0 && ctx.Err() != nil {
			break
		}
		for k, w := range d.table.Row(i) {
			if w > 0 {
				l.Cols[0].Ints = append(l.Cols[0].Ints, int32(i+1))
				l.Cols[1].Ints = append(l.Cols[1].Ints, int32(d.table.First(i)+k+1))
				l.Cols[2].Floats = append(l.Cols[2].Floats, w)
				l.N++
			}
		}
	}
	return l
}

func (m *model) mentionsLayer(d *document, links linking.Links, rows []int, prob bool) *text.Layer {
	old := d.text.Layer(text.Mentions.Name)
	l := text.NewLayer(text.Mentions)
	l.N = len(rows)
	names, next := map[int32]string{}, 0
	var mentions []int32
	var clusters []string
	for k, i := range rows {
		c := links.Clusters[i]
		if names[c] == "" {
			next++
			names[c] = strconv.Itoa(next)
		}
		mentions, clusters = append(mentions, int32(k+1)), append(clusters, names[c])
		if prob && links.Prob != nil {
			l.Prob = append(l.Prob, links.Prob[i])
		}
	}
	l.SetInts("mention", mentions)
	l.SetStrs("cluster", clusters)
	if d.kb != nil {
		entities := d.entities(&m.opt, links.Clusters)
		var out []string
		for _, i := range rows {
			out = append(out, entities[i])
		}
		l.SetStrs("link", out)
	}
	if old == nil {
		return l
	}
	for _, name := range placeColumns {
		if from := old.Ints(name); from != nil {
			var out []int32
			for _, i := range rows {
				out = append(out, from[d.mentions[i].Row])
			}
			l.SetInts(name, out)
		}
	}
	from, kinds := old.Strs("kind"), make([]string, len(rows))
	for k, i := range rows {
		if from != nil {
			kinds[k] = from[d.mentions[i].Row]
		}
		if kinds[k] == "" {
			kinds[k] = d.mentions[i].Type.String()
		}
	}
	l.SetStrs("kind", kinds)
	return l
}
