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
