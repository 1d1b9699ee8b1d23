package tuples

import (
	"context"
	"slices"
	"sort"
	"strings"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/storage/value"
)

var (
	colNoun  = kind.Column{Name: "noun", Type: value.Text, Doc: "noun: common ones in lower case"}
	colNoun1 = kind.Column{Name: "noun1", Type: value.Text, Doc: "first noun"}
	colNoun2 = kind.Column{Name: "noun2", Type: value.Text, Doc: "second noun"}
	colName  = kind.Column{Name: "name", Type: value.Boolean, Doc: "it is a name"}
	colSlot  = kind.Column{Name: "slot", Type: value.Text,
		Doc: "slot: nsubj, obj, iobj, obl: with a preposition; of passives as in the active voice"}
	colPredicate = kind.Column{Name: "predicate", Type: value.Text,
		Doc: "verb by its lemma, with its particle as in take_off"}
	colNegated = kind.Column{Name: "negated", Type: value.Boolean, Doc: "it is denied"}
	colPassive = kind.Column{Name: "passive", Type: value.Boolean, Doc: "it is in the passive voice"}
	colCount   = kind.Column{Name: "count", Type: value.Integer, Doc: "occurrences"}
	colDoc     = kind.Column{Name: "doc", Type: value.Text,
		Doc: "document of the first sentence that is kept as evidence, NULL where none is"}
	colSent = kind.Column{Name: "sent", Type: value.Integer, Doc: "number of that sentence in it"}
	colPath = kind.Column{Name: "path", Type: value.Text,
		Doc: "path from X, the first noun, to Y: <slot goes up to what governs, >slot down; /n, /a, /o after words " +
			"that are no verbs"}
	colPattern = kind.Column{Name: "pattern", Type: value.Text, Doc: "words between X and Y"}
	colConn    = kind.Column{Name: "connective", Type: value.Text,
		Doc: "word that joins the clauses; conj, parataxis and ving where there is none"}
	colType = kind.Column{Name: "type", Type: value.Text,
		Doc: "and, or but where the second clause goes against what the first lets expect"}
	colCausal    = kind.Column{Name: "causal", Type: value.Boolean, Doc: "the connective says that one is the cause"}
	placeColumns = []kind.Column{{Name: "doc", Type: value.Text, Doc: "document"},
		{Name: "sent", Type: value.Integer, Doc: "number of the sentence in it, from 1"}}
)

func numbered(c kind.Column, n, of string) kind.Column {
	c.Name += n
	c.Doc = of + ": " + c.Doc
	return c
}

func textArg(name, doc string, optional bool) kind.Arg {
	return kind.Arg{Name: name, Type: value.Text, Doc: doc, Optional: optional}
}

