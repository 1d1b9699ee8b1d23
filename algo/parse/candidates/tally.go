package candidates

import "parlance/algo/parse/constituent"

// Tally is the brackets of the candidates of a sentence, and those of its gold tree.
type Tally struct {
	Gold     int     // brackets of gold
	Brackets []int32 // of each candidate
	Common   []int32 // with gold, of each
	Logs     []float64
	Answer   int  // place of the answer of the base, or of the first candidate
	Errors   bool // candidates are worth what they lack of errors: F1 is the same for all where gold has no brackets
}

// TallyOf compares candidates with gold.
func TallyOf(x *Sentence, gold []constituent.Bracket) Tally {
	e := Tally{Gold: len(gold)}
	for i, c := range x.List {
		b := c.Brackets()
		e.Errors = e.Errors || c.Tree == nil
		e.Brackets, e.Common = append(e.Brackets, int32(len(b))), append(e.Common, int32(constituent.Common(gold, b)))
		e.Logs = append(e.Logs, c.Log)
		if c.Answer {
			e.Answer = i
		}
	}
	return e
}

// Goodness is what a candidate is worth: F1 times the size of gold, which is its brackets (Collins and Koo 2005,
// section 5.1). For spans it is minus the number of errors, those that are missing and those that are wrong.
func (e *Tally) Goodness(i int) float64 {
	if e.Errors {
		return float64(2*int(e.Common[i]) - int(e.Brackets[i]) - e.Gold)
	}
	if e.Brackets[i] == 0 {
		return 0
	}
	return 2 * float64(e.Common[i]) / float64(int(e.Brackets[i])+e.Gold) * float64(e.Gold)
}

// Target is the place of the candidate of the greatest goodness, of equal ones that of the highest log-probability,
// then the first.
func (e *Tally) Target() int {
	best := 0
	for i := range e.Logs {
		a, b := e.Goodness(i), e.Goodness(best)
		if a > b || a == b && e.Logs[i] > e.Logs[best] {
			best = i
		}
	}
	return best
}

// Counts are brackets of chosen candidates: those they have in common with gold, and all of both.
type Counts struct{ Common, All int }

// Add counts a choice, or with sign −1 takes it back.
func (c *Counts) Add(e *Tally, chosen, sign int) {
	c.Common += sign * int(e.Common[chosen])
	c.All += sign * (int(e.Brackets[chosen]) + e.Gold)
}

// F1 is that of the choices, 1 of no brackets.
func (c Counts) F1() float64 {
	if c.All == 0 {
		return 1
	}
	return 2 * float64(c.Common) / float64(c.All)
}
