package entityresolver

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/storage/value"
)

// rows are records: id, name, key, entity, "" for NULL.
func rows(list ...[4]string) kind.Tables {
	var out [][]value.Value
	for _, r := range list {
		var row []value.Value
		for _, s := range r {
			v := value.Value{}
			if s != "" {
				v = value.Str(s)
			}
			row = append(row, v)
		}
		out = append(out, row)
	}
	return kind.Tables{recordsTable: out}
}

// resolve trains on rows; it returns notices.
func resolve(t *testing.T, in kind.Tables, said kind.Input, args ...option.Arg) (*model, string, error) {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	for _, d := range []option.Arg{kindtest.Arg("attributes", "name trigrams"), kindtest.Arg("blocking", "key")} {
		if !slices.ContainsFunc(args, func(a option.Arg) bool { return a.Name == d.Name }) {
			args = append(args, d)
		}
	}
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	var notices []string
	tr := &kind.Training{On: in, Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(s string) { notices = append(notices, s) }}
	if said != nil {
		tr.Roles = map[string]kind.Input{"links": said}
	}
	err := m.Train(context.Background(), tr)
	return m, strings.Join(notices, "\n"), err
}

func TestFaults(t *testing.T) {
	two := rows([4]string{"a", "frog", "k"}, [4]string{"b", "frogs", "k"}, [4]string{"c", "toad", "l"})
	for _, c := range []struct {
		name   string
		in     kind.Tables
		said   kind.Input
		args   []option.Arg
		err    string
		notice string
	}{
		{name: "no id", in: rows([4]string{"", "x", "k"}), err: "row 1 of the records has no id"},
		{name: "an id twice", in: rows([4]string{"a", "x", "k"}, [4]string{"a", "y", "k"}),
			notice: "1 row repeated the id"},
		{name: "empty records", in: rows([4]string{"a"}, [4]string{"b"}, [4]string{"c"}),
			notice: "3 records have no key of blocking"},
		{name: "no pairs", in: two, args: []option.Arg{kindtest.Arg("blocking", "name")}, notice: "no two records"},
		{name: "keys too large", in: two, args: []option.Arg{kindtest.Arg("max_block", 1)},
			notice: "1 key of more than max_block = 1 records"},
		{name: "links of nobody", in: two, said: links([3]any{"a", "z", true}),
			notice: "1 link of records that are not there did not count, such as a, z"},
		{name: "contradiction", in: two, said: links([3]any{"a", "b", true}, [3]any{"b", "c", true}, [3]any{"a", "c",
			false}),
			err: "a and c are not of one entity, but a = b = c"},
		{name: "not itself", in: two, said: links([3]any{"a", "a", false}),
			err: "record a is not of the entity of itself"},
		{name: "nothing to learn", in: two, args: []option.Arg{kindtest.Arg("weights", "logistic")},
			err: "there are 0 and 0"},
		{name: "nothing to rank", in: two, args: []option.Arg{kindtest.Arg("weights", "samplerank")},
			err: "whose entity is known"},
	} {
		m, notice, err := resolve(t, c.in, c.said, c.args...)
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.err)
		}
		if !strings.Contains(notice, c.notice) {
			t.Errorf("%s: notices %q, want %q", c.name, notice, c.notice)
		}
		if err == nil && len(m.labels) == 0 {
			t.Errorf("%s: no entities", c.name)
		}
	}
}

// TestLinksAcrossBlocks: records of different blocks that must be together are, even with no key.
func TestLinksAcrossBlocks(t *testing.T) {
	in := rows([4]string{"a", "frog", "k"}, [4]string{"b", "stone", "l"}, [4]string{"c", "stone", ""}, [4]string{"d",
		"frog", "k"})
	for _, model := range []string{"pairwise", "hierarchical", "layered"} {
		m, _, err := resolve(t, in, links([3]any{"a", "b", true}, [3]any{"b", "c", true}, [3]any{"a", "d", false}),
			kindtest.Arg("model", model))
		if err != nil {
			t.Fatal(err)
		}
		if l := m.labels; l[1] != 0 || l[2] != 0 || l[3] == 0 {
			t.Errorf("%s: entities %v", model, l)
		}
	}
}

// TestIdentical has ten thousand records of one name in one block.
func TestIdentical(t *testing.T) {
	var list [][4]string
	for i := range 10000 {
		list = append(list, [4]string{value.Int(int64(i)).String(), "frog of the pond", "k"})
	}
	m, _, err := resolve(t, rows(list...), nil, kindtest.Arg("samples", 0), kindtest.Arg("sweeps", 10),
		kindtest.Arg("attributes", "name string 1 -1"))
	if err != nil {
		t.Fatal(err)
	}
	if n := m.entities(); n > 100 {
		t.Errorf("%d entities of identical records", n)
	}
}

// TestInterrupted: a training that is cancelled in the middle of a block ends at once.
func TestInterrupted(t *testing.T) {
	var list [][4]string
	for i := range 3000 {
		list = append(list, [4]string{value.Int(int64(i)).String(), "frog", "k"})
	}
	for _, name := range []string{"pairwise", "hierarchical", "layered"} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		if err := s.Apply([]option.Arg{kindtest.Arg("attributes", "name words"), kindtest.Arg("blocking", "key"),
			kindtest.Arg("model", name), kindtest.Arg("sweeps", 100000)}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		began := time.Now()
		err := m.Train(ctx, &kind.Training{On: rows(list...), Seed: 1, Workers: 1, Report: func(kind.Progress) {},
			Notice: func(string) {}})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 10*time.Second {
			t.Errorf("%s: %v after %v", name, err, time.Since(began))
		}
	}
}

// TestInit: a state that is refined keeps its entities, and new records come to them.
func TestInit(t *testing.T) {
	first, _, err := resolve(t, rows([4]string{"a", "green frog", "k"}, [4]string{"b", "green frogs", "k"},
		[4]string{"c", "old stone", "k"}), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("attributes", "name trigrams"), kindtest.Arg("blocking",
		"key")}); err != nil {
		t.Fatal(err)
	}
	in := rows([4]string{"d", "green frog", "k"}, [4]string{"a", "changed", "k"})
	err = m.Train(context.Background(), &kind.Training{On: in, Init: first, Seed: 1, Workers: 1,
		Report: func(kind.Progress) {}, Notice: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	if l := m.labels; len(l) != 4 || l[0] != l[1] || l[3] != l[0] || l[2] == l[0] || m.value(0, 0) != "green frog" {
		t.Errorf("entities %v of %v", l, m.ids)
	}
	if len(first.labels) != 3 {
		t.Error("the earlier state has changed")
	}
}

// TestTimeLimit: the best state so far is kept, and told.
func TestTimeLimit(t *testing.T) {
	_, notice, err := resolve(t, rows([4]string{"a", "frog", "k"}, [4]string{"b", "frog", "k"}), nil,
		kindtest.Arg("seconds", 1e-9))
	if err != nil || !strings.Contains(notice, "time ran out") {
		t.Errorf("%v, %q", err, notice)
	}
}
