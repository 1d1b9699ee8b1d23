package hypernym

import (
	"context"
	"fmt"
	"math"
	"time"
	"unicode"
	"unicode/utf8"

	"parlance/algo/kind"
	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/numeric/parallel"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "hypernym",
		Learns: "hypernyms of words that a taxonomy lacks, with the words that vote for them: `h.attach`, " +
			"`h.voters('citroen', 'car')`",
		Figures: "WordNet, a quarter of the leaf nouns hidden: 44 of the first 100 are right within three steps, " +
			"25 by the most similar word",
		Revision: 1,
		Doc: "hypernyms of words that a hierarchy lacks, by votes of the most similar words in it; can be used as a " +
			"lexicon or gazetteer",
		Paper: "Yamada, Torisawa, Kazama, Kuroda, Murata, De Saeger, Bond and Sumida 2009",
		New:   func() kind.Model { return &model{} },
	}
}

// The methods.
const (
	byVotes    = "ksim"
	byNearest  = "nearest"
	byHypernym = "hypernym_sim"
	byChildren = "children_avg"
)

type model struct {
	kind.Base
	Words    []string  `state:"words"`                           // of the counts, those with enough contexts
	Profiles []profile `state:"profiles,len=Words"`              // of each word, empty where it has no class
	Weight   []float64 `state:"weights,len=Words,finite,from=0"` // of each word: P(h), its share in the counts
	Columns  int       `state:"columns,from=0"`                  // contexts, or classes
	Edges    []edge    `state:"edges,sorted=Low+High"`           // of the hierarchy
	Nodes    []string  `state:"nodes,sorted"`                    // of the hierarchy, sorted
	Naming   []naming  `state:"names"`                           // words of nodes that are senses
	Answers  []answers `state:"answers"`                         // of the words outside of the hierarchy, the best first
	*tree
	opt struct {
		method                                                   string
		k, minContexts, maxLength, maxDepth, minChildren, answer int
		least, d                                                 float64
		compounds                                                bool
		exclude                                                  []string
		near                                                     int
	}
}

// answers are the hypernyms of a word, the best first; those of nearest are equal.
type answers struct {
	Word uint32   `state:"words,below=Words"`
	List []answer `state:"list,some"`
}

// answer is a hypernym of a word.
type answer struct {
	Node   uint32  `state:"nodes,below=Nodes"`
	Score  float64 `state:"scores,finite,from=0"`
	Voters int     `state:"voters,from=0,to=4294967295"`
}

var edgeTable = kind.TableUse{Name: "edges",
	Doc: "the hierarchy; edges that would close a cycle with those before them are left out",
	Columns: []kind.Column{
		{Name: "hyponym", Type: value.Text, Doc: "word or sense"},
		{Name: "hypernym", Type: value.Text, Doc: "word or sense above it"},
		{Name: "word", Type: value.Text, Optional: true,
			Doc: "a word that the hypernym stands for, where that is a sense; NULL: it is the word"}}}

var classTable = kind.TableUse{Name: "memberships",
	Doc: "classes of words, as the relation memberships of latent_classes has them",
	Columns: []kind.Column{
		{Name: "word", Type: value.Text, Doc: "word"}, {Name: "class", Type: value.Text, Doc: "its class"},
		{Name: "prob", Type: value.Float, Doc: "probability of the class, given the word"}}}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.method, "method", byVotes, []string{byVotes, byNearest, byHypernym, byChildren},
		"ksim: votes of similar words; nearest: the parents of the most similar word; hypernym_sim: the hypernym "+
			"that is most similar itself; children_avg: the one whose children are most similar on average")
	s.Int(&o.k, "k", 50, 1, 1000000, "similar words that vote; the paper has 100 and, with classes, 200").Per("words")
	s.Float(&o.least, "s_min", 0.05, 0, 1, "words that are less similar do not count; with classes 0.3 is a start")
	s.Float(&o.d, "d", 0.6, 0, 1,
		"what each further step up to a hypernym multiplies a vote by: 0 asks parents alone, 1 "+
			"prefers the top of the hierarchy")
	s.Int(&o.minContexts, "min_contexts", 10, 1, math.MaxInt32, "words with fewer different contexts are left out")
	s.Int(&o.maxLength, "max_length", 60, 1, math.MaxInt32, "longer words get no hypernym").Per("characters")
	s.Int(&o.maxDepth, "max_depth", 10, 1, 1000, "steps up from a word at most")
	s.Int(&o.minChildren, "min_children", 20, 0, math.MaxInt32,
		"of children_avg: hypernyms have more children than that among the words of the counts")
	s.Bool(&o.compounds, "compounds", false,
		"hypernyms of several words get what they end in as hypernyms, such as car "+
			"maker, then maker, where that is in the hierarchy or among the words of the counts")
	s.List(&o.exclude, "exclude", nil, "hypernyms that are never answers: words or senses")
	s.Int(&o.answer, "answers", 3, 1, 1000, "hypernyms that are kept of a word").Per("hypernyms")
	s.Int(&o.near, "near", 3, 0, 1000, "hypernyms that are at most this many steps above a word are near, for EVALUATE").
		In(option.Predict).Per("steps")
	s.Only("k", "method", byVotes)
	s.Only("d", "method", byVotes)
	s.Only("min_children", "method", byChildren)
}

