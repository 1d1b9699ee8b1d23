package storage

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/storage/catalog"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
)

// kbChange is a change of a knowledge base, made under a context of what a snapshot shows.
type kbChange func(ctx context.Context, s *Store, kb *Object, sn *Snapshot) error

// drawKBChange draws additions, updates and deletions of rows of any table, some of which are refused.
func drawKBChange(t *testing.T, r *rand.Rand) kbChange {
	name := func() string { return string(rune('a' + r.IntN(4))) }
	maybe := func(s string) string {
		if r.IntN(3) == 0 {
			return ""
		}
		return s
	}
	var fresh [][]value.Value
	table := catalog.KBTables()[r.IntN(6)]
	for range 1 + r.IntN(3) {
		fresh = append(fresh, map[string][]value.Value{
			catalog.Triples:   append(texts(name(), name(), name()), value.Real(float64(r.IntN(3))), value.Value{}),
			catalog.Entities:  texts(name(), maybe("t"+name())),
			catalog.Aliases:   texts(name(), "x"+name()),
			catalog.Relations: append(texts(name(), maybe("t"+name()), maybe("t"+name())), value.Value{}),
			catalog.Types:     texts("t"+name(), maybe("t"+name())),
			catalog.Rules:     append(texts("rule "+name()), value.Real(1)),
		}[table])
	}
	what, pick := r.IntN(3), name()
	return func(ctx context.Context, s *Store, kb *Object, sn *Snapshot) error {
		c, err := s.ChangeKB(ctx, kb)
		if err != nil {
			return err
		}
		defer c.Abort()
		ids, rows := rowsWith(t, sn, kb.Table(table), pick)
		switch {
		case what == 0:
			_, err = c.Delete(ctx, table, ids)
		case what == 1 && len(rows) > 0:
			for i := range rows {
				rows[i] = slices.Clone(fresh[0])
				if i > 0 {
					rows[i][0] = value.Str(rows[i][0].S + fmt.Sprint(i))
				}
			}
			_, err = c.Update(ctx, table, ids, rows)
		default:
			err = c.Add(ctx, table, fresh, nil)
		}
		if err != nil {
			return err
		}
		return c.Commit(ctx)
	}
}

// rowsWith returns the rows whose first value ends with a letter, in the order of their values.
func rowsWith(t *testing.T, sn *Snapshot, o *Object, letter string) (ids []uint64, rows [][]value.Value) {
	all := read(t, func(emit func([]uint64, *value.Batch) error) error { return sn.ScanTable(background, o, nil, emit) })
	for id, row := range all {
		if s := row[0].S; s[len(s)-1:] == letter {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b uint64) int { return slices.CompareFunc(all[a], all[b], value.Compare) })
	for _, id := range ids {
		rows = append(rows, all[id])
	}
	return ids, rows
}

// kbLines are the rows of all tables as texts.
func kbLines(t *testing.T, sn *Snapshot, kb *Object) (out []string) {
	for _, o := range kb.Tables {
		var list []string
		for _, row := range read(t,
			func(emit func([]uint64, *value.Batch) error) error { return sn.ScanTable(background, o, nil, emit) }) {
			list = append(list, fmt.Sprint(o.Part, row))
		}
		slices.Sort(list)
		out = append(out, list...)
	}
	return out
}

// TestTransactionsOfKBs: a knowledge base holds in and after a transaction what the same changes one by one leave in
// another store; others see it when the transaction is committed.
func TestTransactionsOfKBs(t *testing.T) {
	for seed := range uint64(2) {
		r := rand.New(rand.NewPCG(seed, 3))
		s := open(t)
		kb := kbOf(t, s)
		plain, list := open(t), []kbChange{}
		plain.tables.FewRows = 2
		other := kbOf(t, plain)
		apply := func(f kbChange) error {
			sn := plain.Snapshot()
			defer sn.Close()
			return f(background, plain, other, sn)
		}
		var committed []string
		tx, mark, marked, begun := s.Begin(), Savepoint{}, 0, 0
		back := func(n int) {
			list = slices.Clip(list[:n])
			plain = open(t)
			plain.tables.FewRows = 1 + len(list)%3
			other = kbOf(t, plain)
			for _, f := range list {
				if err := apply(f); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range 60 {
			switch r.IntN(14) {
			case 0:
				mark, marked = tx.Savepoint(), len(list)
			case 1:
				tx.RollbackTo(mark)
				back(marked)
			case 2:
				if err := tx.Commit(background); err != nil {
					t.Fatal(err)
				}
				tx, mark, marked, begun = s.Begin(), Savepoint{}, len(list), len(list)
				checked(t, s)
			case 3:
				tx.Rollback(background)
				back(begun)
				tx, mark, marked = s.Begin(), Savepoint{}, begun
			default:
				before, f := tx.Savepoint(), drawKBChange(t, r)
				sn := tx.Capture(new(Snapshot))
				err := f(tx.Context(background), s, kb, sn)
				sn.Close()
				if want := apply(f); fmt.Sprint(err) != fmt.Sprint(want) {
					t.Fatalf("%v, want %v", err, want)
				}
				if err != nil {
					tx.RollbackTo(before)
				} else {
					list = append(list, f)
				}
			}
			sn, now, want := tx.Capture(new(Snapshot)), s.Snapshot(), plain.Snapshot()
			if diff := cmp.Diff(kbLines(t, want, other), kbLines(t, sn, kb)); diff != "" {
				t.Fatalf("seed %d: %s", seed, diff)
			}
			if sn.TableHash(kb) != want.TableHash(other) {
				t.Error("the hashes differ")
			}
			if len(list) == begun {
				committed = kbLines(t, want, other)
			}
			if diff := cmp.Diff(committed, kbLines(t, now, kb)); diff != "" {
				t.Fatalf("seed %d: others see %s", seed, diff)
			}
			sn.Close()
			now.Close()
			want.Close()
		}
		tx.Rollback(background)
		checked(t, s)
	}
}
