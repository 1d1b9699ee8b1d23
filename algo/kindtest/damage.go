package kindtest

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"parlance/algo/kind"
)

// damage cuts, drops and flips: Decode gives an error that wraps kind.ErrCorrupt, or a model, never a panic.
func damage(t *testing.T, c Case) {
	whole := encoded(t, trained(t, c, 1))
	names := slices.Sorted(maps.Keys(whole))
	for _, name := range names {
		p := whole[name]
		broken := maps.Clone(whole)
		delete(broken, name)
		if err := fresh(t, c).Decode(broken.reader()); err == nil && !slices.Contains(c.Kind.Optional, name) {
			t.Errorf("without section %s it decodes", name)
		}
		if len(p) < 2 {
			continue
		}
		broken[name] = p[:len(p)-1]
		if err := fresh(t, c).Decode(broken.reader()); err == nil && len(p) > 8 {
			t.Errorf("with section %s cut short it decodes", name)
		}
		for _, at := range []int{0, len(p) / 2, len(p) - 1} {
			flipped := bytes.Clone(p)
			flipped[at] ^= 0xff
			broken[name] = flipped
			decodes(t, c, name, broken)
		}
	}
	randomDamage(t, c, whole, names)
}

// Bounds of random damage: rounds over all sections, and time.
const (
	damageRounds = 400
	damageTime   = time.Second
)

// randomDamage spoils one section after the other, round after round until the time is up, which takes small models to
// the last round.
func randomDamage(t *testing.T, c Case, whole sections, names []string) {
	r, start := rand.New(rand.NewPCG(7, 7)), time.Now()
	for range damageRounds {
		for _, name := range names {
			if time.Since(start) > damageTime || t.Failed() {
				return
			}
			if len(whole[name]) > 0 {
				broken := maps.Clone(whole)
				broken[name] = spoiled(r, whole[name])
				decodes(t, c, name, broken)
			}
		}
	}
}

// spoiled is a copy with a bit or byte or two changed, that may be cut or have bytes behind its end.
func spoiled(r *rand.Rand, p []byte) []byte {
	q := bytes.Clone(p)
	for range 1 + r.IntN(2) {
		at := r.IntN(len(q))
		if r.IntN(2) == 0 {
			at = r.IntN(min(len(q), 16)) // where counts and widths stand
		}
		if r.IntN(3) == 0 {
			q[at] = byte(r.IntN(256))
		} else {
			q[at] ^= 1 << r.IntN(8)
		}
	}
	switch r.IntN(8) {
	case 0, 1:
		q = q[:r.IntN(len(q)+1)]
	case 2:
		q = append(q, q...)
	}
	return q
}

// decodes reads a damaged model, which must end without a panic, and in an error that says that it is damaged, or none.
func decodes(t *testing.T, c Case, name string, broken sections) {
	t.Helper()
	defer func() {
		if x := recover(); x != nil {
			t.Errorf("with section %s damaged, Decode panics: %v\n%s", name, x, debug.Stack())
		}
	}()
	if err := fresh(t, c).Decode(broken.reader()); err != nil && !errors.Is(err, kind.ErrCorrupt) {
		t.Errorf("with section %s damaged: %v, which does not say that the model is damaged", name, err)
	}
}
