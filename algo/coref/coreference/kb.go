package coreference

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"parlance/algo/coref/kblink"
	"parlance/algo/coref/linking"
	"parlance/algo/coref/mention"
	"parlance/algo/engine/partition"
	"parlance/algo/kind"
	"parlance/algo/option"
)

// kbOptions are those of links to a knowledge base (Zheng et al. 2013).
type kbOptions struct {
	name, articles string
	mode           string
	features       []string
	candidates     int
	share          float64
	rollin         string
}

// The modes.
const (
	kbNone    = "none"
	kbStatic  = "static"
	kbDynamic = "dynamic"
)

// kbFeatures are the groups of features, the first of them that of the paper.
var kbFeatures = []string{"match", "entity", "type"}

func (o *options) declareKB(s *option.Set) {
	k := &o.kb
	s.Resource(&k.name, "kb", "", "knowledge base that clusters are linked to: the column link of mentions names the "+
		"entity that most names of the cluster may mean")
	s.Choice(&k.mode, "kb_mode", kbDynamic, []string{kbNone, kbStatic, kbDynamic}, "what the features of a link know of "+
		"the entity of the antecedent: nothing; what its own name means; what the names of its cluster so far mean "+
		"together")
	s.List(&k.features, "kb_features", kbFeatures, "features of the entity of an antecedent and a mention: match, the "+
		"mention is one of its names; entity, whether the mention by itself means it; type, its types, and whether the "+
		"head of the mention is one")
	s.Int(&k.candidates, "candidates", 10, 1, 1000, "entities that a name may mean at most")
	s.Float(&k.share, "kb_share", 0.01, 0, 1, "share of the counts of an alias below which it is no name of an entity; "+
		"for aliases with a column count")
	s.Choice(&k.rollin, "kb_rollin", "predicted", []string{"gold", "predicted"}, "clusters whose names are taken "+
		"together in training: those of the corpus, or those that the model makes while it learns; optimizer = cccp takes "+
		"those of the corpus")
	s.Corpus(&k.articles, "kb_articles", "", "corpus of articles whose ids are entities, which is searched for names "+
		"that no entity has as an alias")
	s.Except("kb_mode kb_features candidates kb_share kb_rollin kb_articles", "kb", "")
	s.Except("kb_features", "kb_mode", kbNone)
	s.Only("kb_rollin", "kb_mode", kbDynamic)
	s.Except("kb_rollin", "optimizer", "cccp")
	s.Except("kb_mode kb_features kb_rollin", "method", "sieve", "kb_linking")
	s.Check("kb_features", func() error {
		for _, f := range k.features {
			if !slices.Contains(kbFeatures, f) {
				return &kind.Unknown{What: "group of kb_features", Name: f, Known: kbFeatures}
			}
		}
		return nil
	})
	s.Check("kb_mode", o.checkKB)
}

// checkKB refuses methods that do not go from left to right by weights of pairs.
func (o *options) checkKB() error {
	switch {
	case o.decoder() == "kb_linking" && o.kb.name == "":
		return errors.New("option method: kb_linking wants a knowledge base, kb = name")
	case o.kbMode() != kbNone && (o.train == "slt" || o.train == "structured"):
		return fmt.Errorf("option kb_mode: train = %s learns no weights of a knowledge base; kb_mode = none links the "+
			"clusters afterwards", o.train)
	case o.kbMode() == kbDynamic && !o.leftToRight():
		return fmt.Errorf("option kb_mode: dynamic wants links from left to right, as method = best_link makes them; this "+
			"is %s", o.decoder())
	case o.merge && !o.leftToRight():
		return fmt.Errorf("option merge_features: it wants links from left to right, as method = best_link makes them; this "+
			"is %s", o.decoder())
	}
	return nil
}

// withoutScores tells whether the method does without weights.
func (o *options) withoutScores() bool { return o.decoder() == "sieve" || o.decoder() == "kb_linking" }

// leftToRight tells whether mentions are linked one after the other.
func (o *options) leftToRight() bool {
	return o.decoder() == "best_link" || o.decoder() == "closest_link"
}

