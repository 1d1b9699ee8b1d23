package kindtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/option"
)

// sections are the named sections of a model or checkpoint, in order.
type sections struct {
	names []string
	bytes map[string][]byte
}

func collect(write func(*kind.Writer) error) (*sections, error) {
	s := &sections{bytes: map[string][]byte{}}
	w := kind.NewWriter(func(section string, p []byte) error {
		if _, ok := s.bytes[section]; !ok {
			s.names = append(s.names, section)
		}
		s.bytes[section] = append(s.bytes[section], p...)
		return nil
	})
	return s, write(w)
}

func encode(m kind.Model) (*sections, error) {
	s, err := collect(m.Encode)
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return s, nil
}

func (s *sections) reader() *kind.Reader {
	return kind.NewReader(func(name string) ([]byte, error) {
		p, ok := s.bytes[name]
		if !ok {
			return nil, kind.Corrupt(name, "is missing")
		}
		return p, nil
	})
}

// with returns the sections with another content of one; nil leaves it out.
func (s *sections) with(name string, p []byte) *sections {
	out := &sections{names: s.names, bytes: map[string][]byte{}}
	for n, b := range s.bytes {
		out.bytes[n] = b
	}
	if out.bytes[name] = p; p == nil {
		delete(out.bytes, name)
	}
	return out
}

// differs tells the first difference, "" if there is none.
func (s *sections) differs(want *sections) string {
	if !slices.Equal(s.names, want.names) {
		return fmt.Sprintf("sections %v, want %v", s.names, want.names)
	}
	for _, n := range s.names {
		a, b := s.bytes[n], want.bytes[n]
		if bytes.Equal(a, b) {
			continue
		}
		i := 0
		for i < len(a) && i < len(b) && a[i] == b[i] {
			i++
		}
		return fmt.Sprintf("section %s differs from byte %d on (%d and %d bytes)", n, i, len(a), len(b))
	}
	return ""
}

// decode reads a model with the options of the case, as the engine does. A panic is an error.
func (s *subject) decode(b *sections) (m kind.Model, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("decode panics: %v", p)
		}
	}()
	_, set, err := s.untrained()
	if err != nil {
		return nil, err
	}
	again := &option.Set{}
	m = s.kind.New()
	m.Options(again)
	if err := again.Restore(set.Values(option.Train, option.Predict, option.Run)); err != nil {
		return nil, err
	}
	return m, m.Decode(b.reader())
}

func checkCodec(ctx context.Context, s *subject) error {
	m, err := s.trained(ctx)
	if err != nil {
		return err
	}
	b, err := encode(m)
	if err != nil {
		return err
	}
	again, err := s.decode(b)
	if err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	c, err := encode(again)
	if err != nil {
		return err
	}
	if d := c.differs(b); d != "" {
		return fmt.Errorf("decoded and encoded again: %s", d)
	}
	if got, want := fmt.Sprintf("%+v", again.Schema()), fmt.Sprintf("%+v", m.Schema()); got != want {
		return fmt.Errorf("the decoded schema is %s, not %s", got, want)
	}
	run := s.run()
	run.Prob = true
	want, err := s.annotate(ctx, m, s.Test, run)
	if err != nil {
		return fmt.Errorf("annotate: %w", err)
	}
	got, err := s.annotate(ctx, again, s.Test, run)
	if err != nil {
		return fmt.Errorf("annotate with the decoded model: %w", err)
	}
	if g, w := written(got, m.Schema()), written(want, m.Schema()); g != w {
		return fmt.Errorf("the decoded model answers otherwise, %s", difference(g, w))
	}
	return nil
}

const flips = 24 // bytes of a section that are damaged in turn

// checkDamage leaves out, shortens, lengthens and flips sections: Decode must refuse them
// with kind.ErrCorrupt or give a model that answers without a panic.
func checkDamage(ctx context.Context, s *subject) error {
	m, err := s.trained(ctx)
	if err != nil {
		return err
	}
	b, err := encode(m)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range b.names {
		if _, err := s.decode(b.with(name, nil)); !errors.Is(err, kind.ErrCorrupt) {
			errs = append(errs, fmt.Errorf("without section %s: %v, want kind.ErrCorrupt", name, err))
		}
		p := b.bytes[name]
		for what, q := range damaged(p) {
			if err := s.survives(ctx, b.with(name, q)); err != nil {
				errs = append(errs, fmt.Errorf("section %s, %s: %w", name, what, err))
			}
		}
	}
	return errors.Join(errs...)
}

func damaged(p []byte) map[string][]byte {
	out := map[string][]byte{"with a byte more": append(slices.Clone(p), 0)}
	if len(p) == 0 {
		return out
	}
	out["empty"], out["halved"], out["without its last byte"] = []byte{}, p[:len(p)/2], p[:len(p)-1]
	for i := range min(flips, len(p)) {
		at := i * len(p) / min(flips, len(p))
		q := slices.Clone(p)
		q[at] ^= 1 << (i % 8)
		out[fmt.Sprintf("byte %d flipped", at)] = q
	}
	return out
}

// survives decodes damaged sections and uses what comes of them.
func (s *subject) survives(ctx context.Context, b *sections) (err error) {
	m, err := s.decode(b)
	if errors.Is(err, kind.ErrCorrupt) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w, want kind.ErrCorrupt", err)
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("annotation panics: %v", p)
		}
	}()
	_, _ = s.annotate(ctx, m, s.Test[:min(2, len(s.Test))], s.run())
	return nil
}
