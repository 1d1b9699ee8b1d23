package depparser

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"parlance/algo/bitext"
	"parlance/algo/kind"
	"parlance/algo/lexical"
	"parlance/algo/option"
	"parlance/algo/text"
)

// What a parser sees of a translation, values of the option bilingual.
const (
	monolingual = "none"
	reordered   = "reorder"  // whether the translation keeps words together (Huang, Jiang and Liu 2009)
	byRules     = "rules"    // mapped subtrees (Chen, Kazama and Torisawa 2010)
	bySubtrees  = "subtrees" // the tree of the translation (Chen et al. 2011)
	verified    = "verified" // the same, with what lists of subtrees say of it
)

// Where translations come from, values of the option translation.
const (
	ofPair  = "pair"
	ofLayer = "layer"
)

// bilingualSettings are the options of parsing with a translation.
type bilingualSettings struct {
	use, from            string
	group, side, source  string
	reorder              bool
	constraints, targets string
	models, types        []string
}

// declareBilingual declares them.
func (m *model) declareBilingual(s *option.Set) {
	o := &m.opt.bilingual
	s.Choice(&o.use, "bilingual", monolingual, []string{monolingual, reordered, byRules, bySubtrees, verified},
		"adds features of a translation, in arcs, pairs of siblings and grandchildren. reorder: whether it keeps the words "+
			"between the ends of an arc together; rules: whether what rules of constraints make of a subtree is among "+
			"target_subtrees; subtrees: whether the translations of head and dependents are head and dependents in the tree "+
			"of target_models; verified: the same, with the set of target_subtrees that this is in, and whether the pair is "+
			"one of constraints")
	s.Choice(&o.from, "translation", ofPair, []string{ofPair, ofLayer}, "pair: the other document of a pair, linked by "+
		"the layer alignments; layer: the layer translations of the document itself, which models of kind translator write")
	s.Text(&o.group, "group", "pair", "with translation = pair: column whose value both documents of a pair share")
	s.Text(&o.side, "side", "side", "column that tells the sides")
	s.Text(&o.source, "source", "source", "value of side for the documents that are parsed; the others get no trees, "+
		"and need none. Those without a value are parsed alone")
	s.Bool(&o.reorder, "reordering", true,
		"with bilingual = rules, subtrees and verified: features of reorder are added too")
	s.Model(&o.constraints, "constraints", "", "model of kind subtree_rules, for rules and verified")
	s.Model(&o.targets, "target_subtrees", "",
		"model of kind subtrees over texts in the language of the translation, with chains = true, for rules and verified")
	s.List(&o.models, "target_models", nil,
		"models that read the translation, one after the other, for subtrees and verified: taggers, and a parser")
	s.List(&o.types, "rule_types", ruleTypes(), "with bilingual = rules: types of rules that are features: words of the "+
		"source and of the target; rules of three source words need factorizations with grandchildren")
	s.Except("translation group side source", "bilingual", monolingual)
	s.Except("reordering constraints target_subtrees target_models rule_types", "bilingual", monolingual, reordered)
	s.Only("rule_types", "bilingual", byRules)
	s.Check("bilingual", func() error { return o.complete() })
	s.Check("rule_types", func() error {
		for _, t := range o.types {
			if !slices.Contains(ruleTypes(), t) {
				return fmt.Errorf("%q is no type of rules: %v", t, ruleTypes())
			}
		}
		return nil
	})
}

func ruleTypes() (out []string) {
	for t := range bitext.RuleTypes {
		out = append(out, t.String())
	}
	return out
}

// complete tells which model is missing.
func (o *bilingualSettings) complete() error {
	needs := func(option, value string) error {
		if value == "" {
			return fmt.Errorf("bilingual = %s needs %s", o.use, option)
		}
		return nil
	}
	if o.use == byRules || o.use == verified {
		if err := needs("constraints, a model of kind subtree_rules", o.constraints); err != nil {
			return err
		}
		if err := needs("target_subtrees, a model of kind subtrees with chains", o.targets); err != nil {
			return err
		}
	}
	if o.use == bySubtrees || o.use == verified {
		if len(o.models) == 0 {
			return fmt.Errorf("bilingual = %s needs target_models, of which one is a parser", o.use)
		}
	}
	return nil
}

// paired tells whether a translation is the other document of a pair.
func (o *bilingualSettings) paired() bool { return o.use != monolingual && o.from == ofPair }

func (o *bilingualSettings) sides() bitext.Sides {
	return bitext.Sides{Key: o.group, Side: o.side, Source: o.source}
}

// schema adds what is read of a translation.
func (o *bilingualSettings) schema(s *kind.Schema) {
	switch {
	case o.use == monolingual:
	case o.paired():
		s.Unit, s.Group, s.Fields = kind.PerGroup, o.group, []string{o.side}
		s.Reads = append(s.Reads, kind.LayerUse{Layer: text.Alignments.Name})
	default:
		s.Reads = append(s.Reads, kind.LayerUse{Layer: bitext.Translations.Name})
	}
}

// bilingual is what features of translations are made of. It is shared.
type bilingual struct {
	*bilingualSettings
	tag         string // column of the tags that rules have
	models      bitext.Analysis
	constraints bitext.Constraints
	targets     lexical.Chains
	types       [bitext.RuleTypes]bool
}

