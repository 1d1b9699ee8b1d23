package learn

import (
	"context"
	"math/rand/v2"

	"parlance/algo/text"
	"parlance/query/exec"
	"parlance/query/input"
	"parlance/storage/documents"
)

// foldUnits are the units that are divided into folds: documents, or groups of documents that a model needs together.
type foldUnits struct {
	group string // metadata column by whose values documents are grouped, "" for single documents
	known map[string]int
	n     int
}

// number returns the unit of every document of a part, -1 for documents that the part leaves out.
func (u *foldUnits) number(ctx context.Context, r *exec.Execution, p input.Part) ([]int, error) {
	want := documents.Want{IDs: true}
	if u.group != "" {
		want.Fields = []string{u.group}
	}
	if u.known == nil {
		u.known = map[string]int{}
	}
	var out []int
	err := input.EachStored(r, ctx, p, want, func(d *text.Document) error {
		if p.Selected != nil && !p.Selected[len(out)] {
			out = append(out, -1)
			return nil
		}
		k := u.n
		if u.group != "" {
			name := d.Field(u.group).String()
			if at, ok := u.known[name]; ok {
				k = at
			} else {
				u.known[name] = k
			}
		}
		u.n = max(u.n, k+1)
		out = append(out, k)
		return nil
	})
	return out, err
}

// deal replaces each unit by its fold, of n folds with sizes as equal as possible, by a random order.
func (u *foldUnits) deal(rng *rand.Rand, n int, parts [][]int) {
	fold := make([]int, u.n)
	for i, k := range rng.Perm(u.n) {
		fold[k] = i % n
	}
	for _, part := range parts {
		for i, k := range part {
			if k >= 0 {
				part[i] = fold[k]
			}
		}
	}
}

// what names the units in messages.
func (u *foldUnits) what() string {
	if u.group != "" {
		return "values of " + u.group
	}
	return "documents"
}
