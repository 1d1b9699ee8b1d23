package operator

import (
	"context"
	"fmt"
	"sync/atomic"

	"parlance/query/plan"
	"parlance/storage/value"
)

// checksTypes is set by tests: the operators of all plans then check what they hand on.
var checksTypes atomic.Bool

// CheckTypes makes the operators of all plans check that each column has values of its declared type alone, for tests.
func CheckTypes() { checksTypes.Store(true) }

// NewChecked returns op, which, if tests ask for it, ends with an error at the first value that has another type than
// its column. Columns whose type shows only when the statement runs take any.
func NewChecked(op Operator, n plan.Node) Operator {
	if !checksTypes.Load() {
		return op
	}
	return &checked{op, n}
}

type checked struct {
	op Operator
	n  plan.Node
}

func (c *checked) Next(ctx context.Context) (*value.Batch, error) {
	b, err := c.op.Next(ctx)
	if err != nil || b == nil {
		return b, err
	}
	for i, col := range c.n.Columns() {
		if col.Type == value.Null || i >= len(b.Cols) {
			continue
		}
		if t, ok := strayType(&b.Cols[i], b.N, col.Type); !ok {
			return nil, fmt.Errorf("%s: column %d, %s, is declared as %s and has a value of type %s", c.n.Line(), i+1,
				col.Name, col.Type, t)
		}
	}
	return b, nil
}

func (c *checked) Close() error { return c.op.Close() }

// strayType is a type of values among n rows of a vector that is not the declared one; ok is true if there is none.
func strayType(v *value.Vec, n int, declared value.Type) (t value.Type, ok bool) {
	if v.Any == nil {
		stored := v.Ints != nil || v.Floats != nil || v.Strs != nil || v.Codes != nil
		return v.Type, !stored || v.Type == declared
	}
	for i := range n {
		if x := v.At(i); !x.IsNull() && x.T != declared {
			return x.T, false
		}
	}
	return 0, true
}
