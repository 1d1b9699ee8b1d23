package mrlsa

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/storage/value"
)

// planted is a thesaurus of concepts with words, of which every second one is the opposite of the one
// before, under classes; each pair is listed with probability one half, opposites with a share of it.
type planted struct {
	rows      [][]value.Value
	opposites [][]value.Value // questions
	ratings   [][]value.Value
}

const (
	plantedConcepts = 60
	plantedWords    = 5
	plantedClasses  = 6
)

func word(concept, i int) string { return fmt.Sprintf("w%d_%d", concept, i) }

func plant(seed uint64, share float64) planted {
	rng := rand.New(rand.NewPCG(seed, 1))
	var p planted
	list := func(a, relation, b string, chance float64) {
		if rng.Float64() < chance {
			p.rows = append(p.rows, row(a, relation, b, nil, nil))
		}
	}
	for c := range plantedConcepts {
		class := fmt.Sprintf("class%d", c/2%plantedClasses)
		for i := range plantedWords {
			for j := range plantedWords {
				if i != j {
					list(word(c, i), "synonym", word(c, j), 0.5)
				}
				list(word(c, i), "antonym", word(c^1, j), 0.5*share)
			}
			list(word(c, i), "hypernym", class, 0.5)
			list(class, "hyponym", word(c, i), 0.5)
		}
	}
	p.questions(rng)
	p.rated(rng)
	return p
}

// questions ask each word for its opposite among words of four other concepts, one its own.
func (p *planted) questions(rng *rand.Rand) {
	for c := range plantedConcepts {
		for i := range plantedWords {
			q := fmt.Sprint(c, ".", i)
			p.opposites = append(p.opposites, row(word(c, i), word(c^1, rng.IntN(plantedWords)), true, q),
				row(word(c, i), word(c, (i+1)%plantedWords), false, q))
			for k := 1; k <= 3; k++ {
				p.opposites = append(p.opposites, row(word(c, i), word((c+2*k)%plantedConcepts, rng.IntN(plantedWords)), false, q))
			}
		}
	}
}

// rated pairs are members of a class above words of others, of which a word turned round is the worst.
func (p *planted) rated(rng *rand.Rand) {
	for c := range plantedConcepts {
		class, q := c/2%plantedClasses, fmt.Sprint(c)
		other := fmt.Sprintf("class%d", (class+1)%plantedClasses)
		p.ratings = append(p.ratings, row(fmt.Sprintf("class%d", class), word(c, rng.IntN(plantedWords)), 10.0, nil, q),
			row(other, word(c, 0), 2.0, nil, q),
			row(other, word(c, 1), 1.0, nil, q), row(word(c, 2), other, -5.0, nil, q))
	}
}

func (p planted) recall(t *testing.T, options ...option.Arg) float64 {
	return score(t, train(t, p.rows, options...), taskClosest, p.opposites)[2].Value()
}

// TestPlanted learns planted relations of which half are listed.
func TestPlanted(t *testing.T) {
	if testing.Short() {
		t.Skip("much arithmetic: left out by -short")
	}
	two := list("relations", "synonym", "antonym")
	rank := kindtest.Arg("rank", 60)
	full, thin := plant(1, 0.5), plant(1, 0.1)
	tucker, raw, pilsa := full.recall(t, two, rank), full.recall(t, two, kindtest.Arg("method", "raw")),
		full.recall(t, two, rank, kindtest.Arg("method", "pilsa"))
	lookup := full.recall(t, two, kindtest.Arg("method", "lookup"))
	t.Logf("recall: tucker %.3f, pilsa %.3f, raw %.3f, lookup %.3f", tucker, pilsa, raw, lookup)
	if tucker < raw || raw < lookup+0.1 {
		t.Errorf("recall %v by factors, %v raw, %v listed", tucker, raw, lookup)
	}
	if d := tucker - pilsa; d > 0.1 || d < -0.1 {
		t.Errorf("tucker %v, pilsa %v", tucker, pilsa)
	}
	three := list("relations", "synonym", "antonym", "hypernym")
	light := list("scales", "hypernym=0.125")
	if x := full.recall(t, three, rank, light); x < tucker-0.03 {
		t.Errorf("with hypernyms %v, without %v", x, tucker)
	}
	a, b, c := thin.recall(t, two, rank), thin.recall(t, three, rank, light),
		thin.recall(t, two, kindtest.Arg("method", "raw"))
	t.Logf("of few opposites: two slices %.3f, three %.3f, raw %.3f", a, b, c)
	if a < c+0.1 || b < c+0.1 {
		t.Errorf("of few opposites: %v by two slices, %v by three, %v raw", a, b, c)
	}
}

// TestPlantedClasses: more relations tell members of classes better, and in one direction.
func TestPlantedClasses(t *testing.T) {
	if testing.Short() {
		t.Skip("much arithmetic: left out by -short")
	}
	p := plant(2, 0.5)
	rank, smooth := kindtest.Arg("rank", 60), kindtest.Arg("idf_smooth", true)
	four := train(t, p.rows, rank, smooth)
	two := train(t, p.rows, rank, smooth, list("relations", "synonym", "hyponym"))
	x := score(t, four, taskMaxDiff, p.ratings, kindtest.Arg("relation", "hyponym"))[0].Value()
	y := score(t, two, taskMaxDiff, p.ratings, kindtest.Arg("relation", "hyponym"))[0].Value()
	t.Logf("MaxDiff: four slices %.3f, two %.3f", x, y)
	if x < y-0.02 || x < 0.5 {
		t.Errorf("MaxDiff of four slices %v, of two %v", x, y)
	}
	k, err := four.relation("hyponym")
	if err != nil {
		t.Fatal(err)
	}
	down, up := 0.0, 0.0
	for c := range plantedConcepts {
		class := fmt.Sprintf("class%d", c/2%plantedClasses)
		for i := range plantedWords {
			x, _ := four.between(class, word(c, i), k)
			y, _ := four.between(word(c, i), class, k)
			down, up = down+x, up+y
		}
	}
	if down <= up {
		t.Errorf("members of classes %v, turned round %v", down, up)
	}
}
