package similarity

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"parlance/algo/kindtest"
	"parlance/algo/testutil/realdata"
	"parlance/storage/value"
)

// news counts the words before and after words of news in the folder that PARLANCE_DATA names.
func news(t *testing.T, tokens int) [][]value.Value {
	f := realdata.Open(t, "text", "wikinews-en.1.txt.gz")
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[[2]string]int{}
	var order [][2]string
	in := bufio.NewScanner(z)
	in.Buffer(nil, 1<<20)
	for in.Scan() && tokens > 0 {
		words := strings.FieldsFunc(strings.ToLower(in.Text()), func(r rune) bool { return !unicode.IsLetter(r) })
		tokens -= len(words)
		for i, w := range words {
			for _, d := range []int{-2, -1, 1, 2} {
				if j := i + d; j >= 0 && j < len(words) {
					key := [2]string{w, fmt.Sprintf("%+d:%s", d, words[j])}
					if counts[key]++; counts[key] == 1 {
						order = append(order, key)
					}
				}
			}
		}
	}
	var rows [][]value.Value
	for _, k := range order {
		rows = append(rows, []value.Value{value.Str(k[0]), value.Str(k[1]), value.Real(float64(counts[k]))})
	}
	return rows
}

// siblings are the words of nouns in WordNet whose synsets have the same hypernym, in sets of 10 to 300
// of those that are known.
func siblings(t *testing.T, known map[string]bool) [][]value.Value {
	f, err := os.Open("/usr/share/wordnet/data.noun")
	if err != nil {
		t.Skip("WordNet is not in /usr/share/wordnet")
	}
	defer f.Close()
	sets := map[string][]string{}
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		part := strings.Fields(in.Text())
		if strings.HasPrefix(in.Text(), " ") || len(part) < 6 {
			continue
		}
		n := 0
		fmt.Sscanf(part[3], "%x", &n)
		for p := 4 + 2*n; p < len(part) && part[p] != "|"; p++ {
			if part[p] != "@" && part[p] != "@i" {
				continue
			}
			for w := range n {
				if word := strings.ToLower(part[4+2*w]); known[word] {
					sets[part[p+1]] = append(sets[part[p+1]], word)
				}
			}
		}
	}
	var rows [][]value.Value
	for name, words := range sets {
		slices.Sort(words)
		if words = slices.Compact(words); len(words) >= 10 && len(words) <= 300 {
			for _, w := range words {
				rows = append(rows, []value.Value{value.Str(name), value.Str(w)})
			}
		}
	}
	return rows
}

// TestNews finds siblings of WordNet in 600,000 words of news: the Bayesian measure finds more of
// them at the first place than the coefficient of relative frequencies.
func TestNews(t *testing.T) {
	if os.Getenv("PARLANCE_SLOW") == "" {
		t.Skip("PARLANCE_SLOW is not set")
	}
	counts := news(t, 600000)
	known := map[string]bool{}
	for _, row := range counts {
		known[row[0].S] = true
	}
	sets := siblings(t, known)
	got := map[string]float64{}
	for _, measure := range []string{bcb, bc} {
		m := train(t, counts, 2, kindtest.Arg("measure", measure), kindtest.Arg("alpha", 0.0003),
			kindtest.Arg("list_length", 100))
		got[measure] = score(t, m, sets, "precision@1")
	}
	t.Logf("precision@1 of %d rows: %v", len(sets), got)
	if got[bcb] < 1.05*got[bc] || got[bc] < 0.01 {
		t.Errorf("precision@1: %v", got)
	}
}
