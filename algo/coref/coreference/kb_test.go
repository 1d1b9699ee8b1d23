package coreference

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/coref/kblink"
	"parlance/algo/coref/linking"
	"parlance/algo/coref/mention"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
)

// world is a knowledge base in memory: aliases as alias, entity, weight; types by entity.
type world struct {
	kind.KB
	named   map[string][]kind.Candidate
	aliases map[string][]string
	types   map[string][]string
}

func newWorld() *world {
	return &world{named: map[string][]kind.Candidate{}, aliases: map[string][]string{}, types: map[string][]string{}}
}

func (w *world) Candidates(alias string) []kind.Candidate { return w.named[alias] }
func (w *world) Aliases(e string) []string                { return w.aliases[e] }
func (w *world) Types(e string) []string                  { return w.types[e] }

func (w *world) add(alias, entity string, weight float64) *world {
	w.named[alias] = append(w.named[alias], kind.Candidate{Entity: entity, Count: math.NaN(), Weight: weight})
	w.aliases[entity] = append(w.aliases[entity], alias)
	return w
}

func resources(w kind.KB) kindtest.Resources {
	return kindtest.Resources{KBs: map[string]kind.KB{"wiki": w}}
}

// washington is the knowledge base of figure 2 of the paper.
func washington() *world {
	return newWorld().add("Washington", "DC", 10).add("Washington", "WS", 8).add("Wash", "CarWash", 9).
		add("Wash", "TheWash", 7).add("Wash", "WS", 3).add("Washington State", "WS", 12)
}

// figure2 is its document, its scores without a knowledge base, and a model in which a name of the entity weighs 2.
func figure2(t *testing.T, opts ...any) (*model, *document) {
	t.Helper()
	m := fresh(t, opts...)
	m.trained = &trained{bits: 12, weights: make([]float32, m.opt.tableSize())}
	d := parsed("d", "by [1 Washington ] .", "[1 Wash ] saw [1 Washington State ] .")
	x := documentOf(d, 0)
	b, err := m.opt.newBase(resources(washington()))
	if err != nil {
		t.Fatal(err)
	}
	if err := x.look(background, b); err != nil {
		t.Fatal(err)
	}
	if m.opt.weighsKB() {
		w := x.newWalk(&m.opt)
		m.trained.weights[m.opt.kbBase()+int(w.place(cue{"match", hashOf("match")}, 0, 0, 1))] = 2
	}
	copy(x.table.Score, []float64{.7, -.5, -.5})
	if m.opt.kbMode() == kbStatic {
		_ = x.weighStatic(context.Background(), &m.opt, m.trained.weights[m.opt.kbBase():])
	}
	return m, x
}

func TestWorkedTrace(t *testing.T) {
	for _, c := range []struct {
		mode     string
		clusters []int32
		entities string
	}{
		{"none", []int32{0, 0, 1}, "WS WS WS"},
		{"static", []int32{0, 0, 1}, "DC CarWash WS"},
		{"dynamic", []int32{0, 0, 0}, "WS WS WS"},
	} {
		for _, temperature := range []float64{0, .01} {
			m, x := figure2(t, "kb", "wiki", "kb_mode", c.mode, "link_temperature", temperature)
			links, err := m.decode(background, x)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(links.Clusters, c.clusters) {
				t.Errorf("%s: clusters %v, want %v", c.mode, links.Clusters, c.clusters)
			}
			if c.mode == "dynamic" && math.Abs(links.Scores[2]-1.5) > 1e-6 {
				t.Errorf("the last link scores %v, want 1.5", links.Scores[2])
			}
			if got := strings.Join(x.entities(&m.opt, links.Clusters), " "); got != c.entities {
				t.Errorf("%s: entities %s, want %s", c.mode, got, c.entities)
			}
		}
	}
	m, x := figure2(t, "link_temperature", 0)
	links, err := m.decode(background, x)
	if err != nil || !slices.Equal(links.Clusters, []int32{0, 0, 1}) || x.kb != nil {
		t.Errorf("without a knowledge base: %v %v", links.Clusters, err)
	}
}

