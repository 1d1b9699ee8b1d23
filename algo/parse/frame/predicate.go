package frame

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Settings are how predicates are found.
type Settings struct {
	Tags      string // column of tokens: xpos or upos
	Found     string // features of a token that may be a predicate, over (p token)
	Sense     string // features of a predicate that tell senses apart, over (p token)
	Given     bool   // predicates come with the documents, in the layer roles
	Fit              // of both models
	predicate *place.Set
	sense     *place.Set
}

// Window are features of the tokens around a predicate. The tag of a token is written .tag.
const Window = `over (p token)
p.form.lower, p.lemma, p.tag, p.lemma & p.tag, p.form.suffix(3), p.form.suffix(2), p.form.short_shape & p.tag
p[-1].form.lower, p[1].form.lower, p[-2].form.lower, p[2].form.lower, p[-2..2].tag & p.tag
p[-1].tag & p.tag & p[1].tag, p[-1].form.lower & p.lemma, p.lemma & p[1].form.lower, p[1].tag & p[2].tag & p.tag
p.lemma & p[1].tag, p[-1].tag & p.lemma`

// WindowAndTree are those of Window and of the place in a tree of dependencies.
const WindowAndTree = Window + `
p.deprel, p.deprel & p.tag, p.lemma & p.deprel, p.head.lemma & p.deprel, p.head.tag & p.tag & p.deprel
p.children.deprel, p.lemma & p.children.deprel, p.children.deprel.bag, p.lemma & p.children.lemma, p.lemma & p.head.lemma
p.lemma & p.children.deprel.bag`

// SenseWindow are features that tell senses of a lemma apart by the tokens around it.
const SenseWindow = `over (p token)
bias, p.form.lower, p.tag, p[-2..2].form.lower, p[-2..2].tag, p[-1].tag & p[1].tag, p[1].form.lower & p[2].form.lower
p[3].form.lower, p[1].tag & p[2].tag`

// SenseWindowAndTree are those of SenseWindow and of the tree.
const SenseWindowAndTree = SenseWindow + `
p.deprel, p.head.lemma, p.head.tag, p.deprel & p.head.lemma, p.children.deprel, p.children.lemma, p.children.deprel.bag
p.children.lm.lemma, p.children(deprel, obj).lemma, p.children(deprel, nsubj).lemma
p.children(deprel, obl|nmod|xcomp|advmod|compound:prt|ccomp|advcl|acl).lemma, p.children(deprel, compound:prt).lemma`

// Tagged writes the column of tags in place of .tag.
func Tagged(notation, tags string) string { return strings.ReplaceAll(notation, ".tag", "."+tags) }

// Compile reads the features.
func (s *Settings) Compile() (err error) {
	if s.predicate, err = s.parse(s.Found); err == nil {
		s.sense, err = s.parse(s.Sense)
	}
	return err
}

func (s *Settings) parse(notation string) (*place.Set, error) {
	set, err := place.Parse(Tagged(notation, s.Tags))
	if err != nil {
		return nil, err
	}
	if p := set.Places(); len(p) != 1 || p[0].String() != "p token" {
		return nil, fmt.Errorf("features of predicates are over (p token), not %s", set.Header())
	}
	return set, nil
}

// Sets are the compiled sets.
func (s *Settings) Sets() []*place.Set { return []*place.Set{s.predicate, s.sense} }

// Reads joins the layers that sets of features read, without roles; lemmas are optional.
func Reads(tags string, sets ...*place.Set) []kind.LayerUse {
	columns := map[string][]string{text.Tokens.Name: {"form", tags}}
	order := []string{text.Tokens.Name}
	optional := map[string]bool{"lemma": true}
	var lemmas, others []string
	for _, s := range sets {
		for _, u := range s.Layers() {
			if u.Layer == text.Roles.Name {
				continue
			}
			if !slices.Contains(order, u.Layer) {
				order = append(order, u.Layer)
			}
			for _, c := range u.Columns {
				switch {
				case u.Layer == text.Tokens.Name && optional[c]:
					lemmas = add(lemmas, c)
				case u.Optional:
					others = add(others, c)
				default:
					columns[u.Layer] = add(columns[u.Layer], c)
				}
			}
		}
	}
	var out []kind.LayerUse
	for _, l := range order {
		out = append(out, kind.LayerUse{Layer: l, Columns: columns[l]})
	}
	others = slices.DeleteFunc(others, func(c string) bool { return slices.Contains(columns[text.Tokens.Name], c) })
	if more := append(lemmas, others...); len(more) > 0 {
		out = append(out, kind.LayerUse{Layer: text.Tokens.Name, Columns: more, Optional: true})
	}
	return out
}

