package coreference

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"parlance/algo/coref/linking"
	"parlance/algo/coref/mention"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

var background = context.Background()

// fresh is an untrained model with options by name and value.
func fresh(t testing.TB, opts ...any) *model {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	args := []option.Arg{kindtest.Arg("bits", 12)}
	for i := 0; i < len(opts); i += 2 {
		args = append(args, kindtest.Arg(opts[i].(string), opts[i+1]))
	}
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	return m
}

func trainingOn(docs []*text.Document) *kind.Training {
	return &kind.Training{On: kind.Documents(docs), Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}}
}

func train(t testing.TB, docs []*text.Document, opts ...any) *model {
	t.Helper()
	m := fresh(t, opts...)
	if err := m.Train(background, trainingOn(docs)); err != nil {
		t.Fatal(err)
	}
	return m
}

// learnerOf is a learner that has learned nothing yet.
func learnerOf(t testing.TB, docs []*text.Document, opts ...any) *learner {
	t.Helper()
	l, err := newLearner(background, fresh(t, opts...), trainingOn(docs))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// clustersOf annotates a document and returns its clusters by text, such as "Ann she, Bob".
func clustersOf(t testing.TB, m *model, d *text.Document) string {
	t.Helper()
	v := *d
	if err := m.Annotate(background, []*text.Document{&v}, &kind.Run{}); err != nil {
		t.Fatal(err)
	}
	l := v.Layer(text.Mentions.Name)
	words, order := map[string][]string{}, []string{}
	for i := range l.N {
		c := l.Strs("cluster")[i]
		if words[c] == nil {
			order = append(order, c)
		}
		words[c] = append(words[c], v.Text[l.Ints("char_start")[i]:l.Ints("char_end")[i]])
	}
	var out []string
	for _, c := range order {
		out = append(out, strings.Join(words[c], " "))
	}
	return strings.Join(out, ", ")
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-3*(1+math.Abs(want)) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestLatentPerceptronIsL3MWithoutPenalty(t *testing.T) {
	docs := sample(8)
	a := train(t, docs, "train", "latent", "decay", 0, "rate", 1)
	b := train(t, docs, "train", "l3m", "decay", 0, "rate", 1, "l2", 0)
	if !slices.Equal(a.trained.weights, b.trained.weights) {
		t.Error("the weights differ")
	}
	if c := train(t, docs, "train", "pl3m", "temperature", 0, "decay", 0, "rate", 1); !slices.Equal(a.trained.weights,
		c.trained.weights) {
		t.Error("at temperature 0 the weights differ")
	}
}

// TestObjectives compares the gradients of the losses with differences, along directions of the weights.
func TestObjectives(t *testing.T) {
	l := learnerOf(t, sample(4), "train", "slt", "bias", "coreferent", "bias_factor", 2, "separate_pronouns", true)
	s := l.newStructured()
	for i := range s.x {
		if i&(1<<12-1) != 0 { // place 0 stands for what is not there
			s.x[i] = .3 * math.Sin(float64(i))
		}
	}
	grad := make([]float64, len(s.x))
	if _, err := s.objective(background, s.x, grad); err != nil {
		t.Fatal(err)
	}
	for shift := range 4 {
		direction, slope := make([]float64, len(s.x)), 0.0
		for i := range direction {
			if i&(1<<12-1) != 0 {
				direction[i] = math.Cos(float64(i*(shift+1) + 1))
			}
			slope += direction[i] * grad[i]
		}
		at := func(h float64) float64 {
			x := slices.Clone(s.x)
			for i := range x {
				x[i] += h * direction[i]
			}
			v, err := s.objective(background, x, make([]float64, len(x)))
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		near(t, "slope", (at(1e-3)-at(-1e-3))/2e-3, slope)
	}
}

func TestL3MObjective(t *testing.T) {
	for _, temperature := range []float64{0, .5, 1} {
		l := learnerOf(t, sample(4), "train", "pl3m", "temperature", temperature, "l2", .01)
		for i := range l.weights.V {
			l.weights.V[i] = float32(.3 * math.Sin(float64(i)))
		}
		l.weights.V[0] = 0
		grad, n := make([]float64, len(l.weights.V)), 0
		s := &structured{learner: l}
		err := l.each(background, func(_ int, d *document, v *vectors) {
			coef := make([]float64, 0, len(d.table.Score))
			for i := range d.mentions {
				row := slices.Clone(l.score(d, v, i))
				c := make([]float64, len(row))
				l.opt.ranking().Gradient(row, d.right(i, nil), c)
				coef = append(coef, c...)
				n++
			}
			s.spread(d, v, coef, grad)
		})
		if err != nil {
			t.Fatal(err)
		}
		direction, slope := make([]float64, len(grad)), 0.0
		from := slices.Clone(l.weights.V)
		for i := 1; i < len(grad); i++ {
			direction[i] = math.Cos(float64(i))
			slope += direction[i] * (grad[i]/float64(n) + .01*float64(from[i]))
		}
		at := func(h float64) float64 {
			for i := range from {
				l.weights.V[i] = from[i] + float32(h*direction[i])
			}
			v, err := l.objective(background, nil)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		near(t, "slope", (at(1e-4)-at(-1e-4))/2e-4, slope)
	}
}

func TestConcaveConvexProcedureNeverRises(t *testing.T) {
	m, tr := fresh(t, "train", "l3m", "optimizer", "cccp", "l2", 1e-3, "passes", 6, "inner", 4), trainingOn(sample(12))
	var trace []float64
	tr.Report = func(p kind.Progress) { trace = append(trace, p.Objective) }
	if err := m.Train(background, tr); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(trace); i++ {
		if trace[i] > trace[i-1]+1e-9 {
			t.Errorf("the objective rises: %v", trace)
		}
	}
	if len(trace) < 2 || trace[len(trace)-1] > .9 {
		t.Errorf("the objective stays: %v", trace)
	}
}

func TestStructuredLocalTraining(t *testing.T) {
	docs := sample(8)
	plain := train(t, docs, "train", "slt", "rounds", 0)
	literal := train(t, docs, "train", "slt", "rounds", 0, "bias", "coreferent", "bias_factor", 3, "bias_form", "literal")
	if !slices.Equal(plain.trained.weights, literal.trained.weights) {
		t.Error("the printed form of the bias changes the weights")
	}
	positives := func(m *model) (n int) {
		s, err := m.newScorer(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range docs {
			x, _, err := m.resolve(background, s, d)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range x.table.Score {
				if w > 0 {
					n++
				}
			}
		}
		return n
	}
	before := 0
	for _, beta := range []float64{.2, 1, 5} {
		now := positives(train(t, docs, "train", "slt", "rounds", 0, "bias", "coreferent", "bias_factor", beta))
		if now < before {
			t.Errorf("β %v: %d pairs, fewer than %d", beta, now, before)
		}
		before = now
	}
}

func TestSeparatePronouns(t *testing.T) {
	var docs []*text.Document
	for _, d := range [][]string{{"[1 Ann ] saw [2 Bob ] .", "[1 Ann ] left ."},
		{"[1 the man ] saw [2 Eve ] .", "[2 Eve ] saw [1 the man ] ."}} {
		docs = append(docs, parsed("d", d...))
	}
	one, two := train(t, docs), train(t, docs, "separate_pronouns", true)
	if !slices.Equal(one.trained.weights, two.trained.part(0)) {
		t.Error("without pronouns the weights of others differ")
	}
	if slices.ContainsFunc(two.trained.part(1), func(w float32) bool { return w != 0 }) {
		t.Error("without pronouns their weights are not 0")
	}
}

func TestThresholdsJoinAllOrNothing(t *testing.T) {
	d := sample(1)[0]
	m := train(t, sample(10), "singletons", "drop")
	m.opt.threshold, m.opt.pronoun = -100, -100
	if got := clustersOf(t, m, d); got != "" {
		t.Errorf("clusters %s", got)
	}
	m.opt.threshold, m.opt.pronoun = 100, 100
	if got := clustersOf(t, m, d); strings.Contains(got, ",") {
		t.Errorf("clusters %s", got)
	}
}

func TestMethods(t *testing.T) {
	docs := sample(12)
	m := train(t, docs)
	d := docs[3]
	cold := m.opt
	m.opt.linkTemperature = 0
	best := clustersOf(t, m, d)
	m.opt.linkTemperature = .002
	if got := clustersOf(t, m, d); got != best {
		t.Errorf("at a low temperature %s, not %s", got, best)
	}
	m.opt.linkTemperature, m.opt.method, m.opt.exact = 0, "ilp", 14
	if got := clustersOf(t, m, d); got != best {
		t.Errorf("as a 0/1 program %s, not %s", got, best)
	}
	m.opt = cold
	gold := "Ann"
	for _, method := range []string{"all_link", "spanning_forest", "closure", "sieve"} {
		m.opt.method = method
		if got := clustersOf(t, m, d); !strings.Contains(got, gold) && !strings.Contains(got, "Bob") {
			t.Errorf("%s: %s", method, got)
		}
	}
}

// TestCandidates: the closure of the candidates is the clusters of method = closure.
func TestCandidates(t *testing.T) {
	m := train(t, sample(8), "method", "closure", "singletons", "keep")
	pairs := 0
	for _, d := range sample(8) {
		if err := m.Annotate(background, []*text.Document{d}, &kind.Run{}); err != nil {
			t.Fatal(err)
		}
		l, names := d.Layer(candidatesLayer.Name), d.Layer(text.Mentions.Name).Strs("cluster")
		of := make([]int, len(names))
		for i := range of {
			of[i] = i
		}
		pairs += l.N
		for i, a := range l.Ints("mention") {
			from, to := of[a-1], of[l.Ints("antecedent")[i]-1]
			for k := range of {
				if of[k] == from {
					of[k] = to
				}
			}
		}
		for i := range names {
			for j := range i {
				if (of[i] == of[j]) != (names[i] == names[j]) {
					t.Errorf("%s: mentions %d and %d: clusters %v, joined by candidates: %v", d.ID, j+1, i+1, names, of)
				}
			}
		}
	}
	if pairs == 0 {
		t.Error("no pair has a score above 0")
	}
}

func rows(list ...[]any) kind.Input {
	var out [][]value.Value
	for _, r := range list {
		row := make([]value.Value, 4)
		row[0], row[1] = value.Str(r[0].(string)), value.Str(r[1].(string))
		if len(r) > 2 {
			row[2] = value.Real(r[2].(float64))
		}
		if len(r) > 3 {
			row[3] = value.Str(r[3].(string))
		}
		out = append(out, row)
	}
	return kind.Tables{"constraints": out}
}

func TestConstraints(t *testing.T) {
	docs := sample(10)
	with := func(in kind.Input) (*model, error) {
		m, tr := fresh(t), trainingOn(docs)
		tr.Roles = map[string]kind.Input{"constraints": in}
		return m, m.Train(background, tr)
	}
	d := parsed("x", "[1 Ann ] saw [2 Eve ] .", "[1 Ann ] left .")
	for _, c := range []struct {
		in   kind.Input
		want string
	}{{rows([]any{"ann", "eve", 100.0}), "Ann Eve Ann"}, {rows([]any{"Ann", "ann"}), "Ann, Eve Ann"},
		{rows([]any{"eve", "ann", 100.0, "head"}), "Ann Eve Ann"}} {
		m, err := with(c.in)
		if err != nil {
			t.Fatal(err)
		}
		if got := clustersOf(t, m, d); got != c.want {
			t.Errorf("clusters %q, want %q", got, c.want)
		}
		for _, method := range []string{"all_link", "spanning_forest", "ilp"} {
			if m.opt.method = method; strings.Contains(c.want, "Eve") && clustersOf(t, m, d) != c.want {
				t.Errorf("%s: clusters %q, want %q", method, clustersOf(t, m, d), c.want)
			}
		}
	}
	for _, c := range []struct {
		in   kind.Input
		want string
	}{{rows([]any{"a", "b", 100.0}, []any{"b", "c", 100.0}, []any{"c", "a"}), "a = b = c must corefer"},
		{rows([]any{"a", "", 1.0}), "one is missing"}, {rows([]any{"a", "b", 1.0, "tail"}), "text or head"},
		{rows([]any{"a", "b", math.Inf(1)}), "not finite"}} {
		if _, err := with(c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

func TestRulesByName(t *testing.T) {
	d := documentOf(parsed("d", "[1 the house ] saw [2 Ann Lee ] .", "[1 the house ] saw [2 Ann Lee ] by [3 the new "+
		"house ] .", "[2 she ] saw [4 him ] ."), 0)
	for _, c := range []struct {
		name string
		want [][2]int
	}{{"same_name", [][2]int{{1, 3}}}, {"same_definite", [][2]int{{0, 2}}}, {"same_span", nil}} {
		list, err := parseConstraints([]string{c.name + ":2.5"}, 100)
		if err != nil || len(list) != 1 || list[0].weight != 2.5 {
			t.Fatal(list, err)
		}
		var got [][2]int
		for i := range d.mentions {
			for j := range i {
				if list[0].of(d, j, i) {
					got = append(got, [2]int{j, i})
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s holds of %v, want %v", c.name, got, c.want)
		}
	}
	mismatch, _ := parseConstraints([]string{"property_mismatch"}, 100)
	if last := len(d.mentions) - 1; mismatch[0].weight != -100 || !mismatch[0].of(d, last-1, last) {
		t.Error("she and him do not contradict each other")
	}
	for _, wrong := range []string{"same_spam", "same_span:", "same_span:-1"} {
		if _, err := parseConstraints([]string{wrong}, 100); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}

func TestRelaxedMatching(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{{"now the army", "the army", true}, {"Sony 's", "Sony", true}, {"the Army", "Army", true}, {"two men", "men", true},
		{"Army", "the U.S. Army", false}, {"Ann", "Ann", true}, {"Ann .", "Ann", true}} {
		key := func(s string) string {
			d := parsed("d", "[1 "+s+" ]")
			tags := d.Layer(text.Tokens.Name).Strs("upos")
			for i, w := range strings.Fields(s) {
				if w == "now" {
					tags[i] = "ADV"
				} else if w == "two" {
					tags[i] = "NUM"
				}
			}
			r, _ := mention.Read(context.Background(), d)
			return r.Text(trim(r, mention.Span{Start: 0, End: int32(len(tags))}))
		}
		if (key(c.a) == key(c.b)) != c.same {
			t.Errorf("%q is %q, %q is %q", c.a, key(c.a), c.b, key(c.b))
		}
	}
}

func TestOddMentions(t *testing.T) {
	m := train(t, sample(10))
	crossing := parsed("d", "[1 Ann ] saw [2 the man ] .", "[1 she ] left .")
	l := crossing.Layer(text.Mentions.Name)
	more := *l
	more.Cols = slices.Clone(l.Cols)
	for i := range more.Cols {
		if c := l.Cols[i]; c.Ints != nil {
			more.Cols[i].Ints = append(slices.Clone(c.Ints), c.Ints[0], c.Ints[1])
		} else if c.Strs != nil {
			more.Cols[i].Strs = append(slices.Clone(c.Strs), "1", "1")
		}
	}
	more.N += 2
	more.Ints("tok_end")[3] = 4   // crosses the second one
	more.Ints("tok_start")[4] = 0 // touches no token
	crossing.SetLayer(&more)
	long := &text.Document{ID: "long", Text: strings.Repeat("a ", 10000)}
	toks := text.NewLayer(text.Tokens)
	for i := range 10000 {
		toks.N++
		for k, v := range []int{1 + i/20, 1 + i%20, 2 * i, 2*i + 1} {
			toks.Cols[k].Ints = append(toks.Cols[k].Ints, int32(v))
		}
		toks.Cols[4].Strs = append(toks.Cols[4].Strs, "a")
	}
	long.SetLayer(toks)
	for _, d := range []*text.Document{crossing, long} {
		v := *d
		if err := m.Annotate(background, []*text.Document{&v}, &kind.Run{}); err != nil {
			t.Fatal(err)
		}
		out := v.Layer(text.Mentions.Name)
		if err := v.Verify(out, text.Mentions, v.Layer(text.Tokens.Name)); err != nil {
			t.Error(err)
		}
	}
	single := parsed("d", "[1 Ann ] saw [2 the man ] .")
	if err := fresh(t).Train(background, trainingOn([]*text.Document{single})); !errors.Is(err, kind.ErrNoData) {
		t.Errorf("clusters of one mention alone: %v", err)
	}
}

// TestWindow: without a limit all antecedents count until there are too many pairs.
func TestWindow(t *testing.T) {
	for _, c := range []struct{ mentions, limit, want int }{{0, 0, 0}, {100, 0, 0}, {8192, 0, 0}, {8193, 0, 4095},
		{100_000, 0, 335}, {100_000, 50, 50}, {10, 50, 50}} {
		if got := window(c.mentions, c.limit); got != c.want {
			t.Errorf("%d mentions, limit %d: %d antecedents, want %d", c.mentions, c.limit, got, c.want)
		}
	}
}

// TestLimitedAntecedents: what stands farther back than the limit is no antecedent.
func TestLimitedAntecedents(t *testing.T) {
	m := train(t, sample(10))
	m.opt.singletons = "keep"
	farthest := func() (most int32) {
		for _, d := range sample(10) {
			if err := m.Annotate(background, []*text.Document{d}, &kind.Run{}); err != nil {
				t.Fatal(err)
			}
			links := d.Layer(linksLayer.Name)
			for i, a := range links.Ints("antecedent") {
				most = max(most, links.Ints("mention")[i]-a)
			}
		}
		return most
	}
	all := farthest()
	m.opt.limit = 2
	if got := farthest(); all <= 2 || got != 2 {
		t.Errorf("antecedents are up to %d mentions back, with antecedents = 2 up to %d", all, got)
	}
}

func TestCacheChangesNothing(t *testing.T) {
	docs := sample(6)
	a, b := train(t, docs, "passes", 3), train(t, docs, "passes", 3, "cache", 0)
	if !slices.Equal(a.trained.weights, b.trained.weights) {
		t.Error("without kept features the weights differ")
	}
}

func TestExplanationsAddUpToScores(t *testing.T) {
	docs := sample(12)
	m := train(t, docs, "separate_pronouns", true)
	m.opt.linkTemperature = 0
	s, err := m.newScorer(nil)
	if err != nil {
		t.Fatal(err)
	}
	x, links, err := m.resolve(background, s, docs[0])
	if err != nil {
		t.Fatal(err)
	}
	for i := range x.mentions {
		e, err := s.decision(context.Background(), m, x, links, i)
		if err != nil {
			t.Fatal(err)
		}
		high, second := 0.0, math.Inf(-1)
		for _, w := range append([]float64{0}, x.table.Row(i)...) {
			if w > high {
				high, second = w, high
			} else if w != high || second == high {
				second = max(second, w)
			}
		}
		if links.Antecedents[i] != linking.None && math.Abs(e.Margin-(high-second)) > 1e-4*(1+high) {
			t.Errorf("mention %d: margin %v, scores %v and %v", i, e.Margin, high, second)
		}
	}
}

func TestTunedThresholdsAreNoWorse(t *testing.T) {
	docs, held := sample(4), sample(9)
	m, tr := fresh(t, "passes", 1), trainingOn(docs)
	tr.Validate = kind.Documents(held)
	if err := m.Train(background, tr); err != nil {
		t.Fatal(err)
	}
	u := &tuner{m: m, empty: kind.Run{Wanted: []string{text.Mentions.Name}}}
	tuned := m.trained.thresholds
	m.trained.thresholds = [3]float64{}
	if _, err := u.read(background, tr); err != nil {
		t.Fatal(err)
	}
	plain, err := u.score(background)
	if err != nil {
		t.Fatal(err)
	}
	m.trained.thresholds = tuned
	if now, err := u.score(background); err != nil || now < plain-1e-9 {
		t.Errorf("%v after, %v before: %v", now, plain, err)
	}
}