// cities is documents about two places each. Two names of a place have a word in common and mostly mean something else;
// two others have no word in common and mean the place alone.
func cities(n, long int, seed uint64) (*world, []*text.Document) {
	w, r := newWorld(), rand.New(rand.NewPCG(seed, 5))
	words := []string{"Ash", "Bay", "Cove", "Dale"}
	names := map[int][]string{}
	for k, word := range words {
		place := word + "_(town)"
		w.types[place] = []string{"town"}
		for _, a := range []string{"North " + word, "South " + word} {
			w.add(a, a+" thing", 9)
			w.add(a, place, 3)
			names[k] = append(names[k], a)
		}
		for _, a := range []string{"Old" + word, "Great" + word} {
			w.add(a, place, 1)
			names[k] = append(names[k], a)
		}
	}
	docs := make([]*text.Document, n)
	for i := range docs {
		a := r.IntN(len(words))
		b := (a + 1 + r.IntN(3)) % len(words)
		var lines []string
		for range long {
			x, y, nx, ny := a, b, 1, 2
			if r.IntN(2) == 0 {
				x, y, nx, ny = b, a, 2, 1
			}
			lines = append(lines, fmt.Sprintf("[%d %s ] saw [%d %s ] by [0 the house ] .", nx, names[x][r.IntN(4)], ny,
				names[y][r.IntN(4)]))
		}
		docs[i] = parsed(fmt.Sprint("c", i), lines...)
	}
	return w, docs
}

// plainSet has no words, so that names are told apart by a knowledge base alone.
const plainSet = "over (n mention, m mention)\nbias, m.type, n.type, share(n.names, m.names), equals(n.bare, m.bare)"

func TestAmbiguousNames(t *testing.T) {
	gap := 0.0
	for _, long := range []int{3, 8} {
		w, docs := cities(24, long, uint64(long))
		right := map[string]float64{}
		var mostly [2]float64 // links to the right place: before and after clusters
		for _, mode := range []string{"none", "static", "dynamic"} {
			tr := trainingOn(docs[:16])
			tr.Resources = resources(w)
			m := fresh(t, "features", plainSet, "kb", "wiki", "kb_mode", mode, "passes", 8)
			if err := m.Train(background, tr); err != nil {
				t.Fatal(err)
			}
			for _, d := range docs[16:] {
				v := *d
				if err := m.Annotate(background, []*text.Document{&v}, &kind.Run{Resources: resources(w)}); err != nil {
					t.Fatal(err)
				}
				right[mode] += pairsRight(d, &v)
				places := 0.0
				l := v.Layer(text.Mentions.Name)
				for i, e := range l.Strs("link") {
					own := v.Text[l.Ints("char_start")[i]:l.Ints("char_end")[i]]
					if word, found := strings.CutSuffix(e, "_(town)"); found && strings.HasSuffix(own, word) {
						places++
					}
				}
				switch mode {
				case "static":
					mostly[0] += places
				case "dynamic":
					mostly[1] += places
				}
			}
		}
		t.Logf("%d sentences: pairs right %v, links right before and after %v", long, right, mostly)
		if right["dynamic"] < right["static"] || right["static"] <= right["none"] {
			t.Errorf("%d sentences: pairs that are right: %v", long, right)
		}
		if now := right["dynamic"] - right["static"]; long > 3 && now <= gap {
			t.Errorf("%d sentences: what clusters gain is %v, of shorter documents %v", long, now, gap)
		} else {
			gap = now
		}
		if mostly[1] <= mostly[0] {
			t.Errorf("%d sentences: links that are right: %v", long, mostly)
		}
	}
}

