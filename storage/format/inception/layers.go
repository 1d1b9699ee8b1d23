package inception

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// flushUnits writes units of UTF-16 and empties the list.
func flushUnits(b *strings.Builder, units *[]uint16) {
	if len(*units) > 0 {
		b.WriteString(string(utf16.Decode(*units)))
		*units = nil
	}
}

// layer reads the columns of a layer; line is the one of a fault.
func (r *tsvReader) layer(l *tsvLayer) (line int, err error) {
	numbered := map[int]int{} // annotations of the layer by their numbers
	for i := range r.units {
		if err := r.looks(i); err != nil {
			return 0, err
		}
		u := &r.units[i]
		switch cells := u.cells[l.from : l.from+l.columns()]; l.kind {
		case "SP":
			err = r.spanCells(l, u, cells, numbered)
		case "CH":
			if l.features[0] == "referenceType" { // the file may have them in either order
				cells = []string{cells[1], cells[0]}
			}
			err = r.chainCells(u, cells)
		default:
			err = r.arcCells(l, u, cells)
		}
		if err != nil {
			return u.line, err
		}
	}
	return 0, nil
}

// spanCells reads the annotations of a layer in a row. Rows with the same number are one annotation.
func (r *tsvReader) spanCells(l *tsvLayer, u *tsvUnit, cells []string, numbered map[int]int) error {
	lists, first, err := l.lists(cells)
	if err != nil {
		return err
	}
	for i, first := range first {
		if at, ok := numbered[first.number]; ok && first.number > 0 {
			s := &r.in.spans[at]
			s.start, s.end = min(s.start, u.place[0]), max(s.end, u.place[1])
			continue
		}
		if first.number > 0 {
			numbered[first.number] = len(r.in.spans)
		}
		s := inceptionSpan{layer: l.name, start: u.place[0], end: u.place[1]}
		for k := 0; k < len(lists); k++ {
			if slot(l.features[k]) && k+1 < len(lists) {
				if err := r.slots(l.features[k], lists[k][i].value, lists[k+1][i].value, u.place); err != nil {
					return err
				}
				k++
				continue
			}
			if v := tsvPlain(lists[k][i].value); v != "" && lists[k][i].value != "_" {
				s.features = append(s.features, inceptionFeature{l.features[k], v})
			}
		}
		r.in.spans = append(r.in.spans, s)
	}
	return nil
}

// lists is the values of each column, as many in each. A column may have _ where others of the layer have values. first
// is the column that has the numbers.
func (l *tsvLayer) lists(cells []string) (lists [][]tsvValue, first []tsvValue, err error) {
	lists = make([][]tsvValue, len(cells))
	for k, cell := range cells {
		lists[k] = tsvValues(cell)
		if len(first) > 0 && len(lists[k]) > 0 && len(lists[k]) != len(first) {
			return nil, nil, fmt.Errorf("the columns of %s hold %d and %d annotations", l.name, len(first), len(lists[k]))
		}
		if len(first) == 0 {
			first = lists[k]
		}
	}
	for k := range lists {
		for len(lists[k]) < len(first) {
			lists[k] = append(lists[k], tsvValue{value: "*"})
		}
	}
	return lists, first, nil
}

// slots reads roles and their targets, which become relations from the place of the slot.
func (r *tsvReader) slots(feature, roles, targets string, place [2]int) error {
	if targets == "*" || targets == "_" || targets == "" {
		return nil
	}
	names, ids := cutEscaped(roles, ';'), cutEscaped(targets, ';')
	if len(names) != len(ids) {
		return fmt.Errorf("%d roles have %d targets", len(names), len(ids))
	}
	for i, name := range names {
		id, _, _ := strings.Cut(ids[i], "[")
		at, ok := r.byID[id]
		if !ok {
			return fmt.Errorf("there is no %s that a slot names", id)
		}
		label := tsvPlain(name)
		if label == "" {
			_, label, _ = strings.Cut(strings.TrimPrefix(feature, "ROLE_"), ":")
			label, _, _ = strings.Cut(label, "_")
		}
		r.in.arcs = append(r.in.arcs, inceptionArc{shortName(feature), label, place, r.units[at].place})
	}
	return nil
}

