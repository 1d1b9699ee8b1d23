package db_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"parlance/db"
	"parlance/query/fn"
	"parlance/storage/value"

	"pgregory.net/rapid"
)

// isolated are objects of all sorts that hold one number each.
var isolated = []string{"counts", "docs", "facts.triples"}

// worked is what one step of a transaction does: it reads the number of an object, sets it to a number that depends on
// all that the transaction has read, or adds one to it.
type worked struct{ do, object string }

// apply does the step on numbers, after the transaction has read others.
func (w worked) apply(numbers map[string]int64, read []int64) []int64 {
	switch w.do {
	case "read":
		return append(read, numbers[w.object])
	case "set":
		numbers[w.object] = dependent(read)
	case "add":
		numbers[w.object]++
	}
	return read
}

// dependent is a number that depends on all others.
func dependent(read []int64) int64 {
	n := int64(1)
	for _, x := range read {
		n = (n*31 + x + 7) % 1000
	}
	return n
}

// block is a transaction under way, and what it should see under snapshot isolation.
type block struct {
	c      *db.Conn
	steps  []worked
	done   int
	read   []int64
	base   map[string]int64 // that it sees, from its first step on
	before map[string]int64 // what was committed then
	wrote  map[string]bool
	ended  bool
	failed bool
}

// interleaving runs blocks in turns, and is their oracle.
type interleaving struct {
	t         *rapid.T
	now       map[string]int64 // committed
	committed []*block
}

func (x *interleaving) exec(c *db.Conn, q string, args ...any) error {
	_, err := c.Exec(context.Background(), q, args...)
	return err
}

// fail ends a block after an error, which must be one that running it again may not meet.
func (x *interleaving) fail(b *block, err error) {
	if code(err) != "40001" && code(err) != "55P03" {
		x.t.Fatal(err)
	}
	b.ended, b.failed = true, true
	if err := x.exec(b.c, "ROLLBACK"); err != nil {
		x.t.Fatal(err)
	}
}

// step runs the next statement of a block, or ends it.
func (x *interleaving) step(b *block) {
	if b.base == nil {
		b.base, b.before, b.wrote = maps.Clone(x.now), maps.Clone(x.now), map[string]bool{}
	}
	if b.done == len(b.steps) {
		x.commit(b)
		return
	}
	s := b.steps[b.done]
	b.done++
	var err error
	switch s.do {
	case "read":
		var got int64
		if got, err = numberIn(b.c, s.object); err == nil {
			if want := b.base[s.object]; got != want {
				x.t.Fatalf("reads %d in %s, want %d", got, s.object, want)
			}
		}
	case "set":
		err = x.exec(b.c, "UPDATE "+s.object+" SET n = $1", dependent(b.read))
	case "add":
		err = x.exec(b.c, "UPDATE "+s.object+" SET n = n + 1")
	}
	if err != nil {
		x.fail(b, err)
		return
	}
	b.read = s.apply(b.base, b.read)
	b.wrote[s.object] = b.wrote[s.object] || s.do != "read"
}

func (x *interleaving) commit(b *block) {
	if err := x.exec(b.c, "COMMIT"); err != nil {
		x.fail(b, err)
		return
	}
	b.ended = true
	x.committed = append(x.committed, b)
	for o, yes := range b.wrote {
		if !yes {
			continue
		}
		if x.now[o] != b.before[o] {
			x.t.Fatalf("a block has changed %s, which has changed since its snapshot", o)
		}
		x.now[o] = b.base[o]
	}
}

// serial reports whether the committed blocks could have run one after the other.
func serial(blocks []*block, from, to map[string]int64) bool {
	if len(blocks) == 0 {
		return maps.Equal(from, to)
	}
	for i, b := range blocks {
		state := maps.Clone(from)
		var read []int64
		for _, s := range b.steps {
			read = s.apply(state, read)
		}
		if slices.Equal(read, b.read) && serial(slices.Delete(slices.Clone(blocks), i, i+1), state, to) {
			return true
		}
	}
	return false
}

func numberIn(c *db.Conn, object string) (n int64, err error) {
	rows, err := c.Query(context.Background(), "SELECT n FROM "+object)
	if err != nil {
		return 0, err
	}
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			return 0, err
		}
	}
	return n, rows.Close()
}

func numbers(t *rapid.T, c *db.Conn) map[string]int64 {
	out := map[string]int64{}
	for _, o := range isolated {
		n, err := numberIn(c, o)
		if err != nil {
			t.Fatal(err)
		}
		out[o] = n
	}
	return out
}