func add(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// Finder finds predicates and their senses. It never changes.
type Finder struct {
	set    Settings
	lemmas *Lemmas
	never  []string            // tags that predicates do not have
	senses []string            // labels of sense
	of     map[string][]uint16 // by lemma
	usual  string              // the commonest sense where senses name no lemmas, such as 01; else ""
	found  *Softmax            // two labels: none, predicate
	sense  *Softmax
}

// Docs are documents that can be read again.
type Docs func(context.Context) iter.Seq2[*text.Document, error]

// seldom is how often a tag is seen before it is known that predicates do not have it.
const seldom = 20

// Train learns from documents with roles.
func Train(ctx context.Context, set Settings, docs Docs, res kind.Resources,
	report func(what string, epoch int, loss float64)) (*Finder, error) {
	f := &Finder{set: set}
	if err := f.tables(ctx, docs); err != nil {
		return nil, err
	}
	found, sense, err := f.examples(ctx, docs, res)
	if err != nil {
		return nil, err
	}
	if f.found, err = found.Train(ctx, set.Fit, func(e int, loss float64) { report("predicates", e, loss) }); err != nil {
		return nil, err
	}
	f.sense, err = sense.Train(ctx, set.Fit, func(e int, loss float64) { report("senses", e, loss) })
	return f, err
}

// tables learns lemmas, tags of predicates, and senses by lemma.
func (f *Finder) tables(ctx context.Context, docs Docs) error {
	counts, tags, predicates := lemmaCounts{}, map[string]int{}, map[string]int{}
	err := f.each(ctx, docs, func(d *text.Document, frames [][]Frame) error {
		toks := d.Layer(text.Tokens.Name)
		form, tag, lemma := toks.Strs("form"), toks.Strs(f.set.Tags), toks.Strs("lemma")
		for i := range toks.N {
			tags[at(tag, i)]++
			counts.add(at(tag, i), at(form, i), at(lemma, i))
		}
		bounds := d.SentenceTokens()
		for s, list := range frames {
			for _, p := range list {
				row := int(bounds[s-1]) + p.Predicate - 1
				predicates[at(tag, row)]++
				if at(lemma, row) == "" {
					counts.add(at(tag, row), at(form, row), Stem(p.Sense))
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.lemmas = counts.lemmas()
	for t, n := range tags {
		if n >= seldom && predicates[t] == 0 {
			f.never = append(f.never, t)
		}
	}
	slices.Sort(f.never)
	return f.inventory(ctx, docs)
}

// inventory counts senses by lemma.
func (f *Finder) inventory(ctx context.Context, docs Docs) error {
	counts := map[[2]string]int{} // lemma, sense
	err := f.each(ctx, docs, func(d *text.Document, frames [][]Frame) error {
		lemma, bounds := f.View(d).Layer(text.Tokens.Name).Strs("lemma"), d.SentenceTokens()
		for s, list := range frames {
			for _, p := range list {
				if p.Sense != "" {
					counts[[2]string{lemma[int(bounds[s-1])+p.Predicate-1], p.Sense}]++
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.usual = usual(counts)
	number := map[string]int{}
	f.of = map[string][]uint16{}
	for _, k := range slices.SortedFunc(maps.Keys(counts), func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), counts[b]-counts[a], cmp.Compare(a[1], b[1]))
	}) {
		y, known := number[k[1]]
		if !known {
			if y = len(f.senses); y > math.MaxUint16 {
				continue
			}
			number[k[1]], f.senses = y, append(f.senses, k[1])
		}
		f.of[k[0]] = append(f.of[k[0]], uint16(y))
	}
	return nil
}

// usual is the most frequent sense if no sense names a lemma.
func usual(counts map[[2]string]int) string {
	of := map[string]int{}
	for k, n := range counts {
		if Stem(k[1]) != "" {
			return ""
		}
		of[k[1]] += n
	}
	best := ""
	for _, s := range slices.Sorted(maps.Keys(of)) {
		if best == "" || of[s] > of[best] {
			best = s
		}
	}
	return best
}

func (f *Finder) each(ctx context.Context, docs Docs, do func(*text.Document, [][]Frame) error) error {
	for d, err := range docs(ctx) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		if toks := d.Layer(text.Tokens.Name); toks == nil || toks.N == 0 || toks.Strs("form") == nil {
			continue
		}
		frames, _ := Read(d)
		if err := do(d, frames); err != nil {
			return err
		}
	}
	return nil
}

func at(list []string, i int) string {
	if list == nil {
		return ""
	}
	return list[i]
}

// examples are what both models learn from.
func (f *Finder) examples(ctx context.Context, docs Docs, res kind.Resources) (found, sense *Examples, err error) {
	found, sense = NewExamples(2), NewExamples(max(1, len(f.senses)))
	number := map[string]int{}
	for y, s := range f.senses {
		number[s] = y
	}
	r, err := f.Reader(res)
	if err != nil {
		return nil, nil, err
	}
	err = f.each(ctx, docs, func(d *text.Document, frames [][]Frame) error {
		if err := r.Bind(ctx, f.View(d)); err != nil {
			return err
		}
		bounds := d.SentenceTokens()
		for s := 1; s < len(frames); s++ {
			of := map[int]string{}
			for _, p := range frames[s] {
				of[p.Predicate] = p.Sense
			}
			for t := 1; t <= int(bounds[s]-bounds[s-1]); t++ {
				if t&15 == 1 && ctx.Err() != nil {
					return ctx.Err()
				}
				row := int(bounds[s-1]) + t - 1
				meaning, is := of[t]
				if r.may(row) {
					hashes, err := r.features(r.predicate, row)
					if err != nil {
						return err
					}
					y := 0
					if is {
						y = 1
					}
					found.Add(hashes, y, nil)
				}
				y, known := number[meaning]
				if choices := f.of[r.lemma[row]]; is && known && len(choices) > 1 && slices.Contains(choices, uint16(y)) {
					hashes, err := r.ofLemma(row)
					if err != nil {
						return err
					}
					sense.Add(hashes, y, choices)
				}
			}
		}
		return nil
	})
	return found, sense, err
}

// View is a document with lemmas for all tokens, and without roles; the other layers are those of d.
func (f *Finder) View(d *text.Document) *text.Document {
	v := &text.Document{ID: d.ID, Text: d.Text, Fields: d.Fields, Layers: slices.Clone(d.Layers)}
	v.DropLayer(text.Roles.Name)
	old := d.Layer(text.Tokens.Name)
	toks := *old
	toks.Cols = slices.Clone(old.Cols)
	lemma := make([]string, old.N)
	form, tag, has := old.Strs("form"), old.Strs(f.set.Tags), old.Strs("lemma")
	for i := range lemma {
		if lemma[i] = at(has, i); lemma[i] == "" && form != nil {
			lemma[i] = f.lemmas.Of(form[i], at(tag, i))
		}
	}
	toks.SetStrs("lemma", lemma)
	v.SetLayer(&toks)
	return v
}

// Reader finds the predicates of one document after the other. It belongs to one goroutine.
type Reader struct {
	f          *Finder
	predicate  *place.Extractor
	sense      *place.Extractor
	found      place.Found
	refs       []place.Ref
	tag, lemma []string
	scores     []float32
	probs      []float64
	hashes     []uint64
	bounds     []int32 // of sentences
}

// Reader returns one; features that name resources want them.
func (f *Finder) Reader(res kind.Resources) (*Reader, error) {
	r := &Reader{f: f, refs: make([]place.Ref, 1), scores: make([]float32, max(2, len(f.senses))),
		probs: make([]float64, 2)}
	var err error
	if r.predicate, err = place.NewExtractor(f.set.predicate, res); err == nil {
		r.sense, err = place.NewExtractor(f.set.sense, res)
	}
	return r, err
}

// Bind takes a document that View has made. It fails only when the context has ended.
func (r *Reader) Bind(ctx context.Context, view *text.Document) error {
	if err := r.predicate.Bind(ctx, view); err != nil {
		return err
	}
	if err := r.sense.Bind(ctx, view); err != nil {
		return err
	}
	toks := view.Layer(text.Tokens.Name)
	r.tag, r.lemma, r.bounds = toks.Strs(r.f.set.Tags), toks.Strs("lemma"), view.SentenceTokens()
	return nil
}

// may tells whether predicates have the tag of a token.
func (r *Reader) may(row int) bool {
	_, never := slices.BinarySearch(r.f.never, at(r.tag, row))
	return !never
}

func (r *Reader) features(x *place.Extractor, row int) ([]uint64, error) {
	r.found.Reset()
	r.refs[0] = place.Token(row)
	err := x.Extract(r.refs, &r.found)
	return r.found.Hashes, err
}

// ofLemma are features of the sense, each joined with the lemma.
func (r *Reader) ofLemma(row int) ([]uint64, error) {
	hashes, err := r.features(r.sense, row)
	r.hashes = r.hashes[:0]
	h := fnv(r.lemma[row])
	for _, x := range hashes {
		r.hashes = append(r.hashes, Mix(h^x))
	}
	return r.hashes, err
}

func fnv(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return Mix(h)
}

// Mix is the finaliser of splitmix64 (Steele, Lea and Flood 2014).
func Mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// Predicates are those of sentence s, from 1, with senses and without arguments; given are those that are known.
func (r *Reader) Predicates(ctx context.Context, s int, given []Frame) (out []Frame, err error) {
	bounds, from := r.bounds, int(r.bounds[s-1])
	if r.f.set.Given {
		for _, g := range given {
			out = append(out, Frame{Predicate: g.Predicate, Prob: 1})
		}
	} else {
		for row := from; row < int(bounds[s]); row++ {
			if row&15 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if !r.may(row) {
				continue
			}
			hashes, err := r.features(r.predicate, row)
			if err != nil {
				return nil, err
			}
			r.f.found.Begin(r.scores[:2])
			r.f.found.Add(hashes, r.scores[:2])
			if Normalise(r.scores[:2], r.probs); r.probs[1] > 0.5 {
				out = append(out, Frame{Predicate: row - from + 1, Prob: r.probs[1]})
			}
		}
	}
	for i := range out {
		p := 1.0
		if out[i].Sense, p, err = r.senseOf(from + out[i].Predicate - 1); err != nil {
			return nil, err
		}
		out[i].Prob *= p
	}
	return out, nil
}

// senseOf is the likeliest sense of a predicate, and its probability.
func (r *Reader) senseOf(row int) (string, float64, error) {
	f := r.f
	choices := f.of[r.lemma[row]]
	switch {
	case len(f.senses) == 0:
		return "", 1, nil
	case len(choices) == 0 && f.usual != "":
		return f.usual, 1, nil
	case len(choices) == 0:
		return r.lemma[row] + ".01", 1, nil
	case len(choices) == 1:
		return f.senses[choices[0]], 1, nil
	}
	hashes, err := r.ofLemma(row)
	if err != nil {
		return "", 0, err
	}
	f.sense.Begin(r.scores)
	f.sense.Add(hashes, r.scores)
	top := choices[0]
	for _, y := range choices {
		if r.scores[y] > r.scores[top] {
			top = y
		}
	}
	sum := 0.0
	for _, y := range choices {
		sum += math.Exp(float64(r.scores[y] - r.scores[top]))
	}
	return f.senses[top], 1 / sum, nil
}

// With is the same models with other settings of prediction.
func (f *Finder) With(set Settings) *Finder {
	out := *f
	out.set = set
	return &out
}

// Senses yields lemmas with their senses, the most frequent first.
func (f *Finder) Senses(yield func(lemma, sense string) bool) {
	for _, l := range slices.Sorted(maps.Keys(f.of)) {
		for _, y := range f.of[l] {
			if !yield(l, f.senses[y]) {
				return
			}
		}
	}
}

// Bytes is what it takes in memory.
func (f *Finder) Bytes() int64 {
	return f.found.Bytes() + f.sense.Bytes() + int64(len(f.senses)+len(f.lemmas.words)+len(f.lemmas.endings))*96
}

// Encode writes the models and tables.
func (f *Finder) Encode(w *kind.Writer) error {
	var of []string
	for l, s := range f.Senses {
		of = append(of, l, s)
	}
	for _, write := range []func() error{
		func() error { return w.Within("lemmas", f.lemmas.Encode) },
		func() error { return w.Strings("never", f.never) },
		func() error { return w.Strings("senses", f.senses) },
		func() error { return w.Strings("of", of) },
		func() error { return w.Bytes("usual", []byte(f.usual)) },
		func() error { return w.Within("found", f.found.Encode) },
		func() error { return w.Within("sense", f.sense.Encode) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// DecodeFinder reads what Encode wrote.
func DecodeFinder(set Settings, r *kind.Reader) (*Finder, error) {
	f := &Finder{set: set, of: map[string][]uint16{}}
	var of []string
	var usual []byte
	var err error
	for _, read := range []func(){
		func() { f.lemmas, err = DecodeLemmas(r.Within("lemmas")) },
		func() { f.never, err = r.Strings("never") },
		func() { f.senses, err = r.Strings("senses") },
		func() { of, err = r.Strings("of") },
		func() { usual, err = r.Bytes("usual") },
		func() { f.found, err = DecodeSoftmax(r.Within("found"), 2) },
		func() { f.sense, err = DecodeSoftmax(r.Within("sense"), max(1, len(f.senses))) },
	} {
		if read(); err != nil {
			return nil, err
		}
	}
	f.usual = string(usual)
	number := map[string]uint16{}
	for i, s := range f.senses {
		number[s] = uint16(i)
	}
	if len(of)%2 != 0 || len(f.senses) > math.MaxUint16+1 {
		return nil, kind.Corrupt("of", "has a lemma without a sense")
	}
	for i := 0; i < len(of); i += 2 {
		y, known := number[of[i+1]]
		if !known {
			return nil, kind.Corrupt("of", "names a sense that does not exist")
		}
		f.of[of[i]] = append(f.of[of[i]], y)
	}
	return f, nil
}
