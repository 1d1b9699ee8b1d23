package score

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"sort"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/text"
	"parlance/query/annotate"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/input"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/query/relation"
	"parlance/storage/value"
)

// on compares the predictions of both versions for the same documents, and their scores if the corpus stores gold.
func (d *diff) on(ctx context.Context) error {
	writes := d.a.Schema.Writes
	if other := d.b.Schema.Writes; !reflect.DeepEqual(writes, other) {
		return plan.Errorf(d.stmt.On[0].Pos, plan.CodeWrongKind, "leave ON out to compare lineage and weights",
			"%s writes %s and %s %s: predictions cannot be compared",
			d.a.Label, relation.WrittenBy(d.a.Meta), d.b.Label, relation.WrittenBy(d.b.Meta))
	}
	if len(writes) > 0 {
		if err := d.predictions(ctx, writes); err != nil {
			return err
		}
	}
	for _, c := range []*models.Configured{d.a, d.b} {
		if in, layer := input.LacksGold(d.r, d.stmt.On, &c.Schema); layer != "" {
			d.r.Session.Notice(fmt.Sprintf("corpus %s stores no gold %s: predictions are compared, not scored", in.Name, layer))
			return nil
		}
	}
	return d.scores(ctx)
}

// scores evaluates both versions and lists the metrics side by side.
func (d *diff) scores(ctx context.Context) error {
	e := &evaluation{r: d.r, stmt: &ast.Evaluate{Pos: d.stmt.Pos, On: d.stmt.On}, opt: NewEvaluateOptions()}
	e.opt.shuffles, e.opt.seed = d.opt.shuffles, d.opt.seed
	for _, ref := range []ast.ModelRef{d.stmt.A, d.stmt.B} {
		if err := e.prepare(ast.ScoredModel{ModelRef: ref}); err != nil {
			return err
		}
	}
	for i := range e.models {
		if err := e.score(ctx, &e.models[i]); err != nil {
			return err
		}
		if len(e.models[i].groups) == 0 {
			return plan.Errorf(d.stmt.On[0].Pos, "02000", "does WHERE leave documents?", "there is nothing to compare %s on",
				e.models[i].use)
		}
	}
	for _, a := range e.models[0].groups[0].metrics {
		for _, b := range e.models[1].groups[0].metrics {
			if a.Name != b.Name || a.Label != b.Label {
				continue
			}
			row := diffRow{what: "metric", name: a.Name, label: a.Label, A: value.Real(a.Value()).String(),
				B: value.Real(b.Value()).String(), delta: value.Real(b.Value() - a.Value())}
			if a.Label == metrics.All && d.opt.shuffles > 0 {
				p, err := e.opt.pValue(ctx, d.r.Workers(), b, a)
				if err != nil {
					return err
				}
				row.p = exec.RealOrNull(p)
			}
			d.rows = append(d.rows, row)
		}
	}
	return ctx.Err()
}

// predictions reads the documents as both versions annotate them, side by side.
func (d *diff) predictions(ctx context.Context, writes []kind.LayerUse) error {
	compared := make([]*comparison, 0, len(writes))
	for _, w := range writes {
		if def := d.r.LayerDef(w.Layer); def != nil && d.a.Schema.Def(w.Layer) == nil {
			compared = append(compared, NewComparison(def, w.Columns, d.opt.limit))
		}
	}
	a, err := d.documents(ctx, d.a)
	if err != nil {
		return err
	}
	b, err := d.documents(ctx, d.b)
	if err != nil {
		return err
	}
	next, stop := iter.Pull2(b)
	defer stop()
	for x, err := range a {
		if err != nil {
			return err
		}
		y, err, more := next()
		switch {
		case err != nil:
			return err
		case !more || y.Seq != x.Seq:
			return fault.New("XX000", "two readings of the same documents differ at %s", x.ID)
		}
		for _, c := range compared {
			c.Add(x, y)
		}
	}
	for _, c := range compared {
		for _, change := range []string{"same", "changed", "gained", "lost"} {
			for _, label := range c.labels(change) {
				d.count(c.name+" "+change, cmp.Or(label, metrics.All), c.Counts[change][label])
			}
		}
		d.rows = append(d.rows, c.Examples...)
	}
	return nil
}

// documents streams the documents of ON as a version annotates them.
func (d *diff) documents(ctx context.Context, c *models.Configured) (iter.Seq2[*text.Document, error], error) {
	in, err := input.Inputs(d.r, d.stmt.On, nil, c.Use(), input.UseOf(&c.Schema, nil, false))
	if err != nil {
		return nil, err
	}
	ann := &annotate.Annotator{Setup: d.r.Annotating(), Models: []*models.Configured{c}, Stats: &operator.Stats{}}
	return func(yield func(*text.Document, error) bool) {
		ended := false
		err := in.Predicted(ctx, ann, func(b input.Predictions) error {
			for _, doc := range b.Predicted {
				if ended = !yield(doc, nil); ended {
					return context.Canceled
				}
			}
			return nil
		})
		if err != nil && !ended {
			yield(nil, err)
		}
	}, nil
}

