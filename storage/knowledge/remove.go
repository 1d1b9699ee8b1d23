package knowledge

import (
	"context"
	"fmt"
	"slices"

	"parlance/storage/catalog"
	"parlance/storage/relation"
	"parlance/storage/table"
	"parlance/storage/value"
)

// Delete deletes rows of a table by number and returns how many there were. A typed entity that other rows refer to
// keeps a row without a type. Finish refuses with a RowError to delete an untyped entity that is referred to, a
// relation with triples, or a type in use.
func (c *Change) Delete(ctx context.Context, table string, ids []uint64) (n int, err error) {
	p := c.part(table)
	err = c.each(ctx, len(ids), func(r relation.Reader, from, to int) error {
		gone, err := c.take(r, p, ids[from:to])
		n += gone
		return err
	})
	return n, err
}

// Update gives rows of a table new values and returns those whose key changes: Finish removes them and adds them again
// under the new key, after all other changes. A row whose key stays is changed in place.
func (c *Change) Update(ctx context.Context, table string, ids []uint64,
	rows [][]value.Value) (moved [][]value.Value, err error) {
	p := c.part(table)
	err = c.each(ctx, len(ids), func(r relation.Reader, from, to int) error {
		for i := from; i < to; i++ {
			kept, err := c.updateInPlace(r, p, ids[i], rows[i])
			if err != nil {
				return err
			}
			if !kept {
				p.moved, p.becomes = append(p.moved, ids[i]), append(p.becomes, rows[i])
				moved = append(moved, rows[i])
			}
		}
		return nil
	})
	return moved, err
}

// Finish completes changes by Update and Delete, before rows are added. Commit calls it.
func (c *Change) Finish(ctx context.Context) error {
	for _, p := range c.parts {
		if err := c.finish(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (c *Change) finish(ctx context.Context, p *part) error {
	err := c.each(ctx, len(p.moved), func(r relation.Reader, from, to int) error {
		_, err := c.take(r, p, p.moved[from:to])
		return err
	})
	if err == nil {
		err = c.each(ctx, len(p.moved), func(r relation.Reader, from, to int) error {
			for _, row := range p.becomes[from:to] {
				if p.Name == catalog.Relations {
					row = append(slices.Clone(row[:3]), value.Value{})
				}
				if err := c.add(r, p, row); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err == nil {
		err = c.each(ctx, len(p.gone), func(r relation.Reader, from, to int) error {
			return c.orphans(ctx, r, p, p.gone[from:to])
		})
	}
	p.moved, p.becomes, p.gone = nil, nil, nil
	return err
}

// each calls f with the numbers below n, some thousand in one read transaction, and writes rows in between.
func (c *Change) each(ctx context.Context, n int, f func(r relation.Reader, from, to int) error) error {
	step := min(rowsPerView, c.mostChanged())
	for from := 0; from < n; from += step {
		to := min(from+step, n)
		if err := c.inView(ctx, func(r relation.Reader) error { return f(r, from, to) }); err != nil {
			return err
		}
	}
	return nil
}

// updateInPlace changes a row whose key stays; kept is false if its key changes.
func (c *Change) updateInPlace(r relation.Reader, p *part, id uint64, row []value.Value) (kept bool, err error) {
	if err := table.CheckRow(p.o, row); err != nil {
		return false, err
	}
	old, err := p.row(r, id)
	if old == nil || err != nil {
		return true, err
	}
	if p.Name == catalog.Entities || p.Name == catalog.Types || !slices.Equal(old[:p.Key], row[:p.Key]) {
		return slices.Equal(old, row), nil
	}
	if p.Name != catalog.Relations {
		if row, err = p.complete(row); err == nil {
			p.changed[id] = slices.Clone(row)
		}
		return true, err
	}
	if row[3] != old[3] {
		return false, rowError("column count of %s is the number of triples, it cannot be set", p.o.Name)
	}
	checked, err := p.complete(append(slices.Clone(row[:3]), value.Value{}))
	if err != nil {
		return false, err
	}
	checked = slices.Clone(checked)
	checked[3] = old[3]
	p.changed[id] = checked
	for _, t := range checked[1:3] {
		if err := c.typ(r, t); err != nil {
			return false, err
		}
	}
	return true, nil
}

// row returns a stored row as the change leaves it, nil if there is none.
func (p *part) row(r relation.Reader, id uint64) ([]value.Value, error) {
	if row, ok := p.changed[id]; ok {
		return row, nil
	}
	row, err := p.d.Rows().Row(r, id, nil)
	if row == nil || err != nil {
		return nil, err
	}
	return p.o.ColumnsOf(row), nil
}

// named reports whether rows of other tables refer to rows of the table.
func (p *part) named() bool {
	return p.Name == catalog.Entities || p.Name == catalog.Relations || p.Name == catalog.Types
}

// take removes rows and returns how many there were.
func (c *Change) take(r relation.Reader, p *part, ids []uint64) (n int, err error) {
	for _, id := range ids {
		row, err := p.row(r, id)
		if err != nil {
			return n, err
		}
		if row == nil {
			continue
		}
		p.changed[id] = nil
		n++
		if p.named() {
			p.gone = append(p.gone, row)
		}
		if p.Name == catalog.Triples {
			c.counts[row[1].S]--
		}
	}
	return n, nil
}

// orphans checks the rows that refer to removed ones, and adds rows for entities that are still referred to.
func (c *Change) orphans(ctx context.Context, r relation.Reader, p *part, gone [][]value.Value) error {
	typed := map[value.Value]bool{}
	for _, row := range gone {
		typed[row[0]] = typed[row[0]] || p.Name != catalog.Relations && !row[1].IsNull()
	}
	for i, row := range gone {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		left, err := c.group(r, p, row[:1])
		if err != nil {
			return err
		}
		if len(left) > 0 {
			continue
		}
		by, err := c.namedBy(r, p, row[0])
		switch {
		case err != nil:
			return err
		case by == "":
		case typed[row[0]]:
			c.append(p, []value.Value{row[0], {}})
		default:
			return &RowError{Msg: fmt.Sprintf("rows of %s name the %s: delete those first", by, p.describe(row)), Needed: true}
		}
	}
	return nil
}

// namedBy returns a table whose rows refer to an entity, relation or type, "" if none does.
func (c *Change) namedBy(r relation.Reader, p *part, v value.Value) (string, error) {
	type use struct {
		table string
		index int
	}
	uses := map[string][]use{
		catalog.Entities:  {{catalog.Triples, 0}, {catalog.Triples, 2}, {catalog.Aliases, 0}},
		catalog.Relations: {{catalog.Triples, 1}},
		catalog.Types:     {{catalog.Entities, 1}, {catalog.Relations, 1}, {catalog.Relations, 2}, {catalog.Types, 1}},
	}
	for _, u := range uses[p.Name] {
		found, err := c.any(r, c.part(u.table), u.index, v)
		if err != nil {
			return "", err
		}
		if found {
			return c.part(u.table).o.Name, nil
		}
	}
	return "", nil
}
