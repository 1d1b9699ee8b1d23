package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"parlance/query/annotate"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// planResult is the result of EXPLAIN: the plan as lines of text or as JSON.
func (r *execution) planResult(s *ast.Explain, n plan.Node) (*operator.Result, error) {
	estimate := func(plan.Node) string { return "" }
	if !s.NoCosts {
		annotated := expectedNote(r.expectedDocuments(n))
		estimate = func(n plan.Node) string { return r.IndexNote(n) + r.SearchNote(n) + r.RelationNote(n) + annotated(n) }
	}
	if s.JSON {
		return r.planJSON(s, n, estimate)
	}
	return lines("plan", plan.String(n, func(n plan.Node) string {
		return estimate(n) + r.statsNote(n, !s.NoTiming)
	})), nil
}

// statsNote is what EXPLAIN ANALYZE adds to the line of a node.
func (r *execution) statsNote(n plan.Node, timing bool) string {
	st := r.nodeStats(n)
	if st == nil {
		return ""
	}
	note := fmt.Sprintf("  rows=%d", st.Rows)
	if timing {
		note += fmt.Sprintf(" time=%s", st.Time.Round(10*time.Microsecond))
	}
	if st.Annotated {
		note += fmt.Sprintf(" documents=%d hits=%d misses=%d", st.Documents, st.Hits, st.Misses)
	}
	if st.Keys > 0 {
		note += fmt.Sprintf(" keys=%d", st.Keys)
	}
	if st.Steps > 0 {
		note += fmt.Sprintf(" steps=%d", st.Steps)
	}
	return note
}

// nodeStats are the counters of a node, nil if it was not run.
func (r *execution) nodeStats(n plan.Node) *operator.Stats {
	if r.Stats == nil {
		return nil
	}
	return r.Stats.ByNode[n]
}

// nodeJSON is a node of EXPLAIN (FORMAT json). Properties that PostgreSQL has too have its names, so that its tools
// read them. Times are in milliseconds.
type nodeJSON struct {
	Type         string     `json:"Node Type"`
	Relationship string     `json:"Parent Relationship,omitempty"`
	Subselect    string     `json:"Subplan Name,omitempty"`
	Detail       string     `json:"Detail"`
	Estimate     string     `json:"Estimate,omitempty"`
	Rows         *int64     `json:"Actual Rows,omitempty"`
	Time         *float64   `json:"Actual Total Time,omitempty"`
	Documents    *int64     `json:"Actual Documents,omitempty"`
	Hits         *int64     `json:"Cache Hits,omitempty"`
	Misses       *int64     `json:"Cache Misses,omitempty"`
	Keys         int        `json:"Keys,omitempty"`
	Steps        int        `json:"Steps,omitempty"`
	Plans        []nodeJSON `json:"Plans,omitempty"`
}

func (r *execution) planJSON(s *ast.Explain, n plan.Node, estimate func(plan.Node) string) (*operator.Result, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode([]map[string]nodeJSON{{"Plan": r.nodeJSON(s, plan.OutlineOf(n), estimate)}}); err != nil {
		return nil, err
	}
	v := value.Value{T: value.JSON, S: strings.TrimSpace(b.String())}
	return operator.TableResult(explainColumns(s), [][]value.Value{{v}}), nil
}

func (r *execution) nodeJSON(s *ast.Explain, o plan.Outline, estimate func(plan.Node) string) nodeJSON {
	line := o.Node.Line()
	word, _, _ := strings.Cut(line, " ")
	out := nodeJSON{Type: word, Detail: line,
		Estimate: strings.TrimPrefix(strings.TrimSpace(estimate(o.Node)), "estimated "), Subselect: o.Subselect}
	if o.Subselect != "" {
		out.Relationship = "SubPlan"
	}
	if st := r.nodeStats(o.Node); st != nil {
		out.Rows, out.Keys, out.Steps = &st.Rows, st.Keys, st.Steps
		if !s.NoTiming {
			ms := float64(st.Time.Microseconds()) / 1000
			out.Time = &ms
		}
		if st.Annotated {
			out.Documents, out.Hits, out.Misses = &st.Documents, &st.Hits, &st.Misses
		}
	}
	for _, below := range o.Below {
		out.Plans = append(out.Plans, r.nodeJSON(s, below, estimate))
	}
	return out
}

// explainColumns are the columns of EXPLAIN.
func explainColumns(s *ast.Explain) []plan.Column {
	if s.JSON {
		return exec.Columns("plan:json")
	}
	return exec.Columns("plan")
}

// expectedDocuments estimates how many documents each node of a plan annotates.
func (r *execution) expectedDocuments(root plan.Node) map[plan.Node]float64 {
	out := map[plan.Node]float64{}
	var walk func(plan.Node)
	walk = func(n plan.Node) {
		if l, ok := n.(*plan.Layer); ok && len(l.Models) > 0 && l.Corpus != nil {
			out[n] = r.EstimateDocuments(l)
			if l.Call != nil && l.Call.Likely != nil {
				out[n] *= exec.OtherSelectivity
			}
		}
		for _, c := range n.Inputs() {
			walk(c)
		}
		j, ok := n.(*plan.Join)
		if !ok || j.Filter == nil {
			return
		}
		first := j.Left
		if j.Filter.RightFirst {
			first = j.Right
		}
		out[j.Filter.Layer] = min(out[j.Filter.Layer], r.Estimate(first))
	}
	walk(root)
	return out
}

// expectedNote is what EXPLAIN adds to the line of a node that annotates.
func expectedNote(documents map[plan.Node]float64) func(plan.Node) string {
	return func(n plan.Node) string {
		if d, ok := documents[n]; ok {
			return fmt.Sprintf("  estimated documents=%.0f", math.Ceil(d))
		}
		return ""
	}
}

// lines is a result of one text column, a row a line.
func lines(column, text string) *operator.Result {
	var rows [][]value.Value
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		rows = append(rows, []value.Value{value.Str(l)})
	}
	return operator.TableResult([]plan.Column{{Name: column, Type: value.Text}}, rows)
}

// explain prints the plan of a SELECT; with ANALYZE it runs the SELECT and adds times and row counts.
func (r *execution) explain(ctx context.Context, s *ast.Explain) (*operator.Result, error) {
	sel, ok := s.Statement.(*ast.Select)
	if !ok {
		return nil, plan.Errorf(s.Statement.Position(), plan.CodeFeature, "EXPLAIN [ANALYZE] SELECT …",
			"only queries have a plan")
	}
	n, err := r.Plan(sel)
	if err != nil {
		return nil, err
	}
	if s.Analyze {
		r.Stats = &operator.Analysis{ByNode: map[plan.Node]*operator.Stats{}}
		r.ShareResults(annotate.Repeats(n))
		op, err := r.Build(n)
		if err != nil {
			return nil, err
		}
		if err := drain(ctx, op); err != nil {
			return nil, err
		}
	}
	return r.planResult(s, n)
}

// drain reads an operator to its end and closes it.
func drain(ctx context.Context, op operator.Operator) error {
	for {
		b, err := op.Next(ctx)
		if err != nil {
			op.Close()
			return err
		}
		if b == nil {
			return op.Close()
		}
	}
}
