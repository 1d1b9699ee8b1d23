package knowledge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/relation"
	"parlance/storage/table"
	"parlance/storage/value"
)

// RowError is the error of a row of a knowledge base.
type RowError struct {
	Msg    string
	Needed bool // other rows refer to it
	Taken  bool // its key exists
}

func (e *RowError) Error() string { return e.Msg }

func rowError(format string, args ...any) error { return &RowError{Msg: fmt.Sprintf(format, args...)} }

// foundRow is a row as the change leaves it, in memory or stored.
type foundRow struct {
	waits bool
	place int // index among the new rows, for a row in memory
	id    uint64
	row   []value.Value
}

// group returns the rows with a key, in the order of their numbers.
func (c *Change) group(r relation.Reader, p *part, key []value.Value) (out []foundRow, err error) {
	return c.coded(r, p, key, c.keyOf(key))
}

// keyOf returns the codes of a key.
func (c *Change) keyOf(key []value.Value) (k rowKey) {
	for i, v := range key {
		k[i] = c.words.code(v)
	}
	return k
}

// coded is group with the codes of the key.
func (c *Change) coded(r relation.Reader, p *part, key []value.Value, k rowKey) (out []foundRow, err error) {
	if p.stored == nil || p.stored.has(key) {
		if out, err = p.lookUp(r, p.Indexes[0], key); err != nil {
			return nil, err
		}
	}
	for _, i := range p.fresh.find(k) {
		out = append(out, foundRow{waits: true, place: i, row: p.fresh.row(i)})
	}
	return out, nil
}

// lookUp returns the stored rows that an index finds for values of its first columns, in the order of their numbers.
func (p *part) lookUp(r relation.Reader, cols []string, key []value.Value) (out []foundRow, err error) {
	err = p.each(r, cols, key, func(id uint64, row []value.Value) bool {
		out = append(out, foundRow{id: id, row: row})
		return true
	})
	slices.SortFunc(out, func(a, b foundRow) int { return cmp.Compare(a.id, b.id) })
	return out, err
}

// each visits the stored rows that an index finds for values of its first columns, until visit returns false.
func (p *part) each(r relation.Reader, cols []string, key []value.Value,
	visit func(id uint64, row []value.Value) bool) error {
	if len(p.d.State.Gens) == 0 {
		return nil
	}
	from, to := (&catalog.KeyRange{Equal: key}).Entries(cols)
	var failed error
	err := p.d.Rows().Find(context.Background(), r, p.o.TableIndex(cols), []relation.Range{{From: from, To: to}},
		func(id uint64) bool {
			row, err := p.row(r, id)
			if err != nil {
				failed = err
				return false
			}
			// Keys of long values are truncated, and a changed row may have other values.
			return row == nil || !p.matches(row, cols, key) || visit(id, row)
		})
	return errors.Join(err, failed)
}

func (p *part) matches(row []value.Value, cols []string, key []value.Value) bool {
	for i, v := range key {
		if row[p.o.Column(cols[i])] != v {
			return false
		}
	}
	return true
}

// any reports whether a row, stored or in memory, has the value in the first column of an index.
func (c *Change) any(r relation.Reader, p *part, index int, v value.Value) (bool, error) {
	cols := p.Indexes[index]
	found := false
	err := p.each(r, cols, []value.Value{v}, func(uint64, []value.Value) bool {
		found = true
		return false
	})
	if err != nil || found {
		return found, err
	}
	at := p.o.Column(cols[0])
	for _, row := range p.changed { // a changed row may have got the value
		if row != nil && row[at] == v {
			return true, nil
		}
	}
	return p.fresh.having(at, v), nil
}

// set gives a row other values with the same key.
func (c *Change) set(p *part, r foundRow, row []value.Value) {
	if r.waits {
		p.fresh.set(r.place, row)
	} else {
		p.changed[r.id] = slices.Clone(row)
	}
}

func (c *Change) append(p *part, row []value.Value) { p.fresh.add(row, c.keyOf(row[:p.Key])) }

// add merges a row.
func (c *Change) add(r relation.Reader, p *part, row []value.Value) error {
	if err := table.CheckRow(p.o, row); err != nil {
		return err
	}
	row, err := p.complete(row)
	if err != nil {
		return err
	}
	switch p.Name {
	case catalog.Triples:
		return c.addTriple(r, p, row)
	case catalog.Entities, catalog.Types:
		return c.addPair(r, p, row)
	case catalog.Relations:
		return c.addRelation(r, p, row)
	}
	found, err := c.group(r, p, row[:p.Key])
	switch {
	case err != nil:
		return err
	case len(found) == 0:
		c.append(p, row)
	case c.RefuseExisting:
		return p.taken(row, p.Key)
	case p.Name == catalog.Rules:
		c.replace(p, found[0], row)
	default:
		c.enrich(p, found[0], row)
	}
	if p.Name == catalog.Aliases {
		return c.entity(r, row[0], c.words.code(row[0]))
	}
	return nil
}

