package learn

import (
	"fmt"

	"parlance/query/ast"
	"parlance/query/optarg"
	"parlance/query/relation"
	"parlance/storage/value"
)

// warnRangeEdges gives a notice for every option whose best value is the smallest or largest of at least three numbers
// in OVER, since values beyond may be better still. There is none if a candidate with another value is as good.
func (t *tuning) warnRangeEdges(list []relation.Standing) error {
	best := list[0].Candidate - 1
	for i, o := range t.stmt.Over {
		values, ok := o.Value.(*ast.TupleValue)
		if !ok || len(values.Items) < 3 {
			continue
		}
		if t.candidates[best].omits(i) {
			continue
		}
		chosen, ok, err := t.number(t.candidates[best].options[i].Value)
		if err != nil {
			return err
		}
		least, most := true, true
		for _, x := range values.Items {
			v, number, err := t.number(x)
			if err != nil {
				return err
			}
			ok = ok && number
			least, most = least && chosen <= v, most && chosen >= v
		}
		for _, s := range list {
			v, _, err := t.number(t.candidates[s.Candidate-1].options[i].Value)
			if err != nil {
				return err
			}
			ok = ok && (s.Mean < list[0].Mean || v == chosen || t.candidates[s.Candidate-1].omits(i))
		}
		switch {
		case !ok || least == most || least && chosen == 0:
		case least:
			t.r.Session.Notice(fmt.Sprintf("%s is best at the smallest value tried, %v; smaller ones may be better",
				o.Name, chosen))
		default:
			t.r.Session.Notice(fmt.Sprintf("%s is best at the largest value tried, %v; larger ones may be better",
				o.Name, chosen))
		}
	}
	return nil
}

// number is the value of an option that is a number.
func (t *tuning) number(x ast.OptionValue) (float64, bool, error) {
	a, err := optarg.Arg(x, t.r.Env)
	if err != nil || a.Ref != nil || a.List != nil {
		return 0, false, err
	}
	switch a.Value.T {
	case value.Integer:
		return float64(a.Value.Int()), true, nil
	case value.Float:
		return a.Value.Float(), true, nil
	}
	return 0, false, nil
}
