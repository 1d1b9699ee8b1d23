package tree

import "context"

// Within makes what is given p end soon after ctx has: decoders then find no tree.
func (p *Parts) Within(ctx context.Context) { p.done = ctx.Done() }

// Ended tells whether the context of Within has. It costs a few nanoseconds.
func (p *Parts) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}
