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

// TestIdentical has more than ten thousand identical records in one block, for each model: it is told, it takes bounded
// time, and what is alike comes together.
func TestIdentical(t *testing.T) {
	var list [][4]string
	for i := range 10001 {
		list = append(list, [4]string{value.Int(int64(i)).String(), "frog of the pond", "k"})
	}
	for name, args := range map[string][]option.Arg{
		"pairwise": {kindtest.Arg("samples", 0), kindtest.Arg("sweeps", 10)},
		"uniform": {kindtest.Arg("samples", 0), kindtest.Arg("sweeps", 10), kindtest.Arg("sampler", "uniform"),
			kindtest.Arg("proportion", .001)},
		"hierarchical": {kindtest.Arg("sweeps", 3), kindtest.Arg("temperature", 1.)},
		"layered":      {kindtest.Arg("rounds", 4), kindtest.Arg("sweeps", 4), kindtest.Arg("layers", "entities")},
	} {
		if name != "uniform" {
			args = append(args, kindtest.Arg("model", name))
		}
		m, notice, err := resolve(t, rows(list...), nil, append(args, kindtest.Arg("attributes", "name string 1 -1"))...)
		if err != nil {
			t.Fatal(err)
		}
		if n := m.entities(); n > 1500 {
			t.Errorf("%s: %d entities of identical records", name, n)
		}
		if want := "the largest block has 10001 records"; !strings.Contains(notice, want) {
			t.Errorf("%s: notices %q, want %q", name, notice, want)
		}
	}
}

// TestNoNumber: a number that is none, or is not finite, is a missing value.
func TestNoNumber(t *testing.T) {
	in := rows([4]string{"a", "NaN", "k"}, [4]string{"b", "nan", "k"}, [4]string{"c", "Inf", "k"}, [4]string{"d",
		"1e400", "k"}, [4]string{"e", "12", "k"}, [4]string{"f", "12.1", "k"}, [4]string{"g", "twelve", "k"},
		[4]string{"h", "-1e300", "k"})
	for _, model := range []string{"pairwise", "layered", "hierarchical"} {
		m, _, err := resolve(t, in, nil, kindtest.Arg("attributes", "name number 1 20 -5"), kindtest.Arg("model", model),
			kindtest.Arg("bias", 3.), kindtest.Arg("temperature", .5))
		if err != nil {
			t.Fatal(err)
		}
		if model == "pairwise" && m.entities() != 7 {
			t.Errorf("%s: entities %v, want those of e and f alone together", model, m.labels)
		}
		store, err := m.store(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range store.Products().Features(nil, 0, 4) {
			if x != 0 {
				t.Errorf("%s: the feature of a number and of none is %v", model, x)
			}
		}
	}
}

// TestEmpty: records without any value stay alone where nothing speaks for them, in each model, and are counted.
func TestEmpty(t *testing.T) {
	in := rows([4]string{"a", "", "k"}, [4]string{"b", "", "k"}, [4]string{"c", " ", "k"}, [4]string{"d", ";,", "k"})
	for _, model := range []string{"pairwise", "layered", "hierarchical"} {
		for _, attribute := range []string{"name trigrams", "name words", "name list", "name name", "name string",
			"name number"} {
			m, _, err := resolve(t, in, nil, kindtest.Arg("attributes", attribute), kindtest.Arg("model", model),
				kindtest.Arg("bias", 3.))
			if err != nil {
				t.Fatal(err)
			}
			if model != "hierarchical" && m.labels[0] == m.labels[1] { // trees gain by each root less
				t.Errorf("%s, %s: entities %v of empty records", model, attribute, m.labels)
			}
		}
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
