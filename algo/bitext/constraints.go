package bitext

import "parlance/algo/lexical"

// RuleType tells how many words a subtree of the source has and how many that of the target.
type RuleType uint8

// The types of rules.
const (
	TwoToTwo RuleType = iota
	TwoToThree
	ThreeToThree
	ThreeToTwo
	RuleTypes // is how many there are
)

func (t RuleType) String() string { return [...]string{"2to2", "2to3", "3to3", "3to2"}[t] }

// Slot is a word of the target side of a rule: that which a source word is linked to, or one that is added.
type Slot struct {
	Source    int // place in the source side, from 0; −1: added
	Word, Tag string
	Head      int // place in the target side, −1 for the root
}

// Rule maps a subtree of the source to one of the target (Chen, Kazama and Torisawa 2010, sec. 4.2).
type Rule struct {
	Type  RuleType
	Right []Slot // in the order of the sentence
	Count uint64
}

// Part is an arc, or three tokens of a tree: a head, a dependent of it, and a third one.
type Part uint8

// The parts whose pairs with a part of the target are counted (Chen et al. 2011): two words and an arc, or a chain of
// three between the images; adjacent siblings; chains.
const (
	Arc Part = iota
	ArcToChain
	Siblings
	Chain
	Parts // is how many there are
)

func (p Part) String() string { return [...]string{"22", "23", "33s", "33c"}[p] }

// Constraints are what is known of how trees of two languages go together. It is safe for use by several goroutines.
type Constraints interface {
	// Class numbers what rules see of a source word: a noun, a verb, or the word with its tag; 0 for words of no rule.
	// content tells nouns and verbs, which must have a link.
	Class(form, tag string) (id uint32, content bool)
	// Rules are those whose source side is a subtree of two or three words in the order of the sentence, by type, the most
	// frequent first. heads are places of heads within the subtree, −1 for the root's. It takes no memory.
	Rules(classes []uint32, heads []int8) []*Rule
	// Source and Target number words, 0 for those of no pair of subtrees.
	Source(form string) uint32
	Target(form string) uint32
	// Pair reports whether a pair of parts was seen often enough: source words as head, dependent and third word, target
	// words as image of the head, image of the dependent, and third word: that between them, or the image of the third; 0
	// where there is none. Orders are those of these words in their sentences.
	Pair(p Part, source, target [3]uint32, sourceOrder, targetOrder lexical.Order) bool
}