// kbMode is the mode, none without a knowledge base and for methods without weights.
func (o *options) kbMode() string {
	if o.kb.name == "" || o.withoutScores() {
		return kbNone
	}
	return o.kb.mode
}

// weighsKB tells whether links have features of a knowledge base.
func (o *options) weighsKB() bool { return o.kbMode() != kbNone }

// kbBits is the size of the table of weights of these features, which stands behind the others.
const kbBits = 16

// kbBase is where it begins.
func (o *options) kbBase() int {
	if o.separate {
		return 2 << o.bits
	}
	return 1 << o.bits
}

// tableSize is the number of all weights.
func (o *options) tableSize() int {
	if o.kb.name != "" && o.kb.mode != kbNone { // whatever the method is
		return o.kbBase() + 1<<kbBits
	}
	return o.kbBase()
}

// goldClusters tells whether the clusters that training takes names together by do not change while it learns.
func (o *options) goldClusters() bool {
	return o.kbMode() == kbStatic || o.kb.rollin == "gold" || o.optimizer == "cccp"
}

// resourcesOfKB are what a knowledge base is read from.
func (o *options) resourcesOfKB() (out []kind.Resource) {
	if o.kb.name == "" {
		return nil
	}
	out = append(out, kind.Resource{Kind: "kb", Name: o.kb.name})
	if o.kb.articles != "" {
		out = append(out, kind.Resource{Kind: "corpus", Name: o.kb.articles})
	}
	return out
}

// newBase opens the knowledge base of the options, nil without one.
func (o *options) newBase(res kind.Resources) (*kblink.Base, error) {
	if o.kb.name == "" {
		return nil, nil
	}
	if res == nil {
		return nil, fmt.Errorf("option kb: knowledge base %s is not at hand", o.kb.name)
	}
	kb, err := res.KB(o.kb.name)
	if err != nil {
		return nil, fmt.Errorf("option kb: %w", err)
	}
	b := &kblink.Base{KB: kb, Size: o.kb.candidates, Share: o.kb.share}
	if o.kb.articles != "" {
		if b.Articles, err = res.Corpus(o.kb.articles); err != nil {
			return nil, fmt.Errorf("option kb_articles: %w", err)
		}
	}
	return b, nil
}

// meanings is what a knowledge base says of the mentions of a document.
type meanings struct {
	base    *kblink.Base
	initial []kblink.Candidates // by mention: of names, as they stand; nil of others
	folded  []string            // by mention: its words as names are compared, "" of pronouns
	class   []uint32            // by mention: hash of its class
}

// look looks the names of a document up. Pronouns and nominals have no candidates of their own.
func (d *document) look(ctx context.Context, b *kblink.Base) error {
	if b == nil {
		return nil
	}
	k := &meanings{base: b}
	for i := range d.mentions {
		if kind.Ended(ctx, i) {
			return ctx.Err()
		}
		m := &d.mentions[i]
		k.class = append(k.class, hashOf(m.Class()))
		var own kblink.Candidates
		folded := ""
		if m.Type != mention.Pronoun {
			folded = kblink.Fold(d.read.Text(m.Span))
		}
		if m.Type == mention.Name {
			var err error
			if own, err = b.Search(ctx, d.read.Text(m.Span)); err != nil {
				return err
			}
		}
		k.initial, k.folded = append(k.initial, own), append(k.folded, folded)
	}
	d.kb = k
	return ctx.Err()
}

// merged are the candidates of each cluster, by number.
func (k *meanings) merged(clusters []int32) []kblink.Candidates {
	var out []kblink.Candidates
	for i, c := range clusters {
		for int(c) >= len(out) {
			out = append(out, nil)
		}
		out[c] = kblink.Merge(out[c], k.initial[i])
	}
	return out
}

