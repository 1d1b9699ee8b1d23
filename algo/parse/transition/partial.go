package transition

import (
	"slices"

	"parlance/algo/kind"
)

// What templates of partial analyses read besides the columns of tokens.
const (
	deprel = "deprel" // label of the arc to the token
	// of a place of the stack to the next one towards the buffer, of d to its head with the direction
	distance = "distance"
	lefts    = "lefts"  // number of dependents on the left
	rights   = "rights" // number of dependents on the right
)

const (
	deprels = iota
	distances
	leftCounts
	rightCounts
)

var analysis = []string{deprels: deprel, distances: distance, leftCounts: lefts, rightCounts: rights}

// arcPlaces are where addresses of templates of arcs begin.
var arcPlaces = []string{"d", "h", "d-", "d+", "h-", "h+", "p"}

const (
	atDependent = iota
	atHead
	beforeDependent
	afterDependent
	beforeHead
	afterHead
	previous
	arcPlaceCount
)

var (
	partial = &grammar{columns: slices.Concat(columns, analysis), addresses: maxPlaces / 2}
	ofArcs  = &grammar{columns: slices.Concat(columns, analysis), addresses: maxPlaces / 2, arcs: true}
)

// ParsePartial compiles templates over states that read the partial analysis too: deprel, distance (of
// a place of the stack to the next one towards the buffer), lefts and rights (numbers of dependents).
// Such sets are for a Hasher alone.
func ParsePartial(notation string) (*Set, error) { return partial.parse(notation) }

// ParseArcs compiles templates over the arcs of a tree: d is the dependent, h its head, d- and d+, h- and
// h+ the tokens beside them, p the dependent of h before d. Such sets are for a Hasher alone.
func ParseArcs(notation string) (*Set, error) { return ofArcs.parse(notation) }

// ReadsLabels tells whether templates read labels of arcs.
func (s *Set) ReadsLabels() bool { return slices.Contains(s.columns, deprel) }

// TokenColumns lists the columns of tokens that are read, lower besides form.
func (s *Set) TokenColumns() []string {
	var out []string
	for _, c := range s.columns {
		if !slices.Contains(analysis, c) {
			out = append(out, c)
		}
	}
	return out
}

// Uses are the columns of layers that sets read.
func Uses(sets ...*Set) []kind.LayerUse {
	all := &Set{}
	for _, s := range sets {
		for _, c := range s.TokenColumns() {
			if !slices.Contains(all.columns, c) {
				all.columns = append(all.columns, c)
			}
		}
	}
	return all.Layers()
}