// Schema tells that counts are read, a hierarchy, and classes where there are some.
func (m *model) Schema() kind.Schema {
	return kind.Schema{Tables: []kind.TableUse{cooccurrence.Table}, Scores: []kind.TableUse{goldTable},
		Relations: relations,
		Roles: []kind.Role{
			{Name: "taxonomy", Doc: "hierarchy of words or senses", Tables: []kind.TableUse{edgeTable}, Train: true},
			{Name: "classes", Doc: "model of latent_classes; with it words are compared by their classes",
				Tables: []kind.TableUse{classTable}, Optional: true, Train: true}}}
}

// Train reads counts and hierarchy and attaches all words that the hierarchy lacks. It takes 60 bytes for each pair of
// word and context, and the time of comparing each such word with all hyponyms that share a context with it.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	began := time.Now()
	if err := m.readWords(ctx, t); err != nil {
		return err
	}
	if err := m.readEdges(ctx, t); err != nil {
		return err
	}
	if err := m.ready(ctx); err != nil {
		return err
	}
	if len(m.hyponyms) == 0 {
		return fmt.Errorf("%w: none of the %d hyponyms is a word of the counts with %d contexts, such as '%s'; are "+
			"they of "+
			"the same form, in lower case and as lemmas?", kind.ErrNoData, len(m.parents.list), m.opt.minContexts,
			m.Words[0])
	}
	var targets []uint32
	for i, w := range m.Words {
		if len(m.Profiles[i].IDs) > 0 && !m.known(w) && m.isWord(w) {
			targets = append(targets, uint32(i))
		}
	}
	found := make([]answers, len(targets))
	rooms := make([]*room, max(t.Workers, 1))
	if err := parallel.For(ctx, t.Workers, len(targets), func(worker, i int) error {
		if rooms[worker] == nil {
			rooms[worker] = m.room()
		}
		found[i] = answers{targets[i], m.attach(int(targets[i]), m.opt.answer, rooms[worker])}
		return nil
	}); err != nil {
		return err
	}
	m.keep(found)
	t.Report(kind.Progress{Step: 1, Of: 1, Objective: math.NaN(), HeldOut: math.NaN(),
		Seconds: time.Since(began).Seconds(),
		Note: text.Countf("%d of %d {word|words} outside of the hierarchy have a hypernym; %d {hyponym|hyponyms} and %d "+
			"{hypernym|hypernyms} "+
			"of it are words of the counts", len(m.Answers), len(targets), len(m.hyponyms), m.commonCount())})
	return ctx.Err()
}

// readWords reads the counts, and classes in place of contexts where there are some.
func (m *model) readWords(ctx context.Context, t *kind.Training) error {
	table, ok := t.On.Table(cooccurrence.Table.Name)
	if !ok {
		return fmt.Errorf("%w: the input has no table %s; TRAIN contexts makes one", kind.ErrNoData,
			cooccurrence.Table.Name)
	}
	counts, err := cooccurrence.Read(ctx, table)
	if err != nil {
		return err
	}
	m.Words, m.Profiles, m.Weight, m.Columns = nil, nil, nil, 0
	total := 0.0
	number := make([]uint32, len(counts.Contexts)) // of those that kept words have
	for i, w := range counts.Words {
		ids, n := counts.Rows.Row(i)
		if len(ids) < m.opt.minContexts {
			continue
		}
		p, sum := logProfile(ids, n)
		for _, f := range ids {
			number[f] = 1
		}
		m.Words, m.Profiles, m.Weight = append(m.Words, w), append(m.Profiles, p), append(m.Weight, sum)
		total += sum
	}
	if len(m.Words) == 0 {
		return fmt.Errorf("%w: none of %d words has %d contexts", kind.ErrNoData, len(counts.Words), m.opt.minContexts)
	}
	for f, used := range number {
		if used > 0 {
			number[f] = uint32(m.Columns)
			m.Columns++
		}
	}
	for i, p := range m.Profiles {
		for k, f := range p.IDs {
			p.IDs[k] = number[f]
		}
		m.Weight[i] /= total
	}
	if in := t.Roles["classes"]; in != nil {
		return m.readClasses(ctx, in)
	}
	return ctx.Err()
}

// isWord tells words from debris of parses: they have a letter, begin and end with a letter or digit, and are not long.
func (m *model) isWord(w string) bool {
	first, _ := utf8.DecodeRuneInString(w)
	last, _ := utf8.DecodeLastRuneInString(w)
	letter := false
	for _, r := range w {
		letter = letter || unicode.IsLetter(r)
	}
	part := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
	return letter && part(first) && part(last) && utf8.RuneCountInString(w) <= m.opt.maxLength
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}
