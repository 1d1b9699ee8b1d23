package kindtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"parlance/algo/kind"
	"parlance/storage/value"
)

// checkRelations reads every relation twice: rows of the declared width and types, the same
// both times, and of the decoded model too. Closing early and unknown names are tried.
func checkRelations(ctx context.Context, s *subject) error {
	m, err := s.trained(ctx)
	if err != nil {
		return err
	}
	if _, err := m.Open(ctx, "no_such_relation", nil, s.run()); !errors.Is(err, kind.ErrNoRelation) {
		return fmt.Errorf("an unknown relation gives %v, want kind.ErrNoRelation", err)
	}
	b, err := encode(m)
	if err != nil {
		return err
	}
	again, err := s.decode(b)
	if err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	for _, r := range m.Schema().Relations {
		want, err := s.rows(ctx, m, r)
		if err != nil {
			return fmt.Errorf("relation %s: %w", r.Name, err)
		}
		if want == "" {
			return fmt.Errorf("relation %s is empty", r.Name)
		}
		for _, x := range []kind.Model{m, again} {
			got, err := s.rows(ctx, x, r)
			if err != nil {
				return fmt.Errorf("relation %s: %w", r.Name, err)
			}
			if got != want {
				return fmt.Errorf("relation %s differs when read again, %s", r.Name, difference(got, want))
			}
		}
		if err := s.closesEarly(ctx, m, r); err != nil {
			return fmt.Errorf("relation %s: %w", r.Name, err)
		}
	}
	return nil
}

// arguments are those of the case, NULL for the optional ones left out.
func (s *subject) arguments(r kind.Relation) []value.Value {
	args := append([]value.Value{}, s.Args[r.Name]...)
	for len(args) < len(r.Args) {
		args = append(args, value.Value{})
	}
	return args
}

// rows prints a relation.
func (s *subject) rows(ctx context.Context, m kind.Model, r kind.Relation) (string, error) {
	rows, err := m.Open(ctx, r.Name, s.arguments(r), s.run())
	if err != nil {
		return "", err
	}
	var out strings.Builder
	var row []value.Value
	for {
		b, err := rows.Next(ctx)
		if err != nil {
			return "", errors.Join(err, rows.Close())
		}
		if b == nil {
			return out.String(), rows.Close()
		}
		if len(b.Cols) != len(r.Columns) || b.N == 0 {
			return "", errors.Join(fmt.Errorf("a batch of %d rows and %d columns, %d are declared", b.N, len(b.Cols), len(r.Columns)), rows.Close())
		}
		for i := range b.N {
			row = b.Row(row[:0], i)
			for k, v := range row {
				if !v.IsNull() && v.T != r.Columns[k].Type {
					return "", errors.Join(fmt.Errorf("column %s holds %s, %s is declared", r.Columns[k].Name, v.T, r.Columns[k].Type), rows.Close())
				}
			}
			fmt.Fprintln(&out, row)
		}
	}
}

func (s *subject) closesEarly(ctx context.Context, m kind.Model, r kind.Relation) error {
	gone, cancel := context.WithCancel(ctx)
	rows, err := m.Open(gone, r.Name, s.arguments(r), s.run())
	if err != nil {
		cancel()
		return err
	}
	if _, err := rows.Next(gone); err != nil {
		cancel()
		return errors.Join(err, rows.Close())
	}
	cancel()
	if _, err := rows.Next(gone); !errors.Is(err, context.Canceled) {
		return errors.Join(fmt.Errorf("reading under a cancelled context gives %v", err), rows.Close())
	}
	return rows.Close()
}

// checkExplain explains all test documents and one token of the first.
func checkExplain(ctx context.Context, s *subject) error {
	m, err := s.trained(ctx)
	if err != nil {
		return err
	}
	docs := views(s.Test, m.Schema().Reads)
	x, err := m.Explain(ctx, docs, kind.At{}, s.run())
	if s.lacks(Explanation) {
		if !errors.Is(err, kind.ErrNoExplain) {
			return fmt.Errorf("a kind without explanations gives %v, want kind.ErrNoExplain", err)
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("explain: %w", err)
	}
	if len(x.Decisions) < len(docs) {
		return fmt.Errorf("%d decisions in %d documents", len(x.Decisions), len(docs))
	}
	for _, d := range x.Decisions {
		if d.Outcome == "" || d.Outcome == d.RunnerUp || d.Doc == "" || !(d.Prob >= 0 && d.Prob <= 1) || math.IsNaN(d.Margin) {
			return fmt.Errorf("decision %+v lacks outcome or document, or has wrong numbers", d)
		}
		last := math.Inf(1)
		for _, c := range d.Contributions {
			if size := math.Abs(c.Value * c.Weight); size > last || c.Feature == "" {
				return fmt.Errorf("contributions of %s at %s %d.%d are out of order or without name: %+v", d.Outcome, d.Doc, d.Sent, d.Tok, d.Contributions)
			} else {
				last = size
			}
		}
	}
	one, err := m.Explain(ctx, docs[:1], kind.At{Sent: 1, Tok: 1}, s.run())
	if err != nil {
		return fmt.Errorf("explain one token: %w", err)
	}
	if len(one.Decisions) != 1 {
		return fmt.Errorf("%d decisions at one place", len(one.Decisions))
	}
	return nil
}
