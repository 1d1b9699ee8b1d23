package knowledge

import (
	"context"
	"errors"

	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/value"
)

// Check compares the tables of a knowledge base with each other: what triples name is known, and relations have the
// number of their triples. scan emits the rows of a table.
func Check(ctx context.Context, kb *catalog.Object, scan func(context.Context, *catalog.Object, []bool,
	func([]uint64, *value.Batch) error) error, say func(string, ...any)) error {
	var err error
	counts, known := map[string]int64{}, map[string]bool{}
	each := func(table string, use func(row []value.Value)) {
		if o := kb.Table(table); o != nil && err == nil {
			err = scan(ctx, o, nil, func(_ []uint64, b *value.Batch) error {
				for i := range b.N {
					use(b.Row(nil, i))
				}
				return nil
			})
		}
	}
	each(catalog.Entities, func(row []value.Value) { known[row[0].S] = true })
	missing := 0
	each(catalog.Triples, func(row []value.Value) {
		counts[row[1].S]++
		if !known[row[0].S] || !known[row[2].S] {
			missing++
		}
	})
	each(catalog.Aliases, func(row []value.Value) {
		if !known[row[0].S] {
			missing++
		}
	})
	each(catalog.Relations, func(row []value.Value) {
		if n := counts[row[0].S]; n != int64(row[3].N) {
			say("kb %s: relation %s has %d triples, its count is %d", kb.Name, row[0].S, n, int64(row[3].N))
		}
		delete(counts, row[0].S)
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, dbfile.ErrCorrupt) || errors.Is(err, dbfile.ErrNotFound) {
		return nil // said by the check of the table
	}
	if err != nil {
		return err
	}
	if missing > 0 {
		say("kb %s: %d rows name entities that are not known", kb.Name, missing)
	}
	if len(counts) > 0 {
		say("kb %s: triples have %d relations that are not known", kb.Name, len(counts))
	}
	return nil
}