// relations are what the model answers.
var relations = []kind.Relation{
	{Name: "tuples", Doc: "nouns in the slots of predicates, by predicate, then slot, polarity, voice and noun",
		Columns: []kind.Column{colNoun, colSlot, colPredicate, colNegated, colPassive, colName, colCount, colDoc,
			colSent}},
	{Name: "clauses",
		Doc: "pairs of clauses that a connective joins, each with a noun in a slot, the first event first",
		Columns: []kind.Column{colNoun1, numbered(colSlot, "1", "of the first event"),
			numbered(colPredicate, "1", "of the first event"), numbered(colNegated, "1", "the first event"),
			numbered(colPassive, "1", "the first event"), colNoun2, numbered(colSlot, "2", "of the second event"),
			numbered(colPredicate, "2", "of the second event"), numbered(colNegated, "2", "the second event"),
			numbered(colPassive, "2", "the second event"), colConn, colType, colCausal,
			numbered(colName, "1", "first noun"), numbered(colName, "2", "second noun"), colCount, colDoc, colSent}},
	{Name: "paths",
		Doc:     "pairs of nouns of a sentence, in its order, with the path of dependencies between them, by path",
		Columns: []kind.Column{colNoun1, colNoun2, colPath, colCount, colDoc, colSent}},
	{Name: "surface", Doc: "neighbouring nouns with the words between them, by these",
		Columns: []kind.Column{colNoun1, colNoun2, colPattern, colCount, colDoc, colSent}},
	{Name: "templates", Doc: "predicates with a slot, and how often it is filled",
		Columns: []kind.Column{colPredicate, colSlot, colNegated, colPassive, colCount,
			{Name: "nouns", Type: value.Integer, Doc: "number of different nouns"}}},
	{Name: "nouns", Doc: "nouns of the text",
		Columns: []kind.Column{colNoun, colName,
			{Name: "count", Type: value.Integer, Doc: "occurrences in slots of predicates"},
			{Name: "frequency", Type: value.Integer, Doc: "occurrences in the text"}}},
	{Name: "patterns", Doc: "paths, and the partial patterns that they consist of", Columns: []kind.Column{colPath,
		colCount,
		{Name: "pairs", Type: value.Integer, Doc: "number of different pairs of nouns"},
		{Name: "partial_x", Type: value.Text,
			Doc: "from X up to the verb or adjective that both nouns hang on, NULL where it is another word or one " +
				"of them"},
		{Name: "partial_y", Type: value.Text, Doc: "from that word down to Y"}}},
	{Name: "evidence", Doc: "sentences in which a noun fills a slot",
		Columns: append([]kind.Column{colSlot, colPredicate, colNegated, colPassive}, placeColumns...),
		Args: []kind.Arg{textArg("noun", "noun", false), textArg("predicate", "verb; any if left out", true),
			textArg("slot", "slot; any if left out", true)}},
	{Name: "clause_evidence", Doc: "sentences with two clauses",
		Columns: append([]kind.Column{numbered(colSlot, "1", "of the first event"),
			numbered(colSlot, "2", "of the second event"), colConn}, placeColumns...),
		Args: []kind.Arg{textArg("predicate1", "verb of the first event", false), textArg("noun1", "its noun", false),
			textArg("predicate2", "verb of the second event", false), textArg("noun2", "its noun", false)}},
	{Name: "path_evidence", Doc: "sentences with two nouns, in this order, and the path between them",
		Columns: append([]kind.Column{colPath}, placeColumns...),
		Args: []kind.Arg{textArg("noun1", "noun", false), textArg("noun2", "noun", false),
			textArg("path", "path; any if left out", true)}},
}

// Open opens a relation.
func (m *model) Open(ctx context.Context, rel string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	at := slices.IndexFunc(relations, func(r kind.Relation) bool { return r.Name == rel })
	if at < 0 {
		return nil, kind.ErrNoRelation
	}
	s, r := m.store, relations[at]
	switch rel {
	case "tuples":
		return s.listed(r, ofTuples, func(i int, row []value.Value) []value.Value {
			t := &s.table[ofTuples]
			return append(append(append(row, s.noun(t.noun1[i])), s.templateValues(t.pattern[i])...),
				s.isName(t.noun1[i]))
		}), nil
	case "clauses":
		return s.listed(r, ofClauses, s.clauseValues), nil
	case "paths", "surface":
		k := ofPaths
		if rel == "surface" {
			k = ofSurface
		}
		return s.listed(r, k, func(i int, row []value.Value) []value.Value {
			t := &s.table[k]
			return append(row, s.noun(t.noun1[i]), s.noun(t.noun2[i]), value.Str(s.patterns[k][t.pattern[i]]))
		}), nil
	case "templates":
		return s.templateRows(r), nil
	case "nouns":
		return s.nounRows(r), nil
	case "patterns":
		return s.patternRows(r), nil
	}
	return s.evidenceRows(ctx, r, args)
}

// listed is the rows of a table: what row appends, the count, and the first sentence.
func (s *store) listed(rel kind.Relation, k int, row func(i int, to []value.Value) []value.Value) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		t := &s.table[k]
		var buf []value.Value
		for i := range t.len() {
			buf = append(row(i, buf[:0]), value.Int(int64(t.count[i])))
			if refs := t.evidence(i); len(refs) > 0 {
				id, sent := s.placeOf(refs[0])
				buf = append(buf, value.Str(id), value.Int(int64(sent)))
			} else {
				buf = append(buf, value.Value{}, value.Value{})
			}
			if !yield(buf) {
				return
			}
		}
	})
}

