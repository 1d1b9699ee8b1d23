package constituent

import (
	"errors"
	"fmt"
	"slices"
)

// Arc attaches a token to a head.
type Arc struct {
	Head     int32
	Position int  // in the head's spine, from 1; 0 is its tag
	Regular  bool // a regular adjunction, else a sister adjunction
}

// RootSpine is the spine of token 0, the root.
var RootSpine = []string{"*", Root}

// Derivation is a tree as spines and arcs, by token; entry 0 of Spines is RootSpine, that of Arcs is unused.
//
// Arcs are a projective tree with one token under the root, and on each side of a head positions do not fall
// outwards. No two neighbours of a spine, its tag aside, are equal. With that each derivation has a tree of its own.
type Derivation struct {
	Spines [][]string
	Arcs   []Arc
}

// Len returns the number of tokens.
func (d *Derivation) Len() int { return len(d.Spines) - 1 }

// Triple is what the parts of an arc are called: the label of the phrase, of its child with the head, and of the
// modifier.
type Triple struct{ Parent, Head, Modifier string }

// Modifiers yields the modifiers of each head, from 0, on each side (0 is left), the closest first.
func (d *Derivation) Modifiers(yield func(head, side int, modifiers []int)) {
	n := d.Len()
	lists := make([][2][]int, n+1)
	for m := 1; m <= n; m++ {
		if h := int(d.Arcs[m].Head); h < m {
			lists[h][1] = append(lists[h][1], m)
		}
	}
	for m := n; m >= 1; m-- {
		if h := int(d.Arcs[m].Head); h > m {
			lists[h][0] = append(lists[h][0], m)
		}
	}
	for h := range lists {
		for side, list := range lists[h] {
			if len(list) > 0 {
				yield(h, side, list)
			}
		}
	}
}

// Later tells of each token whether a regular adjunction was made at its position closer to the head on its side.
func (d *Derivation) Later() []bool {
	out := make([]bool, d.Len()+1)
	d.Modifiers(func(_, _ int, list []int) {
		regular := false
		for i, m := range list {
			if i > 0 && d.Arcs[m].Position != d.Arcs[list[i-1]].Position {
				regular = false
			}
			out[m] = regular
			regular = regular || d.Arcs[m].Regular
		}
	})
	return out
}

// Triple returns that of the arc to m; later is what Later tells of m.
func (d *Derivation) Triple(m int, later bool) Triple {
	a := d.Arcs[m]
	head, top := d.Spines[a.Head], d.Spines[m]
	x := head[a.Position]
	if !a.Regular && !later {
		x = head[a.Position-1]
	}
	return Triple{head[a.Position], x, top[len(top)-1]}
}

// ErrDerivation is wrapped by what Check finds.
var ErrDerivation = errors.New("no derivation")

// Check tells what makes spines and arcs no derivation, nil if nothing does.
func (d *Derivation) Check() error {
	n := d.Len()
	if n < 1 || len(d.Arcs) != n+1 || !slices.Equal(d.Spines[0], RootSpine) {
		return fmt.Errorf("%w: %d spines, %d arcs, root %v", ErrDerivation, len(d.Spines), len(d.Arcs), d.Spines[0])
	}
	roots := 0
	for m := 1; m <= n; m++ {
		if err := d.checkToken(m); err != nil {
			return err
		}
		if d.Arcs[m].Head == 0 {
			roots++
		}
	}
	if roots != 1 {
		return fmt.Errorf("%w: %d tokens are under the root, one is wanted", ErrDerivation, roots)
	}
	return d.checkOrder()
}

func (d *Derivation) checkToken(m int) error {
	a, s := d.Arcs[m], d.Spines[m]
	if len(s) == 0 {
		return fmt.Errorf("%w: token %d has no spine", ErrDerivation, m)
	}
	for i := 2; i < len(s); i++ {
		if s[i] == s[i-1] {
			return fmt.Errorf("%w: the spine of token %d has %s twice in a row", ErrDerivation, m, s[i])
		}
	}
	if a.Head < 0 || int(a.Head) > d.Len() || int(a.Head) == m {
		return fmt.Errorf("%w: the head of token %d is %d", ErrDerivation, m, a.Head)
	}
	if a.Position < 1 || a.Position >= len(d.Spines[a.Head]) || a.Head == 0 && a.Regular {
		return fmt.Errorf("%w: token %d adjoins at position %d of %v", ErrDerivation, m, a.Position, d.Spines[a.Head])
	}
	return nil
}

// checkOrder looks for circles, crossing arcs and positions that fall outwards.
func (d *Derivation) checkOrder() (err error) {
	n := d.Len()
	for m := 1; m <= n; m++ {
		h := int(d.Arcs[m].Head)
		for x := min(h, m) + 1; x < max(h, m); x++ {
			up, steps := x, 0
			for up != h && up != m && up != 0 && steps <= n {
				up, steps = int(d.Arcs[up].Head), steps+1
			}
			if up != h && up != m {
				return fmt.Errorf("%w: the arc to token %d crosses another one, or runs in a circle", ErrDerivation, m)
			}
		}
		up, steps := m, 0
		for up != 0 && steps <= n {
			up, steps = int(d.Arcs[up].Head), steps+1
		}
		if up != 0 {
			return fmt.Errorf("%w: the head of token %d is below it", ErrDerivation, m)
		}
	}
	d.Modifiers(func(h, _ int, list []int) {
		for i := 1; i < len(list); i++ {
			if d.Arcs[list[i]].Position < d.Arcs[list[i-1]].Position {
				err = fmt.Errorf("%w: positions of modifiers of token %d fall outwards", ErrDerivation, h)
			}
		}
	})
	return err
}
