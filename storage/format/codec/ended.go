package codec

import "context"

// loadContext is a context that ends with the load.
type loadContext struct {
	context.Context
	of *Sources
}

func (c loadContext) Err() error {
	if c.of.ended == nil {
		return nil
	}
	return c.of.ended()
}

// loadEnded says why a load ended, to what reads a value.
type loadEnded struct{ error }

// Unwrap returns the reason.
func (e *loadEnded) Unwrap() error { return e.error }

// Turn is how many tokens are read between looks at the context.
const Turn = 1 << 10

// Over is why a load is to end, of type *loadEnded, or nil.
func Over(ended func() error) error {
	if ended != nil {
		if err := ended(); err != nil {
			return &loadEnded{err}
		}
	}
	return nil
}

// Lookout looks at the context once in some thousand steps.
type Lookout struct {
	Ended func() error
	n     int
}

func (l *Lookout) Step() error {
	if l.n++; l.n%Turn != 0 {
		return nil
	}
	return Over(l.Ended)
}
