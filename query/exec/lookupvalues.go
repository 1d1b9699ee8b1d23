package exec

import (
	"parlance/query/expr"
	"parlance/query/fn/jsonfn"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// lookupValues computes the values that a column of type t of o may equal, without NULL, which equals nothing. They
// are looked up in an index; ok is false if an index compares them in another way than the condition does, or if
// looking n up takes longer than reading o.
func (r *Execution) lookupValues(
	o *catalog.Object, t value.Type, v plan.Values,
) (out []value.Value, ok bool, err error) {
	switch {
	case v.Subselect != nil:
		return r.subselectValues(o, t, v.Subselect)
	case v.Array != nil:
		return r.arrayValues(t, v.Array)
	}
	for _, x := range v.List {
		v, ok, err := r.keyValue(t, x)
		if err != nil || !ok {
			return nil, false, err
		}
		if !v.IsNull() {
			out = append(out, v)
		}
	}
	return out, len(out) <= plan.MaxAlternatives, nil
}

// arrayValues are the elements of an array. If one of them cannot be compared, ok is false and not an error: the
// comparison gives the error, if the query comes to it.
func (r *Execution) arrayValues(t value.Type, array expr.Expr) (out []value.Value, ok bool, err error) {
	v, err := r.Scalar(array)
	if err != nil {
		return nil, false, err
	}
	items, err := jsonfn.Items(v)
	if err != nil || len(items) > plan.MaxAlternatives {
		return nil, false, nil
	}
	for _, v := range items {
		if v.T == value.Text && t != value.JSON {
			if v, err = value.Cast(v, t); err != nil {
				return nil, false, nil
			}
		}
		if v.IsNull() {
			continue
		}
		if !plan.ComparableKeys(v.T, t) {
			return nil, false, nil
		}
		out = append(out, v)
	}
	return out, true, nil
}

// subselectValues are the values that a subselect gives; ok is false if it is thought to have more rows than o, or
// gives more values than are worth looking up.
func (r *Execution) subselectValues(
	o *catalog.Object, t value.Type, l *expr.Subquery,
) (values []value.Value, ok bool, err error) {
	count := r.rowCount(o)
	if r.Estimate(plan.Subselect(l)) > float64(count) {
		return nil, false, nil
	}
	values, err = l.Values(r.Env)
	if err != nil || len(values) > MaxLookupKeys || 4*len(values) > count {
		return nil, false, err
	}
	for _, v := range values {
		if !plan.ComparableKeys(v.T, t) {
			return nil, false, nil
		}
	}
	return values, true, nil
}

// rowCount counts the rows of a table, or the documents of a corpus.
func (r *Execution) rowCount(o *catalog.Object) int {
	if o.Kind == catalog.CorpusObject {
		return r.Snapshot.Count(o)
	}
	return r.Snapshot.TableCount(o)
}

// keyValue evaluates a value that a column of type t is compared with; ok is false if keys are compared in another way.
func (r *Execution) keyValue(t value.Type, x expr.Expr) (v value.Value, ok bool, err error) {
	if v, err = r.Scalar(x); err != nil {
		return v, false, err
	}
	return v, v.IsNull() || plan.ComparableKeys(v.T, t), nil
}