// TestSerialOrders asks the oracle about two blocks that each set what the other has read: one after the other, and at
// once.
func TestSerialOrders(t *testing.T) {
	from := map[string]int64{"x": 3, "y": 5}
	one := &block{steps: []worked{{"read", "x"}, {"set", "y"}}}
	two := &block{steps: []worked{{"read", "y"}, {"set", "x"}}}
	run := func(b *block, state map[string]int64) {
		b.read = nil
		for _, s := range b.steps {
			b.read = s.apply(state, b.read)
		}
	}
	after := maps.Clone(from)
	run(one, after)
	run(two, after)
	if !serial([]*block{two, one}, from, after) {
		t.Error("one after the other is no serial order")
	}
	ones, twos := maps.Clone(from), maps.Clone(from)
	run(one, ones)
	run(two, twos)
	if serial([]*block{one, two}, from, map[string]int64{"x": twos["x"], "y": ones["y"]}) {
		t.Error("write skew has a serial order")
	}
}

// TestInterleavedBlocks runs small transaction blocks in random turns. Under both levels each reads what was committed
// before its first statement with its own changes, and none is committed that has changed what changed meanwhile;
// serializable ones have the effect of some serial order.
func TestInterleavedBlocks(t *testing.T) {
	d := open(t, "")
	script(t, d.Conn(), `CREATE LEXICON counts (word TEXT, n INTEGER); INSERT INTO counts VALUES ('x', 0);
CREATE CORPUS docs (n INTEGER); INSERT INTO docs (id, text, n) VALUES ('a', 'one', 0);
CREATE KB facts (n INTEGER); INSERT INTO facts.triples (subject, relation, object, n) VALUES ('s', 'r', 'o', 0)`)
	conns := []*db.Conn{d.Conn(), d.Conn(), d.Conn()}
	for _, c := range conns {
		script(t, c, "SET lock_timeout = 1")
	}
	for _, level := range []string{"REPEATABLE READ", "SERIALIZABLE"} {
		ended := 0
		t.Run(level, rapid.MakeCheck(func(t *rapid.T) {
			if ended > 80 {
				return // the rest would take too long
			}
			x := &interleaving{t: t, now: numbers(t, d.Conn())}
			from := maps.Clone(x.now)
			var open []*block
			for _, c := range conns[:rapid.IntRange(2, 3).Draw(t, "blocks")] {
				b := &block{c: c}
				for _, do := range [][]string{{"read"}, {"set", "add", "read"}, {"set", "read", ""}} {
					if do := rapid.SampledFrom(do).Draw(t, "do"); do != "" {
						b.steps = append(b.steps, worked{do, rapid.SampledFrom(isolated).Draw(t, "object")})
					}
				}
				if err := x.exec(c, "ROLLBACK"); err != nil { // of a check that has failed
					t.Fatal(err)
				}
				if err := x.exec(c, "BEGIN ISOLATION LEVEL "+level); err != nil {
					t.Fatal(err)
				}
				open = append(open, b)
			}
			for len(open) > 0 {
				i := rapid.IntRange(0, len(open)-1).Draw(t, "turn")
				if x.step(open[i]); open[i].ended {
					open = slices.Delete(open, i, i+1)
				}
			}
			to := numbers(t, d.Conn())
			if !maps.Equal(to, x.now) {
				t.Fatalf("the blocks leave %v, want %v", to, x.now)
			}
			ended += len(x.committed)
			if level == "SERIALIZABLE" && !serial(x.committed, from, to) {
				t.Fatal("no serial order does this")
			}
		}))
		if ended == 0 {
			t.Errorf("%s: no block was committed", level)
		}
	}
}

