package pairrelation

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/storage/value"
)

func textColumn(name, doc string) kind.Column {
	return kind.Column{Name: name, Type: value.Text, Doc: doc}
}
func floatColumn(name, doc string) kind.Column {
	return kind.Column{Name: name, Type: value.Float, Doc: doc}
}
func intColumn(name, doc string) kind.Column {
	return kind.Column{Name: name, Type: value.Integer, Doc: doc}
}

// Columns that several relations have.
var (
	labelColumn     = textColumn("label", "code of the label")
	nameColumn      = textColumn("name", "name of the label or node")
	directionColumn = textColumn("direction", "forward where term1 is the acronym, alias, part, hypernym, earlier one "+
		"or error; backward where term2 is; NULL where that is not known or has no meaning")
	countColumn = floatColumn("count", "pairs, or the sum of their weights")
	shareColumn = floatColumn("share", "part of all pairs, from 0 to 1")
	pairColumns = []kind.Column{textColumn("term1", "term"), textColumn("term2", "other term"),
		intColumn("rank", "rank of term2 among the terms similar to term1, NULL where that is not known")}
	sourceArg = kind.Arg{Name: "source", Type: value.Text, Optional: true, Doc: "judged: what people say, over the " +
		"pairs that were judged; labelled: what the model says, over all; judged if any pair was"}
)

func optional(name string, t value.Type, doc string) kind.Arg {
	return kind.Arg{Name: name, Type: t, Optional: true, Doc: doc}
}

// relations are what the model answers.
var relations = []kind.Relation{
	{Name: "labels", Doc: "labels by priority, then the nodes that they belong to",
		Columns: []kind.Column{labelColumn, nameColumn, textColumn("parent", "node that it belongs to"),
			intColumn("priority", "of several labels of a pair the one of the lowest number counts; NULL for nodes"),
			{Name: "directed", Type: value.Boolean, Doc: "whether the label reads one way"},
			textColumn("meaning", "what it says of a pair")}},
	{Name: "pair", Doc: "the relation between two terms",
		Columns: []kind.Column{labelColumn, nameColumn, directionColumn,
			floatColumn("prob", "probability of the label; 1 of rules; where min_prob makes it y, of the most probable one"),
			textColumn("rule", "rule that gives the label, NULL where maxent gives it against the rules")},
		Args: []kind.Arg{{Name: "term1", Type: value.Text, Doc: "term"}, {Name: "term2", Type: value.Text, Doc: "other term"},
			optional("rank", value.Integer, "rank of term2 among the terms similar to term1"),
			optional("score", value.Float, "their similarity"),
			optional("count1", value.Float, "frequency of term1"), optional("count2", value.Float, "frequency of term2"),
			optional("contrast", value.Float, "how often contrasts list both")}},
	{Name: "judged", Doc: "pairs that were judged, with the label that counts",
		Columns: append(append([]kind.Column{}, pairColumns...), labelColumn, nameColumn, directionColumn,
			textColumn("labels", "all labels that were given, by priority"), intColumn("raters", "how many judged"))},
	{Name: "labelled", Doc: "all pairs, with the label that the model gives",
		Columns: append(append([]kind.Column{}, pairColumns...), labelColumn, nameColumn, directionColumn,
			floatColumn("prob", "probability of the label"), textColumn("rule", "rule that gives it"))},
	{Name: "report", Doc: "how labels are distributed, the most frequent first", Args: []kind.Arg{sourceArg},
		Columns: []kind.Column{intColumn("place", "1 for the most frequent label"), labelColumn, nameColumn, countColumn,
			shareColumn, floatColumn("cumulative", "share of this label and those before")}},
	{Name: "unions", Doc: "how pairs are distributed over the nodes of the hierarchy", Args: []kind.Arg{sourceArg},
		Columns: []kind.Column{textColumn("node", "code of the node"), nameColumn, countColumn, shareColumn}},
	{Name: "by_rank", Doc: "how labels are distributed among the pairs of each rank of similarity",
		Args: []kind.Arg{optional("level", value.Text, "leaf: labels; union: nodes of the hierarchy. leaf if left out"),
			sourceArg},
		Columns: []kind.Column{intColumn("rank", "rank of similarity"), labelColumn, nameColumn, countColumn,
			floatColumn("share", "part of the pairs of the rank")}},
	{Name: "trend", Doc: "how the share of each label changes with the rank of similarity",
		Args: []kind.Arg{optional("level", value.Text, "leaf: labels; union: nodes of the hierarchy. leaf if left out"),
			sourceArg},
		Columns: []kind.Column{labelColumn, nameColumn, intColumn("ranks", "number of ranks"),
			floatColumn("spearman", "correlation of share and log2 of the rank, by their ranks"),
			floatColumn("slope", "change of the share when the rank doubles, by least squares")}},
	{Name: "agreement", Doc: "agreement of raters beyond chance",
		Columns: []kind.Column{textColumn("level", "leaf: labels; top: nodes s*, h, p, k**, o, u, x and y"),
			textColumn("measure", "cohen of two raters, fleiss of all"), textColumn("rater1", "rater, NULL for all"),
			textColumn("rater2", "other rater, NULL for all"),
			intColumn("pairs", "pairs that they judged in common; of fleiss those with two raters or more"),
			floatColumn("kappa", "1 for full agreement, 0 for that of chance")}},
}

// relation returns a relation by name, or nil.
func relation(name string) *kind.Relation {
	for i := range relations {
		if relations[i].Name == name {
			return &relations[i]
		}
	}
	return nil
}