// entities are the entity of each mention: that of its cluster, or in static mode what its own name means.
func (d *document) entities(o *options, clusters []int32) []string {
	out := make([]string, len(clusters))
	static := o.kbMode() == kbStatic
	var of []kblink.Candidates
	if !static {
		of = d.kb.merged(clusters)
	}
	for i, c := range clusters {
		if static {
			out[i] = d.kb.initial[i].Top()
		} else {
			out[i] = of[c].Top()
		}
	}
	return out
}

// hashOf is a hash of a text.
func hashOf(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}

// walk goes through the mentions of a document from left to right and knows what the clusters so far mean.
type walk struct {
	d       *document
	static  bool
	groups  []string
	cluster []int32             // of the mentions so far: the first one of it; in static mode each is one of its own
	lists   []kblink.Candidates // by mention: of the cluster that it is the first one of
}

func (d *document) newWalk(o *options) *walk {
	return &walk{d: d, static: o.kbMode() == kbStatic, groups: o.kb.features}
}

// join adds the next mention, linked to an earlier one or to linking.None.
func (w *walk) join(antecedent int32) {
	i := len(w.cluster)
	own := w.d.kb.initial[i]
	w.lists = append(w.lists, own)
	if w.static || antecedent == linking.None {
		w.cluster = append(w.cluster, int32(i))
		return
	}
	c := w.cluster[antecedent]
	w.cluster = append(w.cluster, c)
	w.lists[c] = kblink.Merge(w.lists[c], own)
}

// upTo joins mentions by their antecedents until it has come to mention i.
func (w *walk) upTo(i int, antecedents []int32) {
	for len(w.cluster) < i {
		w.join(antecedents[len(w.cluster)])
	}
}

// entity is what an earlier mention means.
func (w *walk) entity(j int) string { return w.lists[w.cluster[j]].Top() }

// byCandidates links names that have a candidate in common, and nominals and verbs to the first cluster of these that
// has an entity which they are a name of. It is the baseline of the paper that does without a classifier.
func (d *document) byCandidates(ctx context.Context) (linking.Links, error) {
	n := len(d.mentions)
	var pairs [][2]int32
	of := map[string]int32{} // by entity: a name that may mean it
	var order []string
	for i, list := range d.kb.initial {
		for _, c := range list {
			j, ok := of[c.Entity]
			if !ok {
				of[c.Entity] = int32(i)
				order = append(order, c.Entity)
				continue
			}
			pairs = append(pairs, [2]int32{j, int32(i)})
		}
	}
	for i, words := range d.kb.folded {
		if i&63 == 0 && ctx.Err() != nil { // all entities of the document may be asked
			return linking.Links{}, ctx.Err()
		}
		if words == "" || len(d.kb.initial[i]) > 0 {
			continue
		}
		for _, e := range order {
			if d.kb.base.Entity(e).Names[words] {
				pairs = append(pairs, [2]int32{of[e], int32(i)})
				break
			}
		}
	}
	clusters, err := partition.Closure(ctx, n, pairs, nil)
	if err != nil {
		return linking.Links{}, err
	}
	return linking.Inside(ctx, d.table, clusters)
}

// cue is something that holds between an entity and a mention.
type cue struct {
	name string
	hash uint32
}

// cues are what holds between an entity and a mention i.
func (w *walk) cues(entity string, i int) (out []cue) {
	k, m := w.d.kb, &w.d.mentions[i]
	e := k.base.Entity(entity)
	add := func(name string) { out = append(out, cue{name, hashOf(name)}) }
	for _, g := range w.groups {
		switch g {
		case "match":
			if k.folded[i] != "" && e.Names[k.folded[i]] {
				add("match")
			}
		case "entity":
			switch own := k.initial[i]; {
			case m.Type != mention.Name:
			case len(own) == 0:
				add("entity = unknown")
			case own.Top() == entity:
				add("entity = same")
			case own.Has(entity):
				add("entity = possible")
			default:
				add("entity = other")
			}
		case "type":
			for _, t := range e.Types {
				add("type = " + t)
			}
			if m.Type == mention.Nominal && e.Nouns[w.d.read.Lower[m.Head]] {
				add("type is the head")
			}
		}
	}
	return out
}