// TestSkewAcrossSessions: what a block or statement of level serializable has read and others have changed since ends
// it, if it has changed something. Others can drop, make, promote and compact meanwhile, which the block does not see.
func TestSkewAcrossSessions(t *testing.T) {
	d := open(t, "")
	script(t, d.Conn(), `CREATE LEXICON counts (word TEXT, n INTEGER); INSERT INTO counts VALUES ('x', 1);
CREATE CORPUS docs (n INTEGER); INSERT INTO docs (id, text, n) VALUES ('a', 'one', 1);
CREATE KB facts; INSERT INTO facts.triples (subject, relation, object) VALUES ('s', 'r', 'o')`)
	for _, tc := range []struct{ read, others, change, want string }{
		{"SELECT n FROM counts", "UPDATE counts SET n = n + 1", "UPDATE docs SET n = 2", "40001"},
		{"SELECT n FROM docs", "UPDATE docs SET n = n + 1", "UPDATE counts SET n = 2", "40001"},
		{"SELECT count(*) FROM docs.tokens", "INSERT INTO docs (id, text) VALUES ('b', 'two')",
			"UPDATE counts SET n = 2", "40001"},
		{"SELECT count(*) FROM docs", "DELETE FROM docs WHERE id = 'b'", "CREATE LEXICON other (word TEXT)", "40001"},
		{"SELECT object FROM facts.triples", "INSERT INTO facts.triples (subject, relation, object) VALUES ('s', 'r', 'p')",
			"UPDATE docs SET n = 3", "40001"},
		{"SELECT count(*) FROM facts.entities",
			"INSERT INTO facts.triples (subject, relation, object) VALUES ('s', 'r', 'q')", "UPDATE docs SET n = 4", "40001"},
		{"SELECT reltuples FROM pg_class WHERE relname = 'counts'", "DELETE FROM counts", "UPDATE docs SET n = 5", "40001"},
		{"SELECT n FROM counts", "ALTER LEXICON counts ADD COLUMN m INTEGER", "UPDATE docs SET n = 6", "40001"},
		{"SELECT n FROM counts", "CREATE LEXICON unseen (word TEXT)", "UPDATE docs SET n = 7", "<nil>"},
		{"SELECT n FROM counts", "CREATE INDEX ON counts (n)", "INSERT INTO counts (word, n) VALUES ('y', 1)", "<nil>"},
		{"SELECT n FROM counts", "INSERT INTO counts (word, n) VALUES ('z', 1)", "DELETE FROM counts", "40001"},
		{"SELECT n FROM counts", "DROP LEXICON unseen", "COMMIT; COMPACT; BEGIN", "<nil>"},
		{"SELECT n FROM counts", "COMPACT", "UPDATE docs SET n = 8", "<nil>"},
		{"SELECT n FROM counts", "UPDATE counts SET n = 9", "SELECT n FROM counts", "<nil>"},
		{"SELECT n FROM counts", "DROP LEXICON counts", "INSERT INTO docs (id, text) SELECT word, word FROM counts", "40001"},
	} {
		c := d.Conn()
		script(t, c, "BEGIN ISOLATION LEVEL SERIALIZABLE; "+tc.read)
		script(t, d.Conn(), tc.others)
		err := c.Script(t.Context(), tc.change+"; COMMIT", nil)
		if code(err) != tc.want {
			t.Errorf("%s; others: %s; %s; COMMIT: %v, want %q", tc.read, tc.others, tc.change, err, tc.want)
		}
		script(t, c, "ROLLBACK")
	}
	script(t, d.Conn(), "CHECK DATABASE")
}

// TestSerializableStatement is a transaction of its own under default_transaction_isolation, which fails where what it
// has read was changed while it ran.
func TestSerializableStatement(t *testing.T) {
	during := func() {}
	probe := fn.Func{Name: "probe", Doc: "calls the test", Args: []value.Type{value.Text}, Result: value.Text,
		Volatile: true,
		Eval:     func(args []value.Value) (value.Value, error) { during(); return args[0], nil }}
	d, err := db.Open("", db.Options{Functions: []fn.Func{probe}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	script(t, d.Conn(),
		"CREATE LEXICON counts (word TEXT); INSERT INTO counts VALUES ('x'); CREATE LEXICON others (word TEXT)")
	during = func() {
		if _, err := d.Conn().Exec(context.Background(), "INSERT INTO counts VALUES ('y')"); err != nil {
			t.Error(err)
		}
	}
	c := d.Conn()
	for level, want := range map[string]string{"read committed": "<nil>", "serializable": "40001"} {
		script(t, c, "SET default_transaction_isolation = '"+level+"'")
		if _, err := c.Exec(t.Context(), "INSERT INTO others SELECT probe(word) FROM counts LIMIT 1"); code(err) != want {
			t.Errorf("%s: %v, want %s", level, err, want)
		}
	}
	during = func() {}
	rows, err := c.Query(t.Context(), "INSERT INTO others SELECT probe(word) FROM counts LIMIT 1 RETURNING word")
	if err != nil || !rows.Next() {
		t.Fatal("no row is returned", err)
	}
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
	var n int64
	if err := one(t, d.Conn(), "SELECT count(*) FROM others", nil, &n); err != nil || n != 2 {
		t.Errorf("%d rows were inserted, want 2: %v", n, err)
	}
}
