package excitation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/lexical/cooccurrence"
	"parlance/storage/value"
)

// event is a pair of clauses.
type event struct {
	first, second uint32 // templates
	noun1, noun2  uint32
	count         float64
	sign          int8 // a: of the connective and the negations
	not1, not2    bool // the verbs are denied
	and, causal   bool // type of the connective
}

// events are all pairs of clauses with frequent templates.
type events struct {
	templates []template.Template // sorted
	freq      []float64           // occurrences in pairs of clauses
	nouns     []string
	list      []event
}

// denied is put before verbs that are denied, with negation = separate.
const denied = "not_"

// readEvents reads the pairs of clauses. Nouns are numbered as they come first, templates in order.
func (m *model) readEvents(ctx context.Context, t kind.Table) (*events, error) {
	number, nouns := map[template.Template]uint32{}, cooccurrence.NewTexts()
	var found []template.Template
	var list []event
	numberOf := func(predicate, slot string, negated bool) uint32 {
		if negated && m.opt.negation == "separate" {
			predicate = denied + predicate
		}
		k := template.Template{Predicate: predicate, Slot: slot}
		i, ok := number[k]
		if !ok {
			i = uint32(len(found))
			k = template.Template{Predicate: strings.Clone(predicate), Slot: strings.Clone(slot)}
			number[k] = i
			found = append(found, k)
		}
		return i
	}
	n := 0
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if n++; n&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e, ok, err := m.event(row, n)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		e.first, e.second = numberOf(row[2].S, row[1].S, e.not1), numberOf(row[6].S, row[5].S, e.not2)
		e.noun1, e.noun2 = nouns.Number(row[0].S), nouns.Number(row[4].S)
		list = append(list, e)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return m.frequent(found, nouns.List, list, n)
}

// event reads a row, false where it does not count.
func (m *model) event(row []value.Value, n int) (e event, ok bool, err error) {
	for i := range 12 {
		if row[i].IsNull() {
			return e, false, fmt.Errorf("row %d of the clauses: column %s may not be NULL", n,
				template.Clauses.Columns[i].Name)
		}
	}
	e = event{count: row[11].Float(), not1: row[3].Bool(), not2: row[7].Bool(), and: row[9].S == "and",
		causal: row[10].Bool(), sign: 1}
	if e.count == 0 || !cooccurrence.IsCount(e.count) {
		return e, false, fmt.Errorf("row %d of the clauses: the count is %v, a number from %v to %v is wanted", n,
			e.count, cooccurrence.MinCount, cooccurrence.MaxCount)
	}
	if !e.and && row[9].S != "but" {
		return e, false, fmt.Errorf("row %d of the clauses: the type is '%s'; and or but is wanted", n, row[9].S)
	}
	yes := func(i int) bool { return i < len(row) && !row[i].IsNull() && row[i].Bool() }
	o := &m.opt
	if !o.names && (yes(12) || yes(13)) || slices.Contains(o.vague, row[2].S) || slices.Contains(o.vague, row[6].S) ||
		slices.Contains(o.skip, row[8].S) || !m.wants(row[1].S) || !m.wants(row[5].S) {
		return e, false, nil
	}
	if !e.and {
		e.sign = -1
	}
	if o.negation == "flip" && e.not1 != e.not2 {
		e.sign = -e.sign
	}
	return e, true, nil
}

func (m *model) wants(slot string) bool {
	return len(m.opt.slots) == 0 || slices.Contains(m.opt.slots, slot)
}

// frequent leaves out the templates that occur too seldom, with their events.
func (m *model) frequent(found []template.Template, nouns []string, list []event, rows int) (*events, error) {
	freq := make([]float64, len(found))
	for _, e := range list {
		freq[e.first] += e.count
		freq[e.second] += e.count
	}
	e := &events{nouns: nouns}
	for i, t := range found {
		if freq[i] >= float64(m.opt.minTemplate) {
			e.templates = append(e.templates, t)
		}
	}
	if len(e.templates) == 0 {
		return nil, fmt.Errorf("%w: of %d templates in %d pairs of clauses none occurs %d times", kind.ErrNoData,
			len(found), rows, m.opt.minTemplate)
	}
	slices.SortFunc(e.templates, template.Compare)
	final := make([]int, len(found))
	e.freq = make([]float64, len(e.templates))
	for i, t := range found {
		final[i] = -1
		if at, ok := slices.BinarySearchFunc(e.templates, t, template.Compare); ok {
			final[i] = at
			e.freq[at] = freq[i]
		}
	}
	for _, x := range list {
		if a, b := final[x.first], final[x.second]; a >= 0 && b >= 0 {
			x.first, x.second = uint32(a), uint32(b)
			e.list = append(e.list, x)
		}
	}
	return e, nil
}
