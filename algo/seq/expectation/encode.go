package expectation

import (
	"fmt"

	"parlance/algo/kind"
)

// figures is how many numbers of a constraint are written.
const figures = 5

// Encode writes what a training reached in sections that begin with "constraints.".
func Encode(w *kind.Writer, list []Reached) error {
	type text struct {
		Constraint
		Status string
	}
	texts := make([]text, len(list))
	var numbers []float64
	for i, r := range list {
		texts[i] = text{r.Constraint, r.Status}
		numbers = append(numbers, r.Matches, r.Expected, r.Projected, r.Multiplier, r.Observed)
	}
	if err := w.JSON("constraints.list", texts); err != nil {
		return err
	}
	return w.Float64s("constraints.reached", numbers)
}

// Decode reads what Encode wrote; damage gives an error that wraps kind.ErrCorrupt.
func Decode(r *kind.Reader) ([]Reached, error) {
	var list []Reached
	if err := r.JSON("constraints.list", &list); err != nil {
		return nil, err
	}
	numbers, err := r.Float64s("constraints.reached")
	if err != nil {
		return nil, err
	}
	if len(numbers) != figures*len(list) {
		return nil, kind.Corrupt("constraints.reached", "five numbers a constraint are wanted")
	}
	for i := range list {
		x := &list[i]
		if err := x.check(); err != nil {
			return nil, fmt.Errorf("%w: constraint in row %d: %w", kind.ErrCorrupt, x.Row, err)
		}
		n := numbers[figures*i:]
		x.Matches, x.Expected, x.Projected, x.Multiplier, x.Observed = n[0], n[1], n[2], n[3], n[4]
	}
	if len(list) == 0 {
		return nil, nil
	}
	return list, nil
}