// complete checks the values of a row and returns them with missing ones filled in, valid until the next call.
func (p *part) complete(row []value.Value) ([]value.Value, error) {
	p.room = append(p.room[:0], row...)
	row = p.room
	for i := range p.Columns {
		name := p.Columns[i].Name
		required := i < p.Key || p.Name == catalog.Aliases
		switch v := &row[i]; {
		case required && v.IsNull() && p.Name == catalog.Triples && name == "object":
			return nil, rowError("column %s of %s is NULL: a fact about an entity alone is a type in the table of entities, "+
				"or a row of a lexicon that TRAIN takes AS triples", name, p.o.Name)
		case required && v.IsNull():
			return nil, rowError("column %s of %s is NULL", name, p.o.Name)
		case v.T == value.Text && strings.TrimSpace(v.S) == "":
			return nil, rowError("column %s of %s is empty", name, p.o.Name)
		case name == "weight" && v.IsNull():
			*v = value.Real(1)
		case name == "weight":
			if w := math.Float64frombits(v.N); math.IsNaN(w) || math.IsInf(w, 0) || w < 0 {
				return nil, rowError("weight %v of %s: a weight is a number from 0 on", w, p.describe(row))
			}
		case name == "truth" && v.IsNull():
			*v = value.Bool(true)
		case name == "count" && !v.IsNull():
			return nil, rowError("column count of %s is kept by the database: name the columns (relation, domain, range)",
				p.o.Name)
		}
	}
	return row, nil
}

// describe names a row in errors.
func (p *part) describe(row []value.Value) string {
	return p.describeBy(row, p.Key)
}

// describeBy names a row by some of its first columns.
func (p *part) describeBy(row []value.Value, columns int) string {
	parts := make([]string, columns)
	for i := range parts {
		parts[i] = row[i].S
	}
	one := map[string]string{catalog.Triples: "triple", catalog.Entities: "entity", catalog.Aliases: "alias",
		catalog.Relations: "relation", catalog.Types: "type",
		catalog.Rules: "rule"}
	if columns == 1 {
		return one[p.Name] + " " + parts[0]
	}
	return one[p.Name] + " (" + strings.Join(parts, ", ") + ")"
}

// taken is the error of a row whose key, some of its first columns, exists.
func (p *part) taken(row []value.Value, columns int) error {
	return &RowError{Msg: p.describeBy(row, columns) + " is there already", Taken: true}
}

// replace replaces a row by a later one with the same key.
func (c *Change) replace(p *part, old foundRow, row []value.Value) {
	c.Duplicates++
	if !c.KeepExisting && !slices.Equal(old.row, row) {
		c.set(p, old, row)
	}
}

// enrich fills a row's added columns with the values of another row of its key.
func (c *Change) enrich(p *part, old foundRow, row []value.Value) {
	if next := p.further(old.row, row); !c.KeepExisting && !slices.Equal(next, old.row) {
		c.set(p, old, next)
	}
}

// further is a row whose NULLs in added columns are replaced by the values of an old row.
func (p *part) further(old, row []value.Value) []value.Value {
	out := slices.Clone(row)
	for i := len(p.Columns); i < min(len(out), len(old)); i++ {
		if out[i].IsNull() {
			out[i] = old[i]
		}
	}
	return out
}

func (c *Change) addTriple(r relation.Reader, p *part, row []value.Value) error {
	key := c.keyOf(row[:3])
	found, err := c.coded(r, p, row[:3], key)
	if err != nil {
		return err
	}
	if len(found) > 0 && c.RefuseExisting {
		return p.taken(row, p.Key)
	}
	if len(found) > 0 {
		c.replace(p, found[0], row)
		return nil
	}
	p.fresh.add(row, key)
	c.words.triples[key[1]]++
	if err := c.entity(r, row[0], key[0]); err != nil {
		return err
	}
	if err := c.entity(r, row[2], key[2]); err != nil {
		return err
	}
	if c.words.known[key[1]]&relationKnown != 0 {
		return nil
	}
	c.words.known[key[1]] |= relationKnown
	rel := c.part(catalog.Relations)
	if found, err = c.coded(r, rel, row[1:2], rowKey{key[1]}); err == nil && len(found) == 0 {
		rel.fresh.add([]value.Value{row[1], {}, {}, value.Int(0)}, rowKey{key[1]})
	}
	return err
}