// pairsRight is the share of pairs of mentions that an answer, with singletons, decides as gold does.
func pairsRight(gold, answer *text.Document) float64 {
	a, b := gold.Layer(text.Mentions.Name), answer.Layer(text.Mentions.Name)
	of := map[[2]int32]string{}
	for i := range b.N {
		of[[2]int32{b.Ints("char_start")[i], b.Ints("char_end")[i]}] = b.Strs("cluster")[i]
	}
	sure, all := 0.0, 0.0
	for i := range a.N {
		for j := range i {
			x, y := a.Strs("cluster")[i], a.Strs("cluster")[j]
			if x == "" || y == "" {
				continue
			}
			p := of[[2]int32{a.Ints("char_start")[i], a.Ints("char_end")[i]}]
			q := of[[2]int32{a.Ints("char_start")[j], a.Ints("char_end")[j]}]
			all++
			if (x == y) == (p == q && p != "") {
				sure++
			}
		}
	}
	return sure / all
}

func TestEmptyKnowledgeBaseChangesNothing(t *testing.T) {
	docs := sample(8)
	plain := train(t, docs)
	for _, mode := range []string{"none", "static", "dynamic"} {
		for _, rollin := range []string{"gold", "predicted"} {
			opts := []any{"kb", "wiki", "kb_mode", mode}
			if mode == "dynamic" {
				opts = append(opts, "kb_rollin", rollin)
			}
			m, tr := fresh(t, opts...), trainingOn(docs)
			tr.Resources = resources(newWorld())
			if err := m.Train(background, tr); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(m.trained.weights[:1<<12], plain.trained.weights) {
				t.Errorf("%s: other weights than without a knowledge base", mode)
			}
			for _, w := range m.trained.weights[1<<12:] {
				if w != 0 {
					t.Fatalf("%s: weights of nothing", mode)
				}
			}
			v := *docs[0]
			if err := m.Annotate(background, []*text.Document{&v}, &kind.Run{Resources: resources(newWorld())}); err != nil {
				t.Fatal(err)
			}
			if l := v.Layer(text.Mentions.Name); slices.ContainsFunc(l.Strs("link"), func(s string) bool { return s != "" }) {
				t.Errorf("%s: links to nothing: %v", mode, l.Strs("link"))
			}
		}
	}
}

// TestStaticIsDynamicForOneMeaning compares the features of names that mean one entity each, all different.
func TestStaticIsDynamicForOneMeaning(t *testing.T) {
	w := newWorld().add("Ann", "A", 1).add("Bob", "B", 1)
	w.types["A"], w.types["B"] = []string{"woman"}, []string{"man"}
	d := parsed("d", "[1 Ann ] saw [2 Bob ] .", "[1 Ann ] saw [2 Bob ] by [3 the man ] .",
		"[2 he ] saw [1 Ann ] .")
	of := func(mode string) [][]uint32 {
		m := fresh(t, "kb", "wiki", "kb_mode", mode)
		x := documentOf(d, 0)
		x.learn()
		b, _ := m.opt.newBase(resources(w))
		if err := x.look(background, b); err != nil {
			t.Fatal(err)
		}
		walk, last := x.newWalk(&m.opt), map[int32]int32{}
		var out [][]uint32
		for i, c := range x.gold {
			var cells cells
			walk.cells(i, &cells)
			for j := range i {
				if x.mentions[j].Type == mention.Name {
					out = append(out, slices.Clone(cells.find(j)))
				} else if f := cells.find(j); (f != nil) != (mode == "dynamic" && walk.entity(j) != "") {
					t.Errorf("%s: mention %d has features by its antecedent %d: %v", mode, i, j, f)
				}
			}
			a, ok := last[c]
			if !ok {
				a = linking.None
			}
			walk.join(a)
			last[c] = int32(i)
		}
		return out
	}
	a, b := of("static"), of("dynamic")
	if len(a) < 10 || !slices.EqualFunc(a, b, slices.Equal) {
		t.Errorf("%d and %d pairs differ: %v %v", len(a), len(b), a, b)
	}
	if !slices.ContainsFunc(a, func(p []uint32) bool { return len(p) == 3*conjunctions }) {
		t.Errorf("no pair has three features and their conjunctions: %v", a)
	}
}

