package codec

import "context"

// loadContext is a context that ends with the load.
type loadContext struct {
	context.Context
	of *Source
}

func (c loadContext) Err() error { return c.of.Stopped() }

// loadEnded says why a load ended, to what reads a value.
type loadEnded struct{ error }

// Unwrap returns the reason.
func (e *loadEnded) Unwrap() error { return e.error }

// Turn is how many steps are made between looks at the context.
const Turn = 1 << 10

// Over is why a load is to end, or nil. Faults of files that it causes are this error alone: see faultf.
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

// Step counts a step, and is why the load is to end.
func (l *Lookout) Step() error {
	if l.n++; l.n%Turn != 0 {
		return nil
	}
	return Over(l.Ended)
}