func (s *store) noun(i uint32) value.Value { return value.Str(strings.TrimSuffix(s.nouns[i], name)) }

func (s *store) isName(i uint32) value.Value { return value.Bool(strings.HasSuffix(s.nouns[i], name)) }

// templateValues is slot, predicate, negated, passive.
func (s *store) templateValues(i uint32) []value.Value {
	p, slot, negated, passive := templateParts(s.templates[i])
	return []value.Value{value.Str(slot), value.Str(p), value.Bool(negated), value.Bool(passive)}
}

func (s *store) clauseValues(i int, row []value.Value) []value.Value {
	t := &s.table[ofClauses]
	f := s.forms[t.pattern[i]]
	row = append(append(row, s.noun(t.noun1[i])), s.templateValues(f.first)...)
	row = append(append(row, s.noun(t.noun2[i])), s.templateValues(f.second)...)
	c := strings.Split(s.conns[f.conn], "\t")
	return append(row, value.Str(c[0]), value.Str(c[1]), value.Bool(len(c) > 2), s.isName(t.noun1[i]),
		s.isName(t.noun2[i]))
}

// groups yields the rows of each pattern of a table: from, to and the sum of counts.
func (t *rows) groups(yield func(pattern uint32, from, to int, count int64) bool) {
	for from := 0; from < t.len(); {
		to, sum := from, int64(0)
		for ; to < t.len() && t.pattern[to] == t.pattern[from]; to++ {
			sum += int64(t.count[to])
		}
		if !yield(t.pattern[from], from, to, sum) {
			return
		}
		from = to
	}
}

func (s *store) templateRows(rel kind.Relation) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		s.table[ofTuples].groups(func(p uint32, from, to int, sum int64) bool {
			v := s.templateValues(p)
			return yield([]value.Value{v[1], v[0], v[2], v[3], value.Int(sum), value.Int(int64(to - from))})
		})
	})
}

func (s *store) patternRows(rel kind.Relation) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		s.table[ofPaths].groups(func(p uint32, from, to int, sum int64) bool {
			path := s.patterns[ofPaths][p]
			row := []value.Value{value.Str(path), value.Int(sum), value.Int(int64(to - from)), {}, {}}
			if x, y, ok := template.Partial(path); ok {
				row[3], row[4] = value.Str(x), value.Str(y)
			}
			return yield(row)
		})
	})
}

func (s *store) nounRows(rel kind.Relation) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		total := make([]int64, len(s.nouns))
		t := &s.table[ofTuples]
		for i, n := range t.noun1 {
			total[n] += int64(t.count[i])
		}
		for i := range s.nouns {
			if !yield([]value.Value{s.noun(uint32(i)), s.isName(uint32(i)), value.Int(total[i]),
				value.Int(int64(s.freq[i]))}) {
				return
			}
		}
	})
}

// find is the numbers of a noun as a common noun and as a name.
func (s *store) find(noun string) (out []uint32) {
	for _, key := range []string{noun, noun + name} {
		if i, ok := slices.BinarySearch(s.nouns, key); ok {
			out = append(out, uint32(i))
		}
	}
	return out
}

