package score

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/query/relation"
	"parlance/storage/registry"
	"parlance/storage/value"
)

var DiffColumns = exec.Columns(
	"what name label a b delta:float p:float doc sent:int tok:int char_start:int char_end:int text")

// diffOptions are the options of DIFF MODEL.
type diffOptions struct {
	limit    int
	shuffles int
	seed     int
	Set      option.Set
}

func NewDiffOptions() *diffOptions {
	d := &diffOptions{}
	d.Set.Int(&d.limit, "limit", 20, 0, 100000, "rows of each sort of difference that are listed")
	d.Set.Int(&d.shuffles, "shuffles", 10000, 0, 10000000, "shuffles of the test of differences of scores, 0 for no test")
	d.Set.Int(&d.seed, "seed", 1, 0, 1<<53, "seed of the shuffles")
	return d
}

// diffRow is one difference; fields that are not set are NULL.
type diffRow struct {
	what, name, label, A, B  string
	delta, p                 value.Value
	doc                      string
	sent, tok                int
	CharStart, CharEnd, Text value.Value
}

func (d diffRow) values() []value.Value {
	return []value.Value{value.Str(d.what), exec.TextOrNull(d.name), exec.TextOrNull(d.label), exec.TextOrNull(d.A),
		exec.TextOrNull(d.B), d.delta, d.p, exec.TextOrNull(d.doc), exec.IntOrNull(d.sent), exec.IntOrNull(d.tok),
		d.CharStart, d.CharEnd, d.Text}
}

// diff compares two versions of one kind, and collects the differences.
type diff struct {
	r       *exec.Execution
	stmt    *ast.DiffModels
	opt     *diffOptions
	a, b    *models.Configured
	summary []diffRow
	rows    []diffRow
}

func (d *diff) count(name, label string, n int) {
	d.summary = append(d.summary, diffRow{what: "summary", name: name, label: label, delta: value.Real(float64(n))})
}

// DiffModels lists the differences of two versions: options, lineage, weights and, with documents, predictions and
// scores. Counts come first.
func DiffModels(r *exec.Execution, ctx context.Context, s *ast.DiffModels) (*operator.Result, error) {
	args, err := optarg.Args(s.With, r.Env)
	if err != nil {
		return nil, err
	}
	d := &diff{r: r, stmt: s, opt: NewDiffOptions()}
	if err := d.opt.Set.Apply(args); err != nil {
		return nil, optarg.AtOption(err, s.With)
	}
	if err := d.open(); err != nil {
		return nil, err
	}
	d.lineage()
	if err := d.weights(ctx); err != nil {
		return nil, err
	}
	if len(s.On) > 0 {
		if err := d.on(ctx); err != nil {
			return nil, err
		}
	}
	var rows [][]value.Value
	for _, row := range append(d.summary, d.rows...) {
		rows = append(rows, row.values())
	}
	return operator.TableResult(DiffColumns, rows), nil
}

// open loads both versions.
func (d *diff) open() error {
	for _, side := range []struct {
		ref ast.ModelRef
		to  **models.Configured
	}{{d.stmt.A, &d.a}, {d.stmt.B, &d.b}} {
		m, err := d.r.Model(side.ref)
		if err != nil {
			return err
		}
		if *side.to, err = d.r.Configure(*m, models.Request{Layers: models.CommonLayers(m.Schema)}); err != nil {
			return fault.At(side.ref.Pos, err)
		}
	}
	if d.a.Kind.Name != d.b.Kind.Name {
		return plan.Errorf(d.stmt.B.Pos, plan.CodeWrongKind,
			fmt.Sprintf("EVALUATE %s, %s ON … compares their scores", d.stmt.A, d.stmt.B),
			"%s is a %s and %s a %s: nothing of them corresponds", d.a.Label, d.a.Kind.Name, d.b.Label, d.b.Kind.Name)
	}
	return nil
}

// lineage compares the options and the lineage.
func (d *diff) lineage() {
	d.pairs("option", pairsOf(d.a.Meta.Options), pairsOf(d.b.Meta.Options))
	d.pairs("lineage", lineageOf(d.a.Meta), lineageOf(d.b.Meta))
}

func pairsOf(list [][2]string) map[string]string {
	out := map[string]string{}
	for _, p := range list {
		out[p[0]] = p[1]
	}
	return out
}

// lineageOf is the lineage of a version without times, which always differ.
func lineageOf(v registry.Version) map[string]string {
	out := map[string]string{
		"revision": strconv.Itoa(v.Revision), "statement": v.Statement, "seed": strconv.FormatUint(v.Seed, 10),
		"source": v.SourceHash, "tokenizer": v.Tokenizer,
		"program": v.Program, "weights": v.WeightsHash, "bytes": strconv.FormatInt(v.WeightsBytes, 10),
		"upstream": relation.PinList(v.Upstream),
	}
	for _, p := range v.Resources {
		out["resource "+p.Name] = p.Role + " " + p.Hash
	}
	for name, x := range v.Metrics {
		out["held-out "+name] = value.Real(x).String()
	}
	if v.Origin != nil {
		out["loaded from"] = v.Origin.String()
	}
	return out
}

// pairs lists the names whose texts differ.
func (d *diff) pairs(what string, a, b map[string]string) {
	names := map[string]bool{}
	for _, side := range []map[string]string{a, b} {
		for name := range side {
			names[name] = true
		}
	}
	n := 0
	for _, name := range slices.Sorted(maps.Keys(names)) {
		x, y := a[name], b[name]
		if x == y {
			continue
		}
		n++
		row := diffRow{what: what, name: name, A: x, B: y}
		if p, err := strconv.ParseFloat(x, 64); err == nil {
			if q, err := strconv.ParseFloat(y, 64); err == nil {
				row.delta = value.Real(q - p)
			}
		}
		d.rows = append(d.rows, row)
	}
	d.count(what, "", n)
}
