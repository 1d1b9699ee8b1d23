package score

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/query/models"
	"parlance/storage/value"
)

// weights compares the relations that list weights: those with a column weight and no mandatory argument.
func (d *diff) weights(ctx context.Context) error {
	found := false
	for _, rel := range d.a.Schema.Relations {
		at := weightColumn(rel)
		if at < 0 {
			continue
		}
		found = true
		if err := d.relation(ctx, rel, at); err != nil {
			return err
		}
	}
	if !found {
		d.r.Session.Notice("models of the kind " + d.a.Kind.Name + " list no weights")
	}
	return nil
}

func weightColumn(rel kind.Relation) int {
	if slices.ContainsFunc(rel.Args, func(a kind.Arg) bool { return !a.Optional }) {
		return -1
	}
	return slices.IndexFunc(rel.Columns, func(c kind.Column) bool { return c.Name == "weight" && c.Type == value.Float })
}

// relation counts the weights that are gained, lost, of another sign or of another size, and lists the largest changes.
func (d *diff) relation(ctx context.Context, rel kind.Relation, column int) error {
	was := map[string]float64{}
	err := d.eachWeight(ctx, d.a, rel, column, func(key string, w float64) { was[key] += w })
	if err != nil {
		return err
	}
	now := map[string]float64{}
	if err := d.eachWeight(ctx, d.b, rel, column, func(key string, w float64) { now[key] += w }); err != nil {
		return err
	}
	same := 0
	sorts := map[string]*Largest{}
	for _, name := range weightChanges {
		sorts[name] = &Largest{Limit: d.opt.limit}
	}
	for key, b := range now {
		a, ok := was[key]
		switch {
		case !ok:
			sorts["gained"].Add(Change{key, 0, b})
		case a == b || math.IsNaN(a) && math.IsNaN(b):
			same++
		case math.Signbit(a) != math.Signbit(b):
			sorts["flipped"].Add(Change{key, a, b})
		default:
			sorts["changed"].Add(Change{key, a, b})
		}
	}
	for key, a := range was {
		if _, ok := now[key]; !ok {
			sorts["lost"].Add(Change{key, a, 0})
		}
	}
	d.count(rel.Name+" same", "", same)
	for _, name := range weightChanges {
		d.count(rel.Name+" "+name, "", sorts[name].N)
		d.list(rel.Name+" "+name, sorts[name])
	}
	return nil
}

var weightChanges = []string{"gained", "lost", "flipped", "changed"}

// eachWeight reads the nonzero weights of a version. The key of a weight is the other columns.
func (d *diff) eachWeight(ctx context.Context, c *models.Configured, rel kind.Relation, column int,
	use func(key string, w float64)) error {
	run := c.Run
	rows, err := c.Open(ctx, rel.Name, make([]value.Value, len(rel.Args)), &run)
	if err != nil {
		return err
	}
	defer rows.Close()
	var row []value.Value
	for {
		b, err := rows.Next(ctx)
		if err != nil || b == nil {
			return err
		}
		for i := range b.N {
			row = b.Row(row[:0], i)
			if row[column].IsNull() || row[column].Float() == 0 {
				continue
			}
			var key []string
			for k, v := range row {
				if k != column {
					key = append(key, v.String())
				}
			}
			use(strings.Join(key, "\x00"), row[column].Float())
		}
	}
}

// list adds rows for the largest changes. The first column of the key is the name, the others are the label.
func (d *diff) list(what string, l *Largest) {
	for _, c := range l.Sorted() {
		name, label, _ := strings.Cut(c.Key, "\x00")
		row := diffRow{what: what, name: name, label: strings.ReplaceAll(label, "\x00", " "), delta: value.Real(c.B - c.A)}
		if c.A != 0 {
			row.A = value.Real(c.A).String()
		}
		if c.B != 0 {
			row.B = value.Real(c.B).String()
		}
		d.rows = append(d.rows, row)
	}
}

// Change is a weight in both versions, 0 if a version lacks it.
type Change struct {
	Key  string
	A, B float64
}

// Largest counts changes and stores the largest ones by |b−a|.
type Largest struct {
	Limit, N int
	kept     []Change
}

func (l *Largest) Add(c Change) {
	l.N++
	l.kept = append(l.kept, c)
	if len(l.kept) > 2*l.Limit+1000 {
		l.Sorted()
	}
}

// Sorted returns the largest changes, as many as the limit, by descending size, then by key.
func (l *Largest) Sorted() []Change {
	slices.SortFunc(l.kept, func(x, y Change) int {
		return cmp.Or(cmp.Compare(math.Abs(y.B-y.A), math.Abs(x.B-x.A)), strings.Compare(x.Key, y.Key))
	})
	l.kept = l.kept[:min(len(l.kept), l.Limit)]
	return l.kept
}