func (s *store) evidenceRows(ctx context.Context, rel kind.Relation, args []value.Value) (kind.Rows, error) {
	nouns := [2][]uint32{}
	at := map[string][]int{"evidence": {0}, "clause_evidence": {1, 3}, "path_evidence": {0, 1}}[rel.Name]
	for k, i := range at {
		if nouns[k] = s.find(args[i].S); nouns[k] == nil {
			return nil, s.unknown(args[i].S)
		}
	}
	arg := func(i int) string {
		if i < len(args) {
			return args[i].S
		}
		return ""
	}
	one := func(i int, t *rows) bool { return slices.Contains(nouns[0], t.noun1[i]) }
	both := func(i int, t *rows) bool { return one(i, t) && slices.Contains(nouns[1], t.noun2[i]) }
	switch rel.Name {
	case "evidence":
		return s.found(ctx, rel, ofTuples, s.withPrefix(arg(1)), one, func(p uint32) []value.Value {
			if v := s.templateValues(p); (arg(1) == "" || v[1].S == arg(1)) && (arg(2) == "" || v[0].S == arg(2)) {
				return v
			}
			return nil
		}), nil
	case "clause_evidence":
		return s.found(ctx, rel, ofClauses, s.formsOf(arg(0)), both, func(p uint32) []value.Value {
			f := s.forms[p]
			a, b := s.templateValues(f.first), s.templateValues(f.second)
			if a[1].S != arg(0) || b[1].S != arg(2) {
				return nil
			}
			word, _, _ := strings.Cut(s.conns[f.conn], "\t")
			return []value.Value{a[0], b[0], value.Str(word)}
		}), nil
	}
	within := func() (int, int) { return 0, s.table[ofPaths].len() }
	if arg(2) != "" {
		p, ok := slices.BinarySearch(s.patterns[ofPaths], arg(2))
		if !ok {
			return nil, &kind.Unknown{What: "path", Name: arg(2), Known: s.patterns[ofPaths]}
		}
		within = func() (int, int) { return s.table[ofPaths].of(uint32(p)) }
	}
	return s.found(ctx, rel, ofPaths, within, both,
		func(p uint32) []value.Value { return []value.Value{value.Str(s.patterns[ofPaths][p])} }), nil
}

func (s *store) unknown(noun string) error {
	known := make([]string, len(s.nouns))
	for i, n := range s.nouns {
		known[i] = strings.TrimSuffix(n, name)
	}
	return &kind.Unknown{What: "noun", Name: noun, Known: known}
}

// templatesOf is the templates [from, to) of a predicate.
func (s *store) templatesOf(predicate string) (int, int) {
	from := sort.SearchStrings(s.templates, predicate+"\t")
	return from, from + sort.Search(len(s.templates)-from,
		func(i int) bool { return !strings.HasPrefix(s.templates[from+i], predicate+"\t") })
}

// withPrefix is the rows of the templates of a predicate, all for "".
func (s *store) withPrefix(predicate string) func() (int, int) {
	return func() (int, int) {
		t := &s.table[ofTuples]
		if predicate == "" {
			return 0, t.len()
		}
		a, b := s.templatesOf(predicate)
		from, _ := t.of(uint32(a))
		to, _ := t.of(uint32(b))
		return from, to
	}
}

// formsOf is the rows of clauses whose first event has a predicate.
func (s *store) formsOf(predicate string) func() (int, int) {
	return func() (int, int) {
		a, b := s.templatesOf(predicate)
		low := sort.Search(len(s.forms), func(i int) bool { return int(s.forms[i].first) >= a })
		high := sort.Search(len(s.forms), func(i int) bool { return int(s.forms[i].first) >= b })
		from, _ := s.table[ofClauses].of(uint32(low))
		to, _ := s.table[ofClauses].of(uint32(high))
		return from, to
	}
}

// found lists the sentences of the rows that match: what values gives of their pattern, nil for none, and the place.
func (s *store) found(ctx context.Context, rel kind.Relation, k int, within func() (int, int), match func(int,
	*rows) bool,
	values func(pattern uint32) []value.Value) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		t := &s.table[k]
		from, to := within()
		for i := from; i < to; i++ {
			if i&0xffff == 0 && ctx.Err() != nil {
				return
			}
			if !match(i, t) {
				continue
			}
			v := values(t.pattern[i])
			if v == nil {
				continue
			}
			for _, ref := range t.evidence(i) {
				id, sent := s.placeOf(ref)
				if !yield(append(slices.Clone(v), value.Str(id), value.Int(int64(sent)))) {
					return
				}
			}
		}
	})
}
