package lexical

// Set is how frequent a subtree is among those of its list.
type Set uint8

// The sets: not in the list, then by rising frequency.
const (
	Zero Set = iota
	Low
	Middle
	High
)

// Sets is the number of sets.
const Sets = 4

func (s Set) String() string { return [...]string{"ZERO", "LF", "MF", "HF"}[s] }

// Subtrees looks up subtrees of two and three words in their sets (Chen et al. 2009, sec. 4). Words
// are numbered once a sentence by Word; all look-ups take constant time, need no memory, and are
// safe for concurrent use. Right tells that the dependents stand after their head.
type Subtrees interface {
	// Word is the number of a form, 0 for words of no subtree, which is a number to look up too.
	Word(form string) uint32
	// Lookup2 is the set of a head with a dependent.
	Lookup2(head, dependent uint32, right bool) Set
	// Lookup3 is the set of a head with two adjacent dependents on the same side, first before second
	// in the sentence.
	Lookup3(head, first, second uint32, right bool) Set
	// Siblings is the set of the two dependents whatever their head.
	Siblings(first, second uint32, right bool) Set
}

// Order is how the words of a chain stand in the sentence.
type Order uint8

// OrderOf is the order of a head, a dependent of it and a dependent of that, by their places.
func OrderOf(head, middle, last int) (o Order) {
	for i, after := range [...]bool{middle > head, last > middle, last > head} {
		if after {
			o |= 1 << i
		}
	}
	return o
}

// Orders is one more than the greatest order.
const Orders = 8

// Chains looks up chains of three words besides: a head, a dependent of it, and a dependent of that (Chen, Kazama and
// Torisawa 2010, sec. 4.1).
type Chains interface {
	Subtrees
	// Chain is the set of a chain, Zero where chains were not counted.
	Chain(head, middle, last uint32, order Order) Set
}