// translations looks up what the options name, nil where no translation is used.
func (m *model) translations(res kind.Resources) (*bilingual, error) {
	o := &m.opt.bilingual
	if o.use == monolingual {
		return nil, nil
	}
	b := &bilingual{bilingualSettings: o, tag: m.opt.coarse}
	for t := range b.types {
		b.types[t] = slices.Contains(o.types, bitext.RuleType(t).String())
	}
	var err error
	here := m.Schema().Reads
	if o.from == ofLayer { // translations have no tags
		here = []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form"}}}
	}
	if b.models, err = bitext.NewAnalysis(res, "target_models", o.models, here); err != nil {
		return nil, err
	}
	if o.constraints != "" {
		t, err := res.Model(o.constraints)
		if err != nil {
			return nil, err
		}
		var ok bool
		if b.constraints, ok = t.Model.(bitext.Constraints); !ok {
			return nil, fmt.Errorf("option constraints: model %s has none; the kind subtree_rules makes some", t.Label)
		}
	}
	if o.targets != "" {
		t, err := res.Model(o.targets)
		if err != nil {
			return nil, err
		}
		var ok bool
		if b.targets, ok = t.Model.(lexical.Chains); !ok {
			return nil, fmt.Errorf("option target_subtrees: model %s has no subtrees; the kind subtrees makes some", t.Label)
		}
	}
	return b, nil
}

// translation is what is known of the translation of a document, by rows of the tokens of both.
type translation struct {
	*bilingual
	source, target *bitext.Tree // of the source there are words and tags alone
	images         []int32
	reach          [][2]int32  // by source row: the first and the last row that it is linked to; {1, 0} for none
	back           [][2]int32  // the same by target row
	classes        []uint32    // of source words, for rules
	content        []bool      // whether rules want a link of them
	numbers        [2][]uint32 // of words, for pairs of subtrees
	listed         []uint32    // of target words, for target subtrees
}

// translated reads the translation of a document: target is its partner, or nil. It is nil where there is none.
func (b *bilingual) translated(ctx context.Context, d, target *text.Document) (*translation, error) {
	if b == nil {
		return nil, nil
	}
	var links []bitext.Link
	if b.from == ofLayer {
		target, links = bitext.TranslationOf(d)
	} else {
		links = bitext.Pair{Source: d, Target: target}.Links()
	}
	if target == nil || len(links) == 0 {
		return nil, nil
	}
	if b.models != nil {
		var err error
		if target, err = b.models.Annotate(ctx, target); err != nil {
			return nil, fmt.Errorf("target_models: document %s: %w", target.ID, err)
		}
	} else {
		x := *target
		x.DropLayer(text.Dependencies.Name) // trees that are stored are no part of the task
		target = &x
	}
	t := &translation{bilingual: b, source: bitext.NewTree(d, b.tag), target: bitext.NewTree(target, b.tag)}
	t.images = bitext.Images(links, len(t.source.Forms), t.target)
	t.reach, t.back = spansOf(len(t.source.Forms)), spansOf(len(t.target.Forms))
	for _, l := range links {
		widen(&t.reach[l.Source], int32(l.Target))
		widen(&t.back[l.Target], int32(l.Source))
	}
	t.number()
	return t, nil
}

func spansOf(n int) [][2]int32 { return slices.Repeat([][2]int32{{1, 0}}, n) }

func widen(s *[2]int32, at int32) {
	if s[0] > s[1] {
		*s = [2]int32{at, at}
	}
	s[0], s[1] = min(s[0], at), max(s[1], at)
}

// number numbers the words once, for look-ups.
func (t *translation) number() {
	if t.targets != nil {
		for _, w := range t.target.Forms {
			t.listed = append(t.listed, t.targets.Word(w))
		}
	}
	if t.use == byRules {
		for i, w := range t.source.Forms {
			id, content := t.constraints.Class(w, t.source.Tags[i])
			t.classes, t.content = append(t.classes, id), append(t.content, content)
		}
	}
	if t.use == verified {
		for _, w := range t.source.Forms {
			t.numbers[0] = append(t.numbers[0], t.constraints.Source(w))
		}
		for _, w := range t.target.Forms {
			t.numbers[1] = append(t.numbers[1], t.constraints.Target(w))
		}
	}
}

// sided is a document to parse with its translation, which may be nil.
type sided struct{ doc, target *text.Document }

// documents yields what is learned from.
func (m *model) documents(ctx context.Context, in kind.Input) iter.Seq2[sided, error] {
	o := &m.opt.bilingual
	return func(yield func(sided, error) bool) {
		if !o.paired() {
			for d, err := range in.Documents(ctx) {
				if !yield(sided{doc: d}, err) || err != nil {
					return
				}
			}
			return
		}
		for p, err := range o.sides().Pairs(ctx, in) {
			if err == nil && p.Source == nil {
				continue
			}
			if !yield(sided{p.Source, p.Target}, err) || err != nil {
				return
			}
		}
	}
}

// unit is the documents of a unit: those to parse, each with its translation, and those that get no trees.
func (o *bilingualSettings) unit(docs []*text.Document) (parse []sided, bare []*text.Document) {
	if !o.paired() {
		for _, d := range docs {
			parse = append(parse, sided{doc: d})
		}
		return parse, nil
	}
	var pair bitext.Pair
	if len(docs) > 0 && !docs[0].Field(o.group).IsNull() {
		pair, _ = o.sides().PairOf(docs) // documents that are no pair have no translation
	}
	for _, d := range docs {
		side := d.Field(o.side)
		switch {
		case !side.IsNull() && side.String() != o.source:
			bare = append(bare, d)
		case d == pair.Source:
			parse = append(parse, sided{d, pair.Target})
		default:
			parse = append(parse, sided{doc: d})
		}
	}
	return parse, bare
}
