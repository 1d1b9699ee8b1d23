package exec

import (
	"context"
	"math/rand/v2"

	"parlance/algo/text"
	"parlance/storage"
)

// foldUnits are what is dealt out to folds: documents, or groups of those that a model needs together.
type foldUnits struct {
	group string // column whose values make the groups, "" for documents
	known map[string]int
	n     int
}

// number gives every document of a part its unit, -1 where the part leaves it out.
func (u *foldUnits) number(ctx context.Context, r *Execution, p part) ([]int, error) {
	want := storage.Want{IDs: true}
	if u.group != "" {
		want.Fields = []string{u.group}
	}
	if u.known == nil {
		u.known = map[string]int{}
	}
	var out []int
	err := r.eachStored(ctx, p, want, func(d *text.Document) error {
		if p.keep != nil && !p.keep[len(out)] {
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

// deal replaces the numbers of units by those of n folds.
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

// what names the units.
func (u *foldUnits) what() string {
	if u.group != "" {
		return "values of " + u.group
	}
	return "documents"
}