// cells are the features of the links of a mention that a knowledge base has something to say of.
type cells struct {
	at     []int32 // candidates, from 0, rising
	begin  []int32 // where the features of each begin, and the end
	places []uint32
}

// of are the features of cell n.
func (c *cells) of(n int) []uint32 { return c.places[c.begin[n]:c.begin[n+1]] }

// find is the features of candidate k, nil where there are none.
func (c *cells) find(k int) []uint32 {
	if n, ok := slices.BinarySearch(c.at, int32(k)); ok {
		return c.of(n)
	}
	return nil
}

// conjunctions are how a cue is joined: alone, with the class of the mention, with both classes, with whether the heads
// are the same word.
const conjunctions = 4

// cells writes the features of the links of the next mention, i.
func (w *walk) cells(i int, c *cells) {
	c.at, c.begin, c.places = c.at[:0], append(c.begin[:0], 0), c.places[:0]
	first := w.d.table.First(i)
	known := map[int32][]cue{}
	for j := first; j < i; j++ {
		e := w.entity(j)
		if e == "" {
			continue
		}
		list, ok := known[w.cluster[j]]
		if !ok {
			list = w.cues(e, i)
			known[w.cluster[j]] = list
		}
		if len(list) == 0 {
			continue
		}
		for _, x := range list {
			for n := range conjunctions {
				c.places = append(c.places, w.place(x, n, j, i))
			}
		}
		c.at, c.begin = append(c.at, int32(j-first)), append(c.begin, int32(len(c.places)))
	}
}

// place is where the weight of a cue in a conjunction stands.
func (w *walk) place(x cue, n, j, i int) uint32 {
	k := w.d.kb
	h := mix(x.hash, uint32(n))
	switch n {
	case 1:
		h = mix(h, k.class[i])
	case 2:
		h = mix(mix(h, k.class[i]), k.class[j])
	case 3:
		if w.sameHead(j, i) {
			h = mix(h, 1)
		}
	}
	return max(1, h>>(32-kbBits)) // the weight at 0 stands for nothing
}

// named is what a place stands for.
func (w *walk) named(x cue, n, j, i int) string {
	a, b := w.d.mentions[j].Class(), w.d.mentions[i].Class()
	return [...]string{
		"kb: " + x.name,
		"kb: " + x.name + " & m.class = " + b,
		"kb: " + x.name + " & n.class & m.class = " + a + " " + b,
		fmt.Sprintf("kb: %s & same head = %t", x.name, w.sameHead(j, i)),
	}[n]
}

func (w *walk) sameHead(j, i int) bool {
	d := w.d
	return d.read.Lower[d.mentions[j].Head] == d.read.Lower[d.mentions[i].Head]
}

// mix adds a number to a hash.
func mix(h, v uint32) uint32 {
	h ^= v + 0x9e3779b9 + h<<6 + h>>2
	h *= 0x85ebca6b
	return h ^ h>>15
}

// sumsOf adds the weights of the cells to scores of candidates.
func (c *cells) sumsOf(weights []float32, row []float64) {
	for n, k := range c.at {
		sum := float32(0)
		for _, p := range c.of(n) {
			sum += weights[p]
		}
		row[k] += float64(sum)
	}
}

// weighStatic adds what a knowledge base says of all pairs to their scores, without regard to clusters.
func (d *document) weighStatic(ctx context.Context, o *options, weights []float32) error {
	w := d.newWalk(o)
	var c cells
	for i := range d.mentions {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.cells(i, &c)
		c.sumsOf(weights, d.table.Row(i))
		w.join(linking.None)
	}
	return nil
}

// weighing adds what clusters so far mean to the scores of a mention before it is linked.
func (d *document) weighing(o *options, weights []float32) func(i int, antecedents []int32) {
	w := d.newWalk(o)
	var c cells
	return func(i int, antecedents []int32) {
		w.upTo(i, antecedents)
		w.cells(i, &c)
		c.sumsOf(weights, d.table.Row(i))
	}
}
