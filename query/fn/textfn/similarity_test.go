package textfn

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parlance/query/fn"
	"parlance/query/fn/fntest"
	"parlance/storage/value"
)

// TestSimilarity checks published values.
func TestSimilarity(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       float64
	}{
		{"jaro", "MARTHA", "MARHTA", 0.944444}, {"jaro_winkler", "MARTHA", "MARHTA", 0.961111},
		{"jaro_winkler", "DWAYNE", "DUANE", 0.84}, {"jaro_winkler", "DIXON", "DICKSONX", 0.813333},
		{"jaro_winkler", "", "", 1}, {"jaro_winkler", "a", "", 0}, {"jaro_winkler", "Zoë", "Zoë", 1},
		{"trigram_similarity", "word", "two words", 0.363636}, {"trigram_similarity", "Word!", "word", 1},
		{"jaccard", "a b c", "b c d", 0.5}, {"jaccard", "", " ", 1}, {"jaccard", "a", "A", 0},
	} {
		got, err := fntest.Call(t, Functions, c.name, value.Str(c.a), value.Str(c.b))
		if err != nil || math.Abs(got.Float()-c.want) > 1e-6 {
			t.Errorf("%s(%s, %s) = %v %v, want %v", c.name, c.a, c.b, got, err, c.want)
		}
	}
}

// TestSimilarityBounds checks symmetry, identity and range.
func TestSimilarityBounds(t *testing.T) {
	word := rapid.StringMatching(`[abcX ]{0,8}`)
	rapid.Check(t, func(rt *rapid.T) {
		a, b := value.Str(word.Draw(rt, "a")), value.Str(word.Draw(rt, "b"))
		for _, name := range []string{"jaro", "jaro_winkler", "trigram_similarity", "jaccard"} {
			ab, _ := fntest.Call(t, Functions, name, a, b)
			ba, _ := fntest.Call(t, Functions, name, b, a)
			aa, _ := fntest.Call(t, Functions, name, a, a)
			if math.Abs(ab.Float()-ba.Float()) > 1e-12 || ab.Float() < 0 || ab.Float() > 1 || aa.Float() != 1 {
				rt.Fatalf("%s: %v %v %v", name, ab, ba, aa)
			}
		}
	})
}

// TestLongComparisonsEnd cancels comparisons of texts that take them long.
func TestLongComparisonsEnd(t *testing.T) {
	args := []value.Value{value.Str(strings.Repeat("ab", 8000)), value.Str(strings.Repeat("cd", 8000))}
	for _, name := range []string{"levenshtein", "jaro", "jaro_winkler"} {
		if _, err := fntest.Scalar(t, Functions, name).Call(&fntest.Ending{Context: t.Context()}, args); !errors.Is(err,
			context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	args = []value.Value{value.Str(strings.Repeat("é", 2<<20))}
	for _, name := range []string{"upper", "lower"} {
		if v, err := fntest.Scalar(t, Functions, name).Call(t.Context(), args); err != nil || len(v.S) != 4<<20 ||
			!strings.EqualFold(v.S[:4096], args[0].S[:4096]) {
			t.Errorf("%s: %d bytes, %v", name, len(v.S), err)
		}
		if _, err := fntest.Scalar(t, Functions, name).Call(&fntest.Ending{Context: t.Context()}, args); !errors.Is(err,
			context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTextParts reverses and capitalises long texts as short ones, whatever bytes end a part.
func TestTextParts(t *testing.T) {
	word := "éa 漢b "
	long := "x" + strings.Repeat(word, fn.ChunkBytes/len(word)+3)
	for name, want := range map[string]string{
		"reverse": strings.Repeat(" b漢 aé", fn.ChunkBytes/len(word)+3) + "x",
		"initcap": "Xéa 漢b " + strings.Repeat("Éa 漢b ", fn.ChunkBytes/len(word)+2),
	} {
		v, err := fntest.Scalar(t, Functions, name).Call(t.Context(), []value.Value{value.Str(long)})
		if err != nil || v.S != want {
			t.Errorf("%s: %.40q …, %v", name, v.S, err)
		}
	}
}
