package lattice

import (
	"fmt"
	"math"
)

// Scores says how pairs of neighbouring labels score. −Inf forbids a pair.
type Scores struct {
	Labels int // labels are 0 to Labels−1

	// Class is the class of each label, which the tables read; nil where a label is its own class. Classes are 0 to
	// Classes−1.
	Class   []int32
	Classes int

	Pair  []float64 // Pair[from·Classes + to], nil for 0
	Start []float64 // by class, of the first span; nil for 0
	End   []float64 // by class, of the last span; nil for 0

	// TableOnly tells by class which labels More is not asked about when they are the second of a pair; nil for none.
	// Such pairs are cheaper.
	TableOnly []bool

	// More adds to the scores of the pairs of labels (from[i], to) at a position, which hold those of the tables. It
	// sees each pair of a position once, unless the tables forbid it. −1 is the end of the sentence. Nil adds
	// nothing. It must not keep the slices.
	More func(at int, from []int32, to int32, scores []float64)
}

// Transitions are scores of pairs, ready for use. They never change and are safe for concurrent use if More is.
type Transitions struct {
	Scores
	states int       // number of states
	state  []int32   // of each label: what pairs tell apart; nil for the label
	single bool      // pairs tell nothing apart
	column []float64 // Pair by column, to·classes + from
	exp    []float64 // e to the power of column
	wide   []bool    // by column: a score is too far from 0 to be scaled
	into   [][]int32 // classes that may precede a class, where few do; else nil
}

// sparseColumn is by how much the classes must outnumber those that may precede one for its list to pay.
const sparseColumn = 4

// NewTransitions checks the scores and keeps them; they must not be changed afterwards.
func NewTransitions(s Scores) (*Transitions, error) {
	if s.Class == nil {
		s.Classes = s.Labels
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	t := &Transitions{Scores: s}
	switch {
	case s.More != nil || s.Class == nil && s.hasTable():
		t.states = s.Labels
	case s.hasTable():
		t.states, t.state = s.Classes, s.Class
	default:
		t.states, t.single = 1, true
	}
	if s.Pair != nil {
		t.transpose()
	}
	return t, nil
}

func (s *Scores) hasTable() bool { return s.Pair != nil || s.Start != nil || s.End != nil }

func (s *Scores) check() error {
	if s.Labels < 1 || s.Labels >= math.MaxInt32 {
		return fmt.Errorf("%w: %d labels", ErrInvalid, s.Labels)
	}
	if s.Class != nil && len(s.Class) != s.Labels {
		return fmt.Errorf("%w: classes of %d labels, want %d", ErrInvalid, len(s.Class), s.Labels)
	}
	for y, c := range s.Class {
		if c < 0 || int(c) >= s.Classes {
			return fmt.Errorf("%w: class %d of label %d, want less than %d", ErrInvalid, c, y, s.Classes)
		}
	}
	if s.TableOnly != nil && len(s.TableOnly) != s.Classes {
		return fmt.Errorf("%w: %d marks of classes, want %d", ErrInvalid, len(s.TableOnly), s.Classes)
	}
	for _, table := range []struct {
		name string
		v    []float64
		want int
	}{{"pairs", s.Pair, s.Classes * s.Classes}, {"starts", s.Start, s.Classes}, {"ends", s.End, s.Classes}} {
		if table.v != nil && len(table.v) != table.want {
			return fmt.Errorf("%w: %d scores of %s, want %d", ErrInvalid, len(table.v), table.name, table.want)
		}
		for _, v := range table.v {
			if !validScore(v) {
				return fmt.Errorf("%w: score %g of %s, want a finite number or −Inf", ErrInvalid, v, table.name)
			}
		}
	}
	return nil
}

func validScore(v float64) bool { return v < math.Inf(1) }

// transpose fills the columns and lists those with few pairs that are allowed.
func (t *Transitions) transpose() {
	n := t.Classes
	t.column, t.into = make([]float64, n*n), make([][]int32, n)
	t.exp, t.wide = make([]float64, n*n), make([]bool, n)
	for to := range n {
		var list []int32
		for from := range n {
			v := t.Pair[from*n+to]
			if t.column[to*n+from] = v; !math.IsInf(v, -1) {
				list = append(list, int32(from))
				t.exp[to*n+from] = math.Exp(v)
				t.wide[to] = t.wide[to] || math.Abs(v) > pairLimit
			}
		}
		if len(list)*sparseColumn < n {
			t.into[to] = append([]int32{}, list...) // not nil when empty
		}
	}
}

// stateOf returns the state of a label.
func (t *Transitions) stateOf(label int32) int32 {
	switch {
	case t.single:
		return 0
	case t.state == nil:
		return label
	}
	return t.state[label]
}

// classOf returns the class of a state, −1 at the ends.
func (t *Transitions) classOf(state int32) int32 {
	if state < 0 || t.single || t.state != nil || t.Class == nil {
		return state
	}
	return t.Class[state]
}

// columnOf returns the scores of all classes before one.
func (t *Transitions) columnOf(to int32) []float64 { return t.column[int(to)*t.Classes:][:t.Classes] }

// asks tells whether More adds to pairs whose second label is in a state.
func (t *Transitions) asks(state int32) bool {
	return t.More != nil && (state < 0 || t.TableOnly == nil || !t.TableOnly[t.classOf(state)])
}

// pair returns the score of the tables.
func (t *Transitions) pair(from, to int32) float64 {
	switch {
	case from < 0 && to < 0:
		return 0
	case from < 0:
		return at(t.Start, to)
	case to < 0:
		return at(t.End, from)
	case t.Pair == nil:
		return 0
	}
	return t.column[int(to)*t.Classes+int(from)]
}

func at(table []float64, class int32) float64 {
	if table == nil {
		return 0
	}
	return table[class]
}
