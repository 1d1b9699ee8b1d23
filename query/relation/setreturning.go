package relation

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/fn"
	"parlance/query/fn/jsonfn"
	"parlance/query/fn/textfn"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// rowFunction opens a set-returning function, or several side by side (ROWS FROM).
func rowFunction(r *exec.Execution, n *plan.Relation, args []value.Value) (operator.Operator, error) {
	var rows [][]value.Value
	if n.Rel == operator.SeriesName && n.Parts == nil && len(n.Columns()) == 1 {
		op, err := seriesOf(n, args)
		return op, expr.ErrorAt(n.Pos, err)
	}
	if n.Parts == nil {
		var err error
		if rows, err = rowsOf(r, n, args); err != nil {
			return nil, expr.ErrorAt(n.Pos, err)
		}
	}
	for k, part := range n.Parts {
		own, err := rowsOf(r, part, args[:len(part.Args)])
		if err != nil {
			return nil, expr.ErrorAt(part.Pos, err)
		}
		args = args[len(part.Args):]
		for i, row := range own {
			if i == len(rows) {
				rows = append(rows, make([]value.Value, len(n.Parts)))
			}
			if rows[i][k], err = oneValue(part.Columns(), row); err != nil {
				return nil, err
			}
		}
	}
	if n.SecondName {
		for i := range rows {
			rows[i] = append(rows[i], rows[i][0])
		}
	}
	if width := len(n.Columns()); len(rows) > 0 && len(rows[0]) < width {
		for i := range rows { // WITH ORDINALITY
			rows[i] = append(rows[i], value.Int(int64(i+1)))
		}
	}
	return operator.NewRows(n.Columns(), rows), nil
}

func seriesOf(n *plan.Relation, args []value.Value) (operator.Operator, error) {
	if n.Times {
		return operator.NewTimeSeries(args)
	}
	return operator.NewSeries(args)
}

// oneValue is a row as one value; several columns become a JSON object.
func oneValue(cols []plan.Column, row []value.Value) (value.Value, error) {
	if len(cols) == 1 {
		return row[0], nil
	}
	var b strings.Builder
	for i, c := range cols {
		name, err := json.Marshal(c.Name)
		if err != nil {
			return value.Value{}, err
		}
		item, err := jsonfn.Array(row[i : i+1])
		if err != nil {
			return value.Value{}, err
		}
		fmt.Fprintf(&b, ",%s:%s", name, item.S[1:len(item.S)-1])
	}
	return value.Value{T: value.JSON, S: "{" + b.String()[1:] + "}"}, nil
}

func rowsOf(r *exec.Execution, n *plan.Relation, args []value.Value) ([][]value.Value, error) {
	if n.Times {
		s, err := operator.NewTimeSeries(args)
		if err != nil {
			return nil, err
		}
		return operator.Drain(r.Env.Ctx, s, 0)
	}
	switch name := n.Rel; name {
	case bind.ValueFunction:
		return [][]value.Value{args}, nil
	case operator.SeriesName:
		s, err := operator.NewSeries(args)
		if err != nil {
			return nil, err
		}
		return s.Rows(), nil
	case "unnest", "_pg_expandarray", "generate_subscripts", "pg_options_to_table":
		return arrayRows(r.Env.Ctx, name, args)
	case "pg_partition_tree", "pg_show_all_settings":
		return r.Host.CatalogRows(r, name, args)
	case "pg_get_keywords":
		return keywordRows(), nil
	case "string_to_table":
		return textRows(args)
	case textfn.RegexpMatches, "regexp_split_to_table":
		return regexpRows(r.Env.Ctx, name, args)
	}
	if strings.HasPrefix(n.Rel, "json") && !args[0].IsNull() {
		return jsonfn.Rows(r.Env.Ctx, n.Rel, args[0])
	}
	return nil, nil
}

// textRows are the parts of a text, one a row. Parts equal to the third argument, if given, are NULL.
func textRows(args []value.Value) ([][]value.Value, error) {
	if args[0].IsNull() {
		return nil, nil
	}
	parts, err := jsonfn.TextParts(args)
	out := make([][]value.Value, len(parts))
	for i := range parts {
		out[i] = parts[i : i+1 : i+1]
	}
	return out, fn.ArgumentError(err)
}

func regexpRows(ctx context.Context, name string, args []value.Value) ([][]value.Value, error) {
	if args[0].IsNull() || args[1].IsNull() {
		return nil, nil
	}
	if args[2].IsNull() {
		args = args[:2]
	}
	of := textfn.RegexpParts
	if name == textfn.RegexpMatches {
		of = textfn.RegexpRows
	}
	list, err := of(ctx, args)
	if err != nil {
		return nil, err
	}
	out := make([][]value.Value, len(list))
	for i, v := range list {
		out[i] = []value.Value{v}
	}
	return out, nil
}

func arrayRows(ctx context.Context, name string, args []value.Value) ([][]value.Value, error) {
	items, err := jsonfn.ItemsWithin(ctx, args[0])
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	first := int64(1)
	if args[0].T == value.Text && !strings.HasPrefix(strings.TrimSpace(args[0].S), "{") && name != "unnest" {
		first = 0 // vectors of the catalog, such as pg_index.indkey, begin at 0
	}
	var out [][]value.Value
	for i, v := range items {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch name {
		case "unnest":
			out = append(out, []value.Value{v})
		case "_pg_expandarray":
			out = append(out, []value.Value{v, value.Int(int64(i + 1))})
		case "pg_options_to_table":
			key, text, _ := strings.Cut(v.String(), "=")
			out = append(out, []value.Value{value.Str(key), value.Str(text)})
		default:
			if args[1].Int() == 1 {
				out = append(out, []value.Value{value.Int(int64(i) + first)})
			}
		}
	}
	return out, nil
}

func keywordRows() [][]value.Value {
	words := ast.ReservedWords()
	sort.Strings(words)
	var out [][]value.Value
	for _, w := range words {
		out = append(out, []value.Value{value.Str(strings.ToLower(w)), value.Str("R"), value.Bool(false),
			value.Str("reserved"), value.Str("requires AS")})
	}
	return out
}