var (
	tsvLink   = regexp.MustCompile(`(?s)^(.*)->([0-9]+)-([0-9]+)$`)
	tsvSource = regexp.MustCompile(`^([0-9]+-[0-9]+(?:\.[0-9]+)?)(?:\[([0-9]+)_([0-9]+)\])?$`)
)

// chainCells reads the links of chains in a row: the relation and the place in the chain, and the type with the chain.
func (r *tsvReader) chainCells(u *tsvUnit, cells []string) error {
	if cells[0] == "_" {
		return nil
	}
	links, kinds := cutEscaped(cells[0], '|'), tsvValues(cells[1])
	if len(links) != len(kinds) {
		return fmt.Errorf("the columns of a chain hold %d and %d links", len(links), len(kinds))
	}
	for i, s := range links {
		m := tsvLink.FindStringSubmatch(s)
		if m == nil {
			return fmt.Errorf("%q is no link of a chain such as coref->1-2", s)
		}
		cluster, key := m[2], m[2]+"-"+m[3]
		if r.linkAt == nil {
			r.linkAt = map[string]int{}
		}
		if at, ok := r.linkAt[key]; ok {
			k := &r.in.links[at]
			k.start, k.end = min(k.start, u.place[0]), max(k.end, u.place[1])
			continue
		}
		r.linkAt[key] = len(r.in.links)
		r.in.links = append(r.in.links, inceptionLink{cluster, tsvPlain(kinds[i].value), u.place[0], u.place[1]})
	}
	return nil
}

// arcCells reads the relations that end in a row: values, and where they come from.
func (r *tsvReader) arcCells(l *tsvLayer, u *tsvUnit, cells []string) error {
	last := len(cells) - 1
	if cells[last] == "_" {
		return nil
	}
	sources := cutEscaped(cells[last], '|')
	values := slices.Repeat([]string{"*"}, len(sources)) // of relations without features
	if last > 0 {
		values = cutEscaped(cells[0], '|')
	}
	for k, name := range l.features {
		if name == "DependencyType" || name == "label" || name == "value" {
			values = cutEscaped(cells[k], '|')
		}
	}
	if len(values) != len(sources) {
		return fmt.Errorf("%d relations of %s have %d values", len(sources), l.name, len(values))
	}
	for i, s := range sources {
		m := tsvSource.FindStringSubmatch(s)
		if m == nil {
			return fmt.Errorf("%q is no source of a relation such as 1-3 or 1-3[2_1]", s)
		}
		at, ok := r.byID[m[1]]
		if !ok {
			return fmt.Errorf("there is no %s, where a relation comes from", m[1])
		}
		a := inceptionArc{layer: l.name, label: tsvPlain(values[i])}
		if a.label == "" && l.name != typeArc {
			a.label = shortName(l.name)
		}
		from, _ := strconv.Atoi(m[2])
		to, _ := strconv.Atoi(m[3])
		a.from, a.to = r.annotated(l.base, &r.units[at], from), r.annotated(l.base, u, to)
		r.in.arcs = append(r.in.arcs, a)
	}
	return nil
}

// annotated is the place of the annotation of a layer at a row: that of a number, or the only one there, or the row
// itself.
func (r *tsvReader) annotated(layer string, u *tsvUnit, number int) [2]int {
	for _, l := range r.layers {
		if l.kind != "SP" || l.name != layer {
			continue
		}
		values := tsvValues(u.cells[l.from])
		if number == 0 && len(values) == 1 {
			number = values[0].number
		}
		if number > 0 {
			if place, ok := r.placeOf(l, number); ok {
				return place
			}
		}
	}
	return u.place
}

// placeOf is the place of a numbered annotation.
func (r *tsvReader) placeOf(l *tsvLayer, number int) (place [2]int, ok bool) {
	if l.places == nil {
		l.places = map[int][2]int{}
		for i := range r.units {
			u := &r.units[i]
			for _, v := range tsvValues(u.cells[l.from]) {
				p, ok := l.places[v.number]
				if !ok {
					p = u.place
				}
				l.places[v.number] = [2]int{min(p[0], u.place[0]), max(p[1], u.place[1])}
			}
		}
	}
	place, ok = l.places[number]
	return place, ok
}