// Open answers a relation.
func (m *model) Open(ctx context.Context, name string, args []value.Value, run *kind.Run) (kind.Rows, error) {
	rel := relation(name)
	if rel == nil {
		return nil, kind.ErrNoRelation
	}
	all := make([]value.Value, len(rel.Args))
	copy(all, args)
	switch name {
	case "labels":
		return kind.RowsOf(*rel, labelRows), nil
	case "pair":
		return m.openPair(ctx, rel, all, run)
	case "judged":
		return kind.RowsOf(*rel, m.judgedRows), nil
	case "labelled":
		return kind.RowsOf(*rel, m.labelledRows), nil
	case "agreement":
		return kind.RowsOf(*rel, m.agreementRows), nil
	}
	source, err := m.source(all[len(all)-1])
	if err != nil {
		return nil, err
	}
	var seq iter.Seq[[]value.Value]
	switch name {
	case "report":
		seq = m.reportRows(source)
	case "unions":
		seq = m.unionRows(source)
	default:
		nodes, err := level(all[0])
		if err != nil {
			return nil, err
		}
		if seq = m.rankRows(source, nodes); name == "trend" {
			seq = m.trendRows(source, nodes)
		}
	}
	return kind.RowsOf(*rel, seq), nil
}

// choice checks an argument that is one of a few words.
func choice(name string, v value.Value, words ...string) (string, error) {
	if v.IsNull() {
		return words[0], nil
	}
	for _, w := range words {
		if strings.EqualFold(v.S, w) {
			return w, nil
		}
	}
	return "", fmt.Errorf("argument %s is %s, want %s%s", name, v.S, strings.Join(words, " or "),
		option.DidYouMean(v.S, words))
}

// openPair labels one pair.
func (m *model) openPair(ctx context.Context, rel *kind.Relation, args []value.Value,
	run *kind.Run) (kind.Rows, error) {
	k, term1, term2, f, err := m.asked(ctx, args, run)
	if err != nil {
		return nil, err
	}
	return kind.RowsOf(*rel, func(yield func([]value.Value) bool) {
		a := m.label(k, term1, term2, f)
		yield([]value.Value{value.Str(leaves[a.label].code), value.Str(leaves[a.label].name), orNull(a.dir.String()),
			value.Real(a.prob), orNull(a.rule)})
	}), nil
}

// asked reads the arguments of the relation pair.
func (m *model) asked(ctx context.Context, args []value.Value,
	run *kind.Run) (k *knowledge, term1, term2 string, f facts, err error) {
	term1, term2, f = strings.TrimSpace(args[0].S), strings.TrimSpace(args[1].S), unknown
	if term1 == "" || term2 == "" || term1 == term2 {
		return nil, "", "", f, fmt.Errorf("pair('%s', '%s') wants two different terms", term1, term2)
	}
	if v := args[2]; !v.IsNull() {
		if v.Int() < 1 || v.Int() > 1<<31-1 {
			return nil, "", "", f, fmt.Errorf("argument rank is %d, want 1 or more", v.Int())
		}
		f.rank = int(v.Int())
	}
	f.score, f.scored = number(args[3])
	for i, to := range []*float64{&f.count1, &f.count2, &f.contrast} {
		if v := args[4+i]; !v.IsNull() {
			if *to = v.Float(); !(*to >= 0 && *to <= maxWeight) {
				return nil, "", "", f, fmt.Errorf("argument %s is %v, want a number from 0 to %g", relation("pair").Args[4+i].Name,
					*to, maxWeight)
			}
		}
	}
	if k, err = m.opt.look(run.Resources); err != nil {
		return nil, "", "", f, err
	}
	f, err = k.complete(ctx, term1, term2, f, run)
	return k, term1, term2, f, err
}

func orNull(s string) value.Value {
	if s == "" {
		return value.Value{}
	}
	return value.Str(s)
}

func rankValue(rank int) value.Value {
	if rank == 0 {
		return value.Value{}
	}
	return value.Int(int64(rank))
}

func labelRows(yield func([]value.Value) bool) {
	for i, n := range leaves {
		if !yield([]value.Value{value.Str(n.code), value.Str(n.name), value.Str(n.parent), value.Int(int64(i + 1)),
			value.Bool(n.directed), value.Str(n.doc)}) {
			return
		}
	}
	for _, n := range unions {
		if !yield([]value.Value{value.Str(n.code), value.Str(n.name), orNull(n.parent), {}, value.Bool(false),
			value.Str(n.doc)}) {
			return
		}
	}
}

func (m *model) judgedRows(yield func([]value.Value) bool) {
	for i := range m.pairs {
		p := &m.pairs[i]
		if p.label == none {
			continue
		}
		given := make([]bool, len(leaves))
		for _, r := range p.ratings {
			given[r.label] = true
		}
		var codes []string
		for l, ok := range given {
			if ok {
				codes = append(codes, leaves[l].code)
			}
		}
		if !yield([]value.Value{value.Str(p.term1), value.Str(p.term2), rankValue(p.rank), value.Str(leaves[p.label].code),
			value.Str(leaves[p.label].name),
			orNull(p.dir.String()), value.Str(strings.Join(codes, ",")), value.Int(int64(len(byRater(p.ratings))))}) {
			return
		}
	}
}

func (m *model) labelledRows(yield func([]value.Value) bool) {
	for i := range m.pairs {
		p, a := &m.pairs[i], &m.answers[i]
		if !yield([]value.Value{value.Str(p.term1), value.Str(p.term2), rankValue(p.rank), value.Str(leaves[a.label].code),
			value.Str(leaves[a.label].name),
			orNull(a.dir.String()), value.Real(a.prob), orNull(a.rule)}) {
			return
		}
	}
}