// TestGradientOfTheKnowledgeBase compares derivatives by these weights with differences.
func TestGradientOfTheKnowledgeBase(t *testing.T) {
	w, docs := cities(3, 3, 1)
	for mode, rollin := range map[string][]any{"static": nil, "dynamic": {"kb_rollin", "gold"}} {
		tr := trainingOn(docs)
		tr.Resources = resources(w)
		l, err := newLearner(background,
			fresh(t, append([]any{"kb", "wiki", "kb_mode", mode, "train", "pl3m"}, rollin...)...), tr)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 1))
		for i := 1; i < len(l.weights.V); i++ {
			l.weights.V[i] = float32(.3 * r.NormFloat64())
		}
		before := slices.Clone(l.weights.V)
		base := l.opt.kbBase()
		// One step of rate 1 for all mentions of a document under fixed weights is the negative gradient.
		grad := make([]float64, 1<<kbBits)
		l.opt.rate, l.opt.decay, l.opt.averaged = 1, 0, false
		l.weights.U = nil
		for k, d := range l.docs {
			v, err := l.vectorsOf(background, k, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			l.begin(k)
			for i := range d.mentions {
				copy(l.weights.V, before)
				l.rank(d, v, i, nil)
				for p := range grad {
					grad[p] -= float64(l.weights.V[base+p] - before[base+p])
				}
			}
		}
		copy(l.weights.V, before)
		n := 0.0
		for _, d := range l.docs {
			n += float64(len(d.mentions))
		}
		checked := 0
		for p, g := range grad {
			if g == 0 {
				continue
			}
			at := func(h float32) float64 {
				l.weights.V[base+p] = before[base+p] + h
				v, err := l.objective(background, nil)
				if err != nil {
					t.Fatal(err)
				}
				l.weights.V[base+p] = before[base+p]
				return v * n
			}
			near(t, fmt.Sprintf("%s, place %d", mode, p), (at(1e-2)-at(-1e-2))/2e-2, g)
			if checked++; checked == 20 {
				break
			}
		}
		if checked < 10 {
			t.Errorf("%s: %d weights have derivatives", mode, checked)
		}
	}
}

func TestExplanationsWithAKnowledgeBase(t *testing.T) {
	w, docs := cities(12, 4, 2)
	w.types["Ash_(town)"] = append(w.types["Ash_(town)"], "house")
	for _, opts := range [][]any{{"kb_mode", "static"}, {"kb_mode", "dynamic", "kb_rollin", "gold"},
		{"kb_mode", "dynamic", "train", "pairs"}} {
		m, tr := fresh(t, append(opts, "kb", "wiki")...), trainingOn(docs)
		tr.Resources = resources(w)
		if err := m.Train(background, tr); err != nil {
			t.Fatal(err)
		}
		m.opt.linkTemperature = 0
		v := *docs[0]
		e, err := m.Explain(background, []*text.Document{&v}, kind.At{}, &kind.Run{Resources: resources(w)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := m.newScorer(resources(w))
		if err != nil {
			t.Fatal(err)
		}
		x, links, err := m.resolve(background, s, docs[0])
		if err != nil {
			t.Fatal(err)
		}
		said, named := false, false
		for i, d := range e.Decisions {
			scores := append([]float64{0}, x.table.Row(i)...)
			slices.Sort(scores)
			slices.Reverse(scores)
			if links.Antecedents[i] != linking.None && math.Abs(d.Margin-(scores[0]-scores[1])) > 1e-4*(1+scores[0]) {
				t.Errorf("%v: mention %d: margin %v, scores %v", opts, i, d.Margin, scores)
			}
			named = named || strings.Contains(d.Outcome, " = ")
			for _, c := range d.Contributions {
				said = said || strings.HasPrefix(c.Feature, "kb: ")
			}
		}
		if !said || !named {
			t.Errorf("%v: the knowledge base is not explained: %v", opts, e.Decisions)
		}
	}
}

func TestKnowledgeBaseAndMethods(t *testing.T) {
	for _, c := range []struct {
		says string
		opts []any
	}{
		{"kb_mode", []any{"kb", "wiki", "train", "slt"}},
		{"kb_mode", []any{"kb", "wiki", "method", "all_link"}},
		{"kb_mode", []any{"kb", "wiki", "kb_mode", "static", "method", "sieve"}},
		{"kb = name", []any{"method", "kb_linking"}},
		{"merge_features", []any{"merge_features", true, "method", "closure"}},
		{"prune", []any{"prune", 3}},
		{"without kb", []any{"kb_mode", "static"}},
		{"match", []any{"kb", "wiki", "kb_features", "mtach"}},
		{"", []any{"kb", "wiki", "train", "slt", "kb_mode", "none"}},
		{"", []any{"kb", "wiki", "method", "sieve"}},
		{"", []any{"kb", "wiki", "method", "kb_linking"}},
		{"", []any{"kb", "wiki", "method", "closest_link", "merge_features", true}},
		{"", []any{"kb", "wiki", "method", "all_link", "kb_mode", "static"}},
	} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		var args []option.Arg
		for i := 0; i < len(c.opts); i += 2 {
			args = append(args, kindtest.Arg(c.opts[i].(string), c.opts[i+1]))
		}
		err := s.Apply(args)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v, want %q", c.opts, err, c.says)
		}
	}
}

