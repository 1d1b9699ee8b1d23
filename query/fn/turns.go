package fn

import "context"

// turns counts the steps of a loop over an argument, and looks at the context every itemsTurn of them: a loop ends with
// the error that next returns. A step is a byte, a code point, a member or a word.
type turns struct {
	ctx context.Context
	n   uint
}

func (t *turns) next() error {
	if t.n++; t.n%itemsTurn == 0 {
		return t.ctx.Err()
	}
	return nil
}