// entity adds an entity, whose code is given, if it is new.
func (c *Change) entity(r relation.Reader, name value.Value, code uint32) error {
	if c.words.known[code]&entityKnown != 0 {
		return nil
	}
	p := c.part(catalog.Entities)
	found, err := c.coded(r, p, []value.Value{name}, rowKey{code})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		p.fresh.add([]value.Value{name}, rowKey{code})
	}
	c.words.known[code] |= entityKnown
	return nil
}

// typ adds a type, if it is new.
func (c *Change) typ(r relation.Reader, name value.Value) error {
	if name.IsNull() {
		return nil
	}
	return c.addPair(r, c.part(catalog.Types), []value.Value{name, {}})
}

// addPair adds an entity with a type, or a type with a parent. NULL stands for none: such a row is removed when the
// first type or parent is added.
func (c *Change) addPair(r relation.Reader, p *part, row []value.Value) error {
	found, err := c.group(r, p, row[:1])
	if err != nil {
		return err
	}
	if same := slices.IndexFunc(found, func(r foundRow) bool { return r.row[1] == row[1] }); same >= 0 {
		if c.RefuseExisting && !row[1].IsNull() { // a row that only names it adds it, and is no duplicate
			return p.taken(row, 2)
		}
		c.enrich(p, found[same], row)
		return nil
	}
	if p.Name == catalog.Types && !row[1].IsNull() {
		if err := c.acyclic(p, r, row); err != nil {
			return err
		}
	}
	none := slices.IndexFunc(found, func(r foundRow) bool { return r.row[1].IsNull() })
	switch {
	case none >= 0:
		c.set(p, found[none], p.further(found[none].row, row))
	case len(found) == 0 || !row[1].IsNull():
		c.append(p, row)
	default:
		return nil
	}
	return c.typ(r, row[1])
}

// acyclic refuses a parent that is the type itself or a subtype of it.
func (c *Change) acyclic(p *part, r relation.Reader, row []value.Value) error {
	path, err := c.path(p, r, row[1], row[0], map[string]bool{})
	if err != nil || path == nil {
		return err
	}
	return rowError("the types would run in a circle: %s, %s", row[0].S, strings.Join(path, ", "))
}

// path returns the types on a path upwards from one type to another, nil if there is none.
func (c *Change) path(p *part, r relation.Reader, from, to value.Value, seen map[string]bool) ([]string, error) {
	if from == to {
		return []string{to.S}, nil
	}
	if seen[from.S] {
		return nil, nil
	}
	seen[from.S] = true
	found, err := c.group(r, p, []value.Value{from})
	if err != nil {
		return nil, err
	}
	for _, x := range found {
		if x.row[1].IsNull() {
			continue
		}
		if path, err := c.path(p, r, x.row[1], to, seen); err != nil || path != nil {
			return append([]string{from.S}, path...), err
		}
	}
	return nil, nil
}

// addRelation adds a relation, or sets the domain and range of an existing one.
func (c *Change) addRelation(r relation.Reader, p *part, row []value.Value) error {
	found, err := c.group(r, p, row[:1])
	if err != nil {
		return err
	}
	if len(found) == 0 {
		row[3] = value.Int(0)
		c.append(p, row)
	} else {
		old := found[0].row
		row[3] = old[3]
		for i := 1; i < 3; i++ {
			if c.RefuseExisting && !row[i].IsNull() && !old[i].IsNull() {
				return p.taken(row, p.Key)
			}
			if row[i].IsNull() || c.KeepExisting && !old[i].IsNull() {
				row[i] = old[i]
			}
		}
		if !slices.Equal(old, row) {
			c.set(p, found[0], row)
		}
	}
	return errors.Join(c.typ(r, row[1]), c.typ(r, row[2]))
}

// recount updates the numbers of triples of the relations.
func (c *Change) recount(r relation.Reader) error {
	p := c.part(catalog.Relations)
	c.foldCounts()
	for name, d := range c.counts {
		if d == 0 {
			continue
		}
		found, err := c.group(r, p, []value.Value{value.Str(name)})
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("%w: %s lacks the relation %s", dbfile.ErrCorrupt, p.o.Name, name)
		}
		row := slices.Clone(found[0].row)
		row[3] = value.Int(int64(row[3].N) + int64(d))
		c.set(p, found[0], row)
	}
	clear(c.counts)
	return nil
}