// broken is a corpus that cannot be searched.
type broken struct{}

func (broken) Search(context.Context, string, int, ...string) ([]kind.Hit, error) {
	return nil, errors.New("the disk is gone")
}

func TestKnowledgeBaseIsMissing(t *testing.T) {
	docs := sample(6)
	m := fresh(t, "kb", "wiki")
	for _, res := range []kind.Resources{nil, kindtest.Resources{}} {
		tr := trainingOn(docs)
		tr.Resources = res
		if err := m.Train(background, tr); err == nil || !strings.Contains(err.Error(), "wiki") {
			t.Errorf("nobody misses the knowledge base: %v", err)
		}
	}
	m = fresh(t, "kb", "wiki", "kb_articles", "pages")
	tr, res := trainingOn(docs), resources(newWorld())
	tr.Resources = res
	if err := m.Train(background, tr); err == nil || !strings.Contains(err.Error(), "pages") {
		t.Errorf("nobody misses the articles: %v", err)
	}
	res.Corpora = map[string]kind.Corpus{"pages": broken{}}
	tr.Resources = res
	if err := m.Train(background, tr); err == nil || !strings.Contains(err.Error(), "disk") {
		t.Errorf("nobody hears of the disk: %v", err)
	}
	tr.Resources = resources(newWorld())
	from := train(t, docs)
	tr.Init = from
	if err := fresh(t, "kb", "wiki").Train(background, tr); err == nil || !strings.Contains(err.Error(), "init") {
		t.Errorf("a model without a knowledge base is the beginning: %v", err)
	}
}

// TestOtherMentionsHaveNoCandidates looks that pronouns and nominals are not looked up, capitals or not.
func TestOtherMentionsHaveNoCandidates(t *testing.T) {
	w := newWorld().add("he", "He (band)", 1).add("the man", "The Man (film)", 1).add("Ann", "A", 1)
	x := documentOf(parsed("d", "[1 Ann ] saw [2 the man ] by [2 he ] ."), 0)
	if err := x.look(background, &kblink.Base{KB: w, Size: 5}); err != nil {
		t.Fatal(err)
	}
	for i, c := range x.kb.initial {
		if (c != nil) != (x.mentions[i].Type == mention.Name) {
			t.Errorf("mention %d has the candidates %v", i, c)
		}
	}
	if x.kb.folded[1] != "man" || x.kb.folded[2] != "" {
		t.Errorf("words %q", x.kb.folded)
	}
}

