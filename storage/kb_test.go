package storage

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"parlance/storage/catalog"
	"parlance/storage/knowledge"
	"parlance/storage/sealed"
	"parlance/storage/value"

	"pgregory.net/rapid"
)

func kbOf(t testing.TB, s *Store, columns ...catalog.ColumnDef) *Object {
	t.Helper()
	o, err := s.CreateObject(background, catalog.NewKB("kb", columns))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// texts is a row of texts; "" is NULL.
func texts(list ...string) []value.Value {
	row := make([]value.Value, len(list))
	for i, s := range list {
		if s != "" {
			row[i] = value.Str(s)
		}
	}
	return row
}

func triple(s, r, o string) []value.Value {
	return append(texts(s, r, o), value.Value{}, value.Value{})
}

var changes int

// change runs a change of a knowledge base that commits or fails as a whole.
func change(s *Store, kb *Object, f func(c *KBChange) error) error {
	s.tables.FewRows = changes / 4 % 4 // 0 is the usual number
	c, err := s.ChangeKB(background, kb)
	if err != nil {
		return err
	}
	// Rows are written now and then, each time, or all at the end.
	c.Memory = []int{1000, 0, 1 << 20}[changes%3]
	changes++
	if err = f(c); err == nil {
		err = c.Commit(background)
	}
	c.Abort()
	return err
}

func add(s *Store, kb *Object, table string, rows ...[]value.Value) error {
	return change(s, kb, func(c *KBChange) error {
		for _, row := range rows {
			if err := c.Add(background, table, [][]value.Value{row}, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// lines are the rows of a table as texts, sorted.
func lines(t fatal, s *Store, o *Object) (out []string) {
	for _, row := range scan(t, s, o) {
		parts := make([]string, len(row))
		for i, v := range row {
			if parts[i] = v.String(); v.IsNull() {
				parts[i] = "NULL"
			}
		}
		out = append(out, strings.Join(parts, " "))
	}
	slices.Sort(out)
	return out
}

func TestKBKeepsTablesInStep(t *testing.T) {
	s := open(t)
	kb := kbOf(t, s)
	for _, step := range []struct {
		table string
		rows  [][]value.Value
	}{
		{catalog.Triples, [][]value.Value{triple("ann", "parent", "bob"), triple("bob", "parent", "cy"),
			triple("ann", "employer", "acme")}},
		{catalog.Entities, [][]value.Value{texts("ann", "person"), texts("ann", "boss"), texts("ann", "person"),
			texts("acme", "company"), texts("dee", "")}},
		{catalog.Types, [][]value.Value{texts("boss", "person")}},
		{catalog.Relations, [][]value.Value{append(texts("employer", "person", "company"), value.Value{}),
			append(texts("likes", "", ""), value.Value{})}},
		{catalog.Aliases, [][]value.Value{texts("eve", "Eva"), texts("eve", "Eva")}},
		{catalog.Rules, [][]value.Value{{value.Str("a => b"), value.Real(2)}, {value.Str("a => b"), value.Real(3)}}},
	} {
		if err := add(s, kb, step.table, step.rows...); err != nil {
			t.Fatal(step.table, err)
		}
	}
	want := map[string][]string{
		catalog.Triples:   {"ann employer acme 1.0 true", "ann parent bob 1.0 true", "bob parent cy 1.0 true"},
		catalog.Entities:  {"acme company", "ann boss", "ann person", "bob NULL", "cy NULL", "dee NULL", "eve NULL"},
		catalog.Aliases:   {"eve Eva"},
		catalog.Relations: {"employer person company 1", "likes NULL NULL 0", "parent NULL NULL 2"},
		catalog.Types:     {"boss person", "company NULL", "person NULL"},
		catalog.Rules:     {"a => b 3.0"},
	}
	for range 2 {
		for table, rows := range want {
			if got := lines(t, s, kb.Table(table)); !slices.Equal(got, rows) {
				t.Errorf("%s: %q, want %q", table, got, rows)
			}
		}
		checked(t, s)
		s = reopen(t, s)
		kb = object(t, s, "kb")
	}
}

func TestKBRefusals(t *testing.T) {
	s := open(t)
	kb := kbOf(t, s)
	weight := func(w float64) []value.Value {
		return append(texts("a", "r", "b"), value.Real(w), value.Value{})
	}
	if err := errors.Join(add(s, kb, catalog.Triples, triple("a", "r", "b")),
		add(s, kb, catalog.Types, texts("t", "u"), texts("u", "v"))); err != nil {
		t.Fatal(err)
	}
	before := s.TableHash(kb)
	for _, c := range []struct {
		table string
		row   []value.Value
		want  string
	}{
		{catalog.Triples, weight(-1), "weight -1 of triple (a, r, b)"},
		{catalog.Triples, weight(math.NaN()), "weight NaN of triple (a, r, b)"},
		{catalog.Triples, triple("a", "", "b"), "column relation of kb.triples is NULL"},
		{catalog.Triples, append([]value.Value{value.Str(" ")}, triple("a", "r", "b")[1:]...),
			"column subject of kb.triples is empty"},
		{catalog.Triples, texts("a", "r"), "2 values for the 5 columns of kb.triples"},
		{catalog.Entities, texts("", "t"), "column entity of kb.entities is NULL"},
		{catalog.Aliases, texts("a", ""), "column alias of kb.aliases is NULL"},
		{catalog.Types, texts("v", "t"), "circle: v, t, u, v"},
		{catalog.Types, texts("w", "w"), "circle: w, w"},
		{catalog.Relations, append(texts("r", "", ""), value.Int(4)), "count of kb.relations is kept"},
		{catalog.Rules, []value.Value{value.Str("r"), value.Real(-2)}, "weight -2 of rule r"},
		{"rulez", texts("r"), "not found"},
	} {
		err := add(s, kb, c.table, triple("x", "y", "z"), c.row)
		if c.table != catalog.Triples {
			err = add(s, kb, c.table, c.row)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v, want %s", c.table, c.row, err, c.want)
		}
	}
	if s.TableHash(kb) != before {
		t.Error("a change that failed has changed something")
	}
	checked(t, s)
}

func TestKBDeleteWhatIsNamed(t *testing.T) {
	s := open(t)
	kb := kbOf(t, s)
	err := errors.Join(add(s, kb, catalog.Triples, triple("a", "r", "b")), add(s, kb, catalog.Entities, texts("a", "t"),
		texts("c", "t")),
		add(s, kb, catalog.Aliases, texts("d", "D")))
	if err != nil {
		t.Fatal(err)
	}
	remove := func(table, first string) error {
		return change(s, kb, func(c *KBChange) error {
			var ids []uint64
			for id, row := range scan(t, s, kb.Table(table)) {
				if row[0].S == first {
					ids = append(ids, id)
				}
			}
			_, err := c.Delete(background, table, ids)
			return err
		})
	}
	for _, c := range []struct{ table, first, want string }{
		{catalog.Entities, "b", "rows of kb.triples name the entity b"},
		{catalog.Entities, "d", "rows of kb.aliases name the entity d"},
		{catalog.Relations, "r", "rows of kb.triples name the relation r"},
		{catalog.Types, "t", "rows of kb.entities name the type t"},
		{catalog.Entities, "a", ""}, // keeps a row without a type
		{catalog.Entities, "a", "rows of kb.triples name the entity a"},
		{catalog.Entities, "c", ""},
		{catalog.Types, "t", ""},
		{catalog.Triples, "a", ""},
		{catalog.Entities, "a", ""},
		{catalog.Relations, "r", ""},
	} {
		err := remove(c.table, c.first)
		var bad *knowledge.RowError
		if c.want == "" && err != nil ||
			c.want != "" && (!errors.As(err, &bad) || !bad.Needed || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("delete %s of %s: %v, want %q", c.first, c.table, err, c.want)
		}
		checked(t, s)
	}
	if got := lines(t, s, kb.Table(catalog.Entities)); !slices.Equal(got, []string{"b NULL", "d NULL"}) {
		t.Errorf("entities left: %q", got)
	}
}

// TestKBUpdateOfKeys exchanges keys within one statement.
func TestKBUpdateOfKeys(t *testing.T) {
	s := open(t)
	kb := kbOf(t, s)
	if err := add(s, kb, catalog.Triples, triple("a", "r", "b"), triple("b", "r", "c"), triple("c", "q",
		"d")); err != nil {
		t.Fatal(err)
	}
	err := change(s, kb, func(c *KBChange) error {
		_, err := c.Update(background, catalog.Triples, []uint64{0, 1, 2}, [][]value.Value{
			append(texts("b", "r", "c"), value.Real(2), value.Bool(false)),
			append(texts("a", "r", "b"), value.Real(3), value.Bool(true)), triple("c", "q", "d")})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := lines(t, s, kb.Table(catalog.Triples)),
		[]string{"a r b 3.0 true", "b r c 2.0 false", "c q d 1.0 true"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	checked(t, s)
}

// TestKBLongNames has names longer than index entries, which share their beginnings.
func TestKBLongNames(t *testing.T) {
	s := open(t)
	kb := kbOf(t, s)
	long := strings.Repeat("n", 3000)
	for range 2 {
		if err := add(s, kb, catalog.Triples, triple(long+"1", "r", "b"), triple(long+"2", "r", "b"),
			triple(long+"2", "r", long)); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.TableCount(kb); n != 3 {
		t.Errorf("%d triples", n)
	}
	if n := s.TableCount(kb.Table(catalog.Entities)); n != 4 {
		t.Errorf("%d entities", n)
	}
	checked(t, s)
}

// TestKilledKBChange leaves rows of a change behind, and of one that is given up.
func TestKilledKBChange(t *testing.T) {
	s := open(t)
	kb := kbOf(t, s)
	if err := add(s, kb, catalog.Triples, triple("a", "r", "b")); err != nil {
		t.Fatal(err)
	}
	before := s.TableHash(kb)
	c, err := s.ChangeKB(background, kb)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]value.Value
	for i := range 500 {
		rows = append(rows, triple(fmt.Sprint("s", i), "r", "b"))
	}
	c.Memory = 0
	if err := c.Add(background, catalog.Triples, rows, nil); err != nil {
		t.Fatal(err)
	}
	image := imageOf(t, s)
	again := object(t, image, "kb")
	if image.TableHash(again) != before || image.TableCount(again) != 1 {
		t.Error("a killed change is seen")
	}
	checked(t, image)
	tablesTidy(t, image)
	c.Abort()
	if s.TableHash(kb) != before {
		t.Error("a change that was given up is seen")
	}
	if err := add(s, kb, catalog.Triples, triple("c", "r", "b")); err != nil {
		t.Fatal(err)
	}
	checked(t, s)
}

// TestKilledKBCommit looks at the file after each transaction of a large change, the last of which alone
// makes it seen.
func TestKilledKBCommit(t *testing.T) {
	s := open(t)
	kb := kbOf(t, s)
	if err := add(s, kb, catalog.Triples, triple("a", "r", "b"), triple("s3", "r", "b")); err != nil {
		t.Fatal(err)
	}
	before := s.TableHash(kb)
	c, err := s.ChangeKB(background, kb)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Abort()
	var rows [][]value.Value
	for i := range 40 {
		rows = append(rows, append(texts(fmt.Sprint("s", i), "r", "b"), value.Real(2), value.Value{}))
	}
	if err := c.Add(background, catalog.Triples, rows, nil); err != nil {
		t.Fatal(err)
	}
	steps := 0
	look := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		image := imageOf(t, s)
		if again := object(t, image, "kb"); image.TableHash(again) != before || image.TableCount(again) != 2 {
			t.Errorf("step %d: a killed change is seen", steps)
		}
		checked(t, image)
		if err := add(image, object(t, image, "kb"), catalog.Triples, triple("new", "r", "b")); err != nil {
			t.Error(err)
		}
		checked(t, image)
		steps++
	}
	drafts, err := c.Drafts(background)
	look(err)
	for _, d := range drafts {
		look(d.End())
	}
	if err := c.Commit(background); err != nil {
		t.Fatal(err)
	}
	if n := s.TableCount(kb); n != 41 {
		t.Errorf("%d triples", n)
	}
	checked(t, imageOf(t, s))
}

func TestKBDroppedOrAlteredMeanwhile(t *testing.T) {
	s := open(t)
	kb := kbOf(t, s)
	if _, err := s.AddColumn(background, kb.Table(catalog.Triples), catalog.ColumnDef{Name: "split",
		Type: value.Text}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ChangeKB(background, kb); !errors.Is(err, ErrChanged) {
		t.Errorf("change with old columns: %v", err)
	}
	kb = object(t, s, "kb")
	c, err := s.ChangeKB(background, kb)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.dropEntry("kb", kb.ID); err != nil {
		t.Fatal(err)
	}
	err = c.Add(background, catalog.Triples, [][]value.Value{append(triple("a", "r", "b"), value.Value{})}, nil)
	if err == nil {
		err = c.Commit(background)
	}
	if !errors.Is(err, ErrNotFound) {
		t.Errorf("commit into a dropped kb: %v", err)
	}
	if _, err := s.ChangeKB(background, kb); !errors.Is(err, ErrNotFound) {
		t.Errorf("change of a dropped kb: %v", err)
	}
	kbOf(t, s)
	checked(t, reopen(t, s))
}

func TestKBCancelled(t *testing.T) {
	s := open(t)
	kb := kbOf(t, s)
	c, err := s.ChangeKB(background, kb)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if err := c.Add(ctx, catalog.Triples, [][]value.Value{triple("a", "r", "b")}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Add: %v", err)
	}
	if err := c.Commit(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Commit: %v", err)
	}
	if n := s.TableCount(kb); n != 0 {
		t.Errorf("%d triples", n)
	}
}

// TestKBDamage finds triples whose relation has lost its count.
func TestKBDamage(t *testing.T) {
	s := open(t)
	kb := kbOf(t, s)
	if err := add(s, kb, catalog.Triples, triple("a", "r", "b")); err != nil {
		t.Fatal(err)
	}
	rel := kb.Table(catalog.Relations)
	if err := s.UpdateRows(background, rel, []uint64{0},
		[][]value.Value{append(texts("r", "", ""), value.Int(7))}); err != nil {
		t.Fatal(err)
	}
	var said []string
	if err := s.CheckDatabase(background, func(m string) { said = append(said, m) }); !errors.Is(err, ErrCorrupt) {
		t.Errorf("check: %v", err)
	}
	if want := []string{"kb kb: relation r has 1 triples, its count is 7"}; !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
}

// TestKBChangeMeetsDamage takes a generation away: a change that looks for its rows says so and changes nothing.
func TestKBChangeMeetsDamage(t *testing.T) {
	for part, row := range map[string][]value.Value{catalog.Triples: triple("a", "r", "b"),
		catalog.Entities:  texts("a", ""),
		catalog.Relations: append(texts("r", "", ""), value.Value{})} {
		changes = 0 // as many rows as usual are few: the generation is one value
		s := open(t)
		kb := kbOf(t, s)
		if err := add(s, kb, catalog.Triples, triple("a", "r", "b")); err != nil {
			t.Fatal(err)
		}
		s = reopen(t, s)
		kb = object(t, s, kb.Name)
		o := kb.Table(part)
		err := s.Update(func(tx *sealed.Tx) error {
			return tx.Bucket(bucketSegment).Delete(s.tableState(o).Gens[0].SmallKey())
		})
		if err != nil {
			t.Fatal(err)
		}
		was := s.TableCount(o)
		if err := add(s, kb, part, row); !errors.Is(err, ErrCorrupt) || !strings.Contains(fmt.Sprint(err), "missing") {
			t.Errorf("%s: %v", part, err)
		}
		if n := s.TableCount(o); n != was {
			t.Errorf("%s: %d rows, want %d", part, n, was)
		}
	}
}

// kbModel is what a knowledge base should hold, in maps.
type kbModel struct {
	triples map[[3]string]float64
	types   map[string]map[string]bool // of entities
	aliases map[[2]string]bool
	known   map[string]bool // relations
}

func (m *kbModel) entity(e string) {
	if m.types[e] == nil {
		m.types[e] = map[string]bool{}
	}
}

func (m *kbModel) lines() map[string][]string {
	out := map[string][]string{}
	counts := map[string]int{}
	for k, w := range m.triples {
		counts[k[1]]++
		out[catalog.Triples] = append(out[catalog.Triples], fmt.Sprintf("%s %s %s %.1f true", k[0], k[1], k[2], w))
	}
	for e, types := range m.types {
		for t := range types {
			out[catalog.Entities] = append(out[catalog.Entities], e+" "+t)
		}
		if len(types) == 0 {
			out[catalog.Entities] = append(out[catalog.Entities], e+" NULL")
		}
	}
	for k := range m.aliases {
		out[catalog.Aliases] = append(out[catalog.Aliases], k[0]+" "+k[1])
	}
	for r := range m.known {
		out[catalog.Relations] = append(out[catalog.Relations], fmt.Sprintf("%s NULL NULL %d", r, counts[r]))
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out
}

// TestKBAgainstMaps changes a knowledge base at random and compares it with maps.
func TestKBAgainstMaps(t *testing.T) {
	name := rapid.SampledFrom([]string{"a", "b", "c", "d"})
	rapid.Check(t, func(rt *rapid.T) {
		s := open(t)
		kb := kbOf(t, s)
		m := &kbModel{map[[3]string]float64{}, map[string]map[string]bool{}, map[[2]string]bool{}, map[string]bool{}}
		put := func(k [3]string, w float64) {
			m.triples[k], m.known[k[1]] = w, true
			m.entity(k[0])
			m.entity(k[2])
		}
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			var err error
			switch op := rapid.SampledFrom([]string{"triples", "types", "alias", "delete", "update", "reopen"}).Draw(rt,
				"op"); op {
			case "triples":
				var rows [][]value.Value
				for range rapid.IntRange(1, 8).Draw(rt, "rows") {
					k, w := [3]string{name.Draw(rt, "s"), name.Draw(rt, "r"), name.Draw(rt, "o")},
						float64(rapid.IntRange(0, 3).Draw(rt, "w"))
					rows = append(rows, append(texts(k[:]...), value.Real(w), value.Value{}))
					put(k, w)
				}
				err = add(s, kb, catalog.Triples, rows...)
			case "types":
				e, ty := name.Draw(rt, "e"), rapid.SampledFrom([]string{"", "t", "u"}).Draw(rt, "t")
				m.entity(e)
				if ty != "" {
					m.types[e][ty] = true
				}
				err = add(s, kb, catalog.Entities, texts(e, ty))
			case "alias":
				e := name.Draw(rt, "e")
				m.entity(e)
				m.aliases[[2]string{e, "x"}] = true
				err = add(s, kb, catalog.Aliases, texts(e, "x"))
			case "delete":
				r := name.Draw(rt, "r")
				var ids []uint64
				for id, row := range scan(rt, s, kb.Table(catalog.Triples)) {
					if row[1].S == r {
						ids = append(ids, id)
						delete(m.triples, [3]string{row[0].S, r, row[2].S})
					}
				}
				err = change(s, kb, func(c *KBChange) error { _, err := c.Delete(background, catalog.Triples, ids); return err })
			case "update":
				from, to := name.Draw(rt, "from"), name.Draw(rt, "to")
				rows := scan(rt, s, kb.Table(catalog.Triples))
				var ids []uint64
				var fresh [][]value.Value
				for id, row := range rows {
					if row[2].S == from {
						ids = append(ids, id)
					}
				}
				slices.Sort(ids)
				moved := map[[3]string]float64{}
				for _, id := range ids {
					row := slices.Clone(rows[id])
					delete(m.triples, [3]string{row[0].S, row[1].S, from})
					row[2], row[3] = value.Str(to), value.Real(2)
					moved[[3]string{row[0].S, row[1].S, to}] = 2
					fresh = append(fresh, row)
				}
				for k, w := range moved {
					put(k, w)
				}
				err = change(s, kb, func(c *KBChange) error {
					_, err := c.Update(background, catalog.Triples, ids,
						fresh)
					return err
				})
			case "reopen":
				s = reopen(t, s)
				kb = object(t, s, "kb")
			}
			if err != nil {
				rt.Fatal(err)
			}
			want := m.lines()
			for _, table := range []string{catalog.Triples, catalog.Entities, catalog.Aliases, catalog.Relations} {
				if got := lines(rt, s, kb.Table(table)); !slices.Equal(got, want[table]) {
					rt.Fatalf("%s: %q, want %q", table, got, want[table])
				}
			}
		}
		checked(rt, s)
		s.Close()
	})
}
