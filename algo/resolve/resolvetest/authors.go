// Package resolvetest is for tests and measurements of kinds that resolve entities: generated records with known
// entities, and readers of sets of authors.
package resolvetest

import (
	"math"
	"sort"
	"strings"

	"parlance/algo/engine/mcmc"
)

// Author is a record: an author of a publication as it is printed there.
type Author struct {
	ID, First, Last, Coauthors, Title, Venue string
	Affiliation, Topics                      string // of PubMed alone; topics are parted by semicolons
	Block                                    string // what is ambiguous: a name, or "" for generated records
	Entity                                   int
	Label                                    string // the name of the entity in its file, of Ferreira alone
}

// The generator draws
//
//	last names        Zipf with exponent 0.9 over 20,000
//	records a person  Pareto with exponent 1.1 from 1, at most most of them
//	first names       as printed in full 50 %, initial 46 %, with a wrong letter 4 %; wrong last names 2 %
//	coauthors         0 to 3 of the 4 to 12 whom a person has
//	title words       5 to 9, each with chance 0.6 of the 30 of the person, else Zipf over 5,000
//	venues            one of 3 of a person, of 200
const (
	lastNames  = 20000
	initials   = 20
	titleWords = 5000
	venues     = 200
)

type generator struct {
	r    *mcmc.Rand
	last []float64 // cumulated
	word []float64
}

func zipf(n int, exponent float64) []float64 {
	out, sum := make([]float64, n), 0.0
	for i := range out {
		sum += math.Pow(float64(i+1), -exponent)
		out[i] = sum
	}
	return out
}

func (g *generator) draw(cumulated []float64) int {
	x := g.r.Float64() * cumulated[len(cumulated)-1]
	return sort.SearchFloat64s(cumulated, x)
}

// spelled is a made-up word for a number.
func spelled(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	s := ""
	for n++; n > 0; n /= 70 {
		k := n % 70
		s += string(consonants[k/5]) + string(vowels[k%5])
	}
	return s + "n"
}

// Generate makes n records, of persons with at most most records each; persons follow each other.
func Generate(n, most int, seed uint64) []Author {
	g := &generator{r: mcmc.NewRand(seed, 1), last: zipf(lastNames, .9), word: zipf(titleWords, .8)}
	var out []Author
	for e := 0; len(out) < n; e++ {
		size := min(most, n-len(out), int(math.Pow(g.r.Float64(), -1/1.1)))
		if e == 0 {
			size = min(most, n)
		}
		g.person(&out, e, size)
	}
	return out
}

// person appends the records of a person.
func (g *generator) person(out *[]Author, e, size int) {
	last := spelled(g.draw(g.last))
	first := string(rune('a'+g.r.Intn(initials))) + spelled(g.r.Intn(40))
	circle := make([]string, 4+g.r.Intn(9))
	for i := range circle {
		circle[i] = string(rune('a'+g.r.Intn(initials))) + " " + spelled(g.draw(g.last))
	}
	topic, venue := make([]string, 30), [3]int{g.r.Intn(venues), g.r.Intn(venues), g.r.Intn(venues)}
	for i := range topic {
		topic[i] = spelled(100000 + g.draw(g.word))
	}
	for range size {
		a := Author{ID: "r" + itoa(len(*out)), First: first, Last: last, Venue: "v" + itoa(venue[g.r.Intn(3)]),
			Entity: e}
		switch x := g.r.Float64(); {
		case x < .46:
			a.First = first[:1]
		case x < .5:
			a.First = first[:len(first)-1] + "x"
		}
		if g.r.Float64() < .02 {
			a.Last += "x"
		}
		var with, words []string
		for range g.r.Intn(4) {
			with = append(with, circle[g.r.Intn(len(circle))])
		}
		for range 5 + g.r.Intn(5) {
			if g.r.Float64() < .6 {
				words = append(words, topic[g.r.Intn(len(topic))])
			} else {
				words = append(words, spelled(100000+g.draw(g.word)))
			}
		}
		a.Coauthors, a.Title = strings.Join(with, ";"), strings.Join(words, " ")
		*out = append(*out, a)
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}