// comparison compares one layer, or some of its columns, of two versions.
type comparison struct {
	name     string
	def      *text.LayerDef
	label    []int // columns that make up the label
	place    []int // columns that make up the place
	limit    int
	Counts   map[string]map[string]int // by change, then label; the label "" counts all
	Examples []diffRow
}

// NewComparison divides the columns of a layer into place and label: integers are the place, texts and heads the label,
// unless columns are given, which are the label then.
func NewComparison(def *text.LayerDef, columns []string, limit int) *comparison {
	c := &comparison{name: def.Name, def: def, limit: limit, Counts: map[string]map[string]int{}}
	if len(columns) > 0 {
		c.name += "." + strings.Join(columns, ".")
	}
	for i, col := range def.Columns {
		switch {
		case !col.Stored() || col.Type == value.Float || col.Role == text.Form || def.Spans && col.Name == "text":
		case len(columns) > 0 && slices.Contains(columns, col.Name), len(columns) == 0 &&
			(col.Type == value.Text || col.Name == "head"):
			c.label = append(c.label, i)
		case col.Type == value.Integer:
			c.place = append(c.place, i)
		}
	}
	return c
}

// prediction is one row of a layer: a label at a place.
type prediction struct {
	place []int32
	label string
}

// of lists the predictions for a document, sorted by place and label.
func (c *comparison) of(d *text.Document) []prediction {
	l := d.Layer(c.def.Name)
	if l == nil {
		return nil
	}
	var out []prediction
	for i := range l.N {
		var label []string
		for _, k := range c.label {
			switch col := l.Cols[k]; {
			case col.Strs != nil:
				label = append(label, col.Strs[i])
			case col.Ints != nil:
				label = append(label, fmt.Sprint(col.Ints[i]))
			}
		}
		p := prediction{label: strings.Join(label, " ")}
		for _, k := range c.place {
			at := int32(0)
			if ints := l.Cols[k].Ints; ints != nil {
				at = ints[i]
			}
			p.place = append(p.place, at)
		}
		if p.label != "" {
			out = append(out, p)
		}
	}
	sort.SliceStable(out, func(i, k int) bool {
		if x := slices.Compare(out[i].place, out[k].place); x != 0 {
			return x < 0
		}
		return out[i].label < out[k].label
	})
	return out
}

// Add compares the predictions a and b for a document. Equal labels at one place are the same; the others at that place
// are paired in order as changed; the rest is gained or lost.
func (c *comparison) Add(a, b *text.Document) {
	x, y := c.of(a), c.of(b)
	for len(x)+len(y) > 0 {
		place := firstPlace(x, y)
		var was, now []prediction
		was, x = cutPlace(x, place)
		now, y = cutPlace(y, place)
		var gone []prediction
		for _, p := range was {
			if i := slices.IndexFunc(now, func(q prediction) bool { return q.label == p.label }); i >= 0 {
				c.count("same", p.label)
				now = slices.Delete(slices.Clone(now), i, i+1)
			} else {
				gone = append(gone, p)
			}
		}
		for i := range max(len(gone), len(now)) {
			switch {
			case i >= len(now):
				c.found("lost", a, gone[i], gone[i].label, "")
			case i >= len(gone):
				c.found("gained", a, now[i], "", now[i].label)
			default:
				c.found("changed", a, now[i], gone[i].label, now[i].label)
			}
		}
	}
}

func firstPlace(x, y []prediction) []int32 {
	if len(y) == 0 || len(x) > 0 && slices.Compare(x[0].place, y[0].place) <= 0 {
		return x[0].place
	}
	return y[0].place
}

func cutPlace(list []prediction, place []int32) (here, rest []prediction) {
	n := 0
	for n < len(list) && slices.Equal(list[n].place, place) {
		n++
	}
	return list[:n], list[n:]
}

func (c *comparison) count(change, label string) {
	if c.Counts[change] == nil {
		c.Counts[change] = map[string]int{}
	}
	c.Counts[change][""]++
	c.Counts[change][label]++
}

// labels lists "", which stands for all, then the labels of a change.
func (c *comparison) labels(change string) []string {
	out := []string{""}
	for _, label := range slices.Sorted(maps.Keys(c.Counts[change])) {
		if label != "" {
			out = append(out, label)
		}
	}
	return out
}

// found counts a difference. The first ones are stored as examples.
func (c *comparison) found(change string, d *text.Document, p prediction, a, b string) {
	label := a + b
	if a != "" && b != "" {
		label = a + ">" + b
	}
	c.count(change, label)
	if len(c.Examples) >= c.limit {
		return
	}
	row := diffRow{what: c.name + " " + change, label: label, A: a, B: b, doc: d.ID}
	start, end := -1, -1
	for i, k := range c.place {
		switch at := int(p.place[i]); c.def.Columns[k].Name {
		case "sent":
			row.sent = at
		case "tok", "tok_start":
			row.tok = at
		case "char_start":
			start = at
		case "char_end":
			end = at
		}
	}
	if start >= 0 && start <= end && end <= len(d.Text) {
		points := exec.AppendCodePoints(nil, d.Text, []int32{int32(start), int32(end)})
		row.CharStart, row.CharEnd, row.Text = value.Int(points[0]), value.Int(points[1]), value.Str(d.Text[start:end])
	}
	c.Examples = append(c.Examples, row)
}