// TestCues is what holds between the entity of an antecedent and a mention.
func TestCues(t *testing.T) {
	w := washington().add("Boston", "Boston", 1)
	w.types["WS"] = []string{"American state", "place"}
	d := parsed("d", "[1 Washington ] saw [1 Wash ] .", "[2 Boston ] saw [1 the state ] .", "[3 Ohio ] saw [1 it ] .",
		"[1 Washington State ] saw [4 the house ] .")
	x := documentOf(d, 0)
	if err := x.look(background, &kblink.Base{KB: w, Size: 5}); err != nil {
		t.Fatal(err)
	}
	all := &walk{d: x, groups: kbFeatures}
	types := " type = American state type = place"
	for i, want := range []string{"match entity = possible" + types, "match entity = possible" + types,
		"entity = other" + types, types[1:] + " type is the head",
		"entity = unknown" + types, types[1:], "match entity = same" + types, types[1:]} {
		var got []string
		for _, c := range all.cues("WS", i) {
			got = append(got, c.name)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", x.words(i), s, want)
		}
	}
	if got := (&walk{d: x, groups: []string{"type"}}).cues("Boston", 2); got != nil {
		t.Errorf("an entity without a type: %v", got)
	}
}

// TestPredictedClusters looks that training takes the names of those clusters together that the weights make.
func TestPredictedClusters(t *testing.T) {
	w, docs := cities(1, 6, 4)
	for _, train := range []string{"pl3m", "pairs"} {
		tr := trainingOn(docs)
		tr.Resources = resources(w)
		l, err := newLearner(background, fresh(t, "kb", "wiki", "kb_rollin", "predicted", "train", train), tr)
		if err != nil {
			t.Fatal(err)
		}
		d, v := l.docs[0], l.read(t, 0)
		r := rand.New(rand.NewPCG(1, 1))
		for i := 1; i < 1<<12; i++ {
			l.weights.V[i] = float32(r.NormFloat64() - .1)
		}
		linked, alone := 0, 0
		l.begin(0)
		for i := range d.mentions {
			want, high := int32(linking.None), 0.0
			for j, s := range l.score(d, v, i) {
				if s > 0 && s >= high {
					want, high = int32(j), s
				}
			}
			l.nextKB(d, v, i)
			if want == linking.None {
				want = int32(i)
				alone++
			} else {
				want = l.kb.walk.cluster[want]
				linked++
			}
			if got := l.kb.walk.cluster[i]; got != want {
				t.Errorf("%s: mention %d is in the cluster of %d, not %d", train, i, got, want)
			}
		}
		if linked == 0 || alone < 2 {
			t.Errorf("%s: %d mentions are linked, %d are not", train, linked, alone)
		}
	}
}

// TestTunedWithAKnowledgeBase looks that what a knowledge base adds while mentions are linked is not kept in the scores
// that thresholds are tried on.
func TestTunedWithAKnowledgeBase(t *testing.T) {
	w, docs := cities(12, 4, 7)
	m, tr := fresh(t, "kb", "wiki", "merge_features", true), trainingOn(docs[:8])
	tr.Resources, tr.Validate = resources(w), kind.Documents(docs[8:])
	if err := m.Train(background, tr); err != nil {
		t.Fatal(err)
	}
	u := &tuner{m: m, empty: kind.Run{Wanted: []string{text.Mentions.Name}}}
	m.trained.thresholds = [3]float64{}
	if _, err := u.read(background, tr); err != nil {
		t.Fatal(err)
	}
	a, err := u.score(background)
	if err != nil {
		t.Fatal(err)
	}
	for k, d := range u.docs {
		if slices.Equal(d.table.Score, u.scores[k]) {
			t.Errorf("document %d: the links before add nothing to the scores", k)
		}
	}
	if b, err := u.score(background); err != nil || a != b {
		t.Errorf("the score is %v, then %v: %v", a, b, err)
	}
	s, err := m.newScorer(tr.Resources)
	if err != nil {
		t.Fatal(err)
	}
	for k, d := range docs[8:] {
		x, err := m.scored(background, s, d)
		if err != nil || !slices.Equal(x.table.Score, u.scores[k]) {
			t.Errorf("document %d: scores with what links before add: %v", k, err)
		}
	}
}
