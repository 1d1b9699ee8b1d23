package operator

import (
	"context"

	"parlance/storage/value"
)

// union yields the rows of its parts, one after the other.
type union struct {
	parts []Operator
	at    int
}

// NewUnion returns the rows of its parts one after the other, no rows without parts.
func NewUnion(parts ...Operator) Operator { return &union{parts: parts} }

func (u *union) Next(ctx context.Context) (*value.Batch, error) {
	for u.at < len(u.parts) {
		b, err := u.parts[u.at].Next(ctx)
		if b != nil || err != nil {
			return b, err
		}
		u.at++
	}
	return nil, nil
}

func (u *union) Close() error {
	var first error
	for _, p := range u.parts {
		if err := p.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
