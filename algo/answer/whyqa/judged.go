package whyqa

import (
	"context"
	"errors"
	"fmt"

	"parlance/algo/kind"
)

// judgement is a question with its judged passages, each once, in the order of the table.
type judgement struct {
	text     string
	passages []string
	right    []bool
}

// judgements reads a table of judged passages. A passage that was judged several times is right where more than half
// of its labels are above 0.
func judgements(ctx context.Context, in kind.Input) (out []*judgement, err error) {
	table, ok := in.Table(roleJudged)
	if !ok {
		return nil, fmt.Errorf("%w: there is no table of judged passages", kind.ErrNoData)
	}
	type key struct{ question, passage string }
	questions, votes := map[string]*judgement{}, map[key][2]int{}
	row := 0
	for r, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		row++
		if r[0].IsNull() || r[1].IsNull() || r[2].IsNull() {
			return nil,
				fmt.Errorf("row %d of the judged passages lacks a question, a passage or a label; all three are needed",
					row)
		}
		k := key{r[0].S, r[1].S}
		q := questions[k.question]
		if q == nil {
			q = &judgement{text: k.question}
			questions[k.question] = q
			out = append(out, q)
		}
		v := votes[k]
		if v[1] == 0 {
			q.passages = append(q.passages, k.passage)
		}
		if v[1]++; r[2].Float() > 0 {
			v[0]++
		}
		votes[k] = v
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: the table of judged passages has no row", kind.ErrNoData)
	}
	for _, q := range out {
		for _, p := range q.passages {
			v := votes[key{q.text, p}]
			q.right = append(q.right, 2*v[0] > v[1])
		}
	}
	return out, nil
}

// read asks the question of a judgement; nil where it has no content word.
func (j *judgement) read() *question {
	q, err := ask(j.text)
	if errors.Is(err, errNoTerms) {
		return nil
	}
	return q
}
