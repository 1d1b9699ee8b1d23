package entityresolver

import (
	"bufio"
	"context"
	"fmt"
	"iter"
	"os"
	"strconv"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/resolve/resolvetest"
	"parlance/algo/text"
	"parlance/storage/value"
)

// set is a table of records with known entities, of some of which weights are learned.
type set struct {
	name             string
	attributes, tree string // for model = hierarchical, "" to leave it out
	blocking         string
	list             []labelled
	gold             bool // the table of id and entity of the records that are scored
}

// labelled is a record of a set.
type labelled struct {
	id      string
	values  []string // in the order of the columns of attributes and blocking
	name    string   // what is ambiguous
	entity  int
	learned bool
}

func (s set) Documents(context.Context) iter.Seq2[*text.Document, error] { return nil }
func (s set) Count() int                                                 { return len(s.list) }
func (s set) Table(string) (kind.Table, bool)                            { return s, true }
func (s set) Rows(context.Context) iter.Seq2[[]value.Value, error] {
	return func(yield func([]value.Value, error) bool) {
		for _, r := range s.list {
			row := []value.Value{value.Str(r.id)}
			entity := value.Str(strconv.Itoa(r.entity))
			if !s.gold {
				for _, v := range r.values {
					row = append(row, value.Str(v))
				}
				if !r.learned {
					entity = value.Value{}
				}
			} else if r.learned {
				continue
			}
			if !yield(append(row, entity), nil) {
				return
			}
		}
	}
}

// sets are the real ones: of PubMed and AMiner every other name is learned from, of Ferreira the part train, of Cora
// every other paper.
func sets(t *testing.T) []set {
	const (
		pair = "first name .15 0 -.5, coauthors list 2, title words 2, venue string .3 0"
		tree = "first name 2 1 -8, coauthors list 8 -4, title words 8 -4, venue string 1 0"
	)
	pubmed := set{name: "PubMed", attributes: pair, tree: tree, blocking: "key"}
	more := set{name: "PubMed, affiliation and topics", attributes: pair + ", affiliation words 2, topics list 2",
		blocking: "key"}
	aminer, ferreira := pubmed, pubmed
	aminer.name, ferreira.name = "AMiner", "Ferreira"
	halves := func(s *set, list []resolvetest.Author, extra bool) {
		seen := map[string]bool{}
		for _, a := range list {
			if _, ok := seen[a.Block]; !ok {
				seen[a.Block] = len(seen)%2 == 0
			}
			v := []string{a.First, a.Coauthors, a.Title, a.Venue}
			if extra {
				v = append(v, a.Affiliation, a.Topics)
			}
			s.list = append(s.list, labelled{a.ID, append(v, a.Block), a.Block, a.Entity, seen[a.Block]})
		}
	}
	halves(&pubmed, resolvetest.PubMed(t), false)
	halves(&more, resolvetest.PubMed(t), true)
	halves(&aminer, resolvetest.AMiner(t), false)
	for i, name := range []string{"dblp-agupta", "dblp-jlee", "kisti-aagarwal", "bdbcomp-aoliveira"} {
		first := map[string]int{} // entities have the same names in both parts
		for _, part := range []string{"train", "test"} {
			for _, a := range resolvetest.Ferreira(t, name, part) {
				if _, ok := first[a.Label]; !ok {
					first[a.Label] = 1000*i + len(first)
				}
				ferreira.list = append(ferreira.list, labelled{name + a.ID, []string{a.First, a.Coauthors, a.Title,
					a.Venue, name}, name, first[a.Label], part == "train"})
			}
		}
	}
	return []set{pubmed, more, aminer, ferreira}
}

// cora is the references of Cora.
func cora(t *testing.T) set {
	s := set{name: "Cora", attributes: "title words 4 -1, title trigrams 4 -1, authors trigrams 3 -1, " +
		"venue words 1 0, year number 1 .5 -.5", blocking: "words(title)"}
	for _, c := range resolvetest.Cora(t) {
		s.list = append(s.list, labelled{c.ID, []string{c.Title, c.Authors, c.Venue, c.Year}, "all", c.Entity,
			c.Entity%2 == 0})
	}
	return s
}

// TestSets has the real sets of authors, and Cora where it is: B³ and pairs of the records that were not learned from.
// PARLANCE_SET is the name of one to have that alone.
func TestSets(t *testing.T) {
	slow(t)
	list := append(sets(t), pseudoNames(t))
	if os.Getenv("PARLANCE_CORA") != "" {
		list = append(list, cora(t))
	}
	for _, s := range list {
		if only := os.Getenv("PARLANCE_SET"); only != "" && only != s.name {
			continue
		}
		s.names()
		for _, c := range []struct {
			name string
			args []option.Arg
		}{
			{"by hand", nil},
			{"logistic", []option.Arg{kindtest.Arg("weights", "logistic")}},
			{"logistic, partner", []option.Arg{kindtest.Arg("weights", "logistic"), kindtest.Arg("proposal", "partner")}},
			{"logistic, layered", []option.Arg{kindtest.Arg("weights", "logistic"), kindtest.Arg("model", "layered"),
				kindtest.Arg("layers", "entities"), kindtest.Arg("shards", 1)}},
			{"SampleRank", []option.Arg{kindtest.Arg("weights", "samplerank")}},
			{"hierarchical", []option.Arg{kindtest.Arg("model", "hierarchical"), kindtest.Arg("temperature", 1.)}},
		} {
			attributes := s.attributes
			if c.name == "hierarchical" {
				attributes = s.tree
			} else if !strings.Contains(c.name, "layered") {
				c.args = append(c.args, kindtest.Arg("samples", 0))
			}
			if attributes == "" {
				continue
			}
			c.args = append(c.args, kindtest.Arg("attributes", attributes), kindtest.Arg("blocking", s.blocking),
				kindtest.Arg("bias", .1))
			s.measure(t, c.name, c.args)
		}
	}
}

// names prints what it gives to take all records of a name for one entity.
func (s set) names() {
	number := map[string]int32{}
	var gold, one []int32
	entities := map[int]bool{}
	for _, r := range s.list {
		if r.learned {
			continue
		}
		if _, ok := number[r.name]; !ok {
			number[r.name] = int32(len(number))
		}
		gold, one = append(gold, int32(r.entity)), append(one, number[r.name])
		entities[r.entity] = true
	}
	v := map[string]float64{}
	list := metrics.Clusters(gold, one, 1)
	for i := range list {
		if list[i].Label == metrics.All {
			v[list[i].Name] = list[i].Value()
		}
	}
	fmt.Printf("| %s | %d of %d records, %d entities, %d names: one each | %.3f / %.3f / %.3f | | %.3f | |\n",
		s.name, len(gold),
		len(s.list), len(entities), len(number), v["b3_precision"], v["b3_recall"], v["b3_f1"], v["pairwise_f1"])
}

// measure prints the means of three seeds, and B³ also as a mean over names.
func (s set) measure(t *testing.T, name string, args []option.Arg) {
	t.Helper()
	sum, names, took := map[string]float64{}, 0.0, 0.0
	for seed := range uint64(3) {
		m, spent := trained(t, s, seed+1, 1, args)
		took += spent.Seconds() / 3
		for k, v := range s.scores(t, m, "") {
			sum[k] += v / 3
		}
		seen := map[string]bool{}
		for _, r := range s.list {
			if !r.learned {
				seen[r.name] = true
			}
		}
		for n := range seen {
			names += s.scores(t, m, n)["b3_f1"] / 3 / float64(len(seen))
		}
	}
	fmt.Printf("| %s | %s | %.3f / %.3f / %.3f | %.3f | %.3f / %.3f / %.3f | %.2f |\n", s.name, name,
		sum["b3_precision"], sum["b3_recall"], sum["b3_f1"], names,
		sum["pairwise_precision"], sum["pairwise_recall"], sum["pairwise_f1"], took)
}

// scores are the metrics of the records of a name, of all names for "".
func (s set) scores(t *testing.T, m *model, name string) map[string]float64 {
	t.Helper()
	gold := set{gold: true}
	for _, r := range s.list {
		if name == "" || r.name == name {
			gold.list = append(gold.list, r)
		}
	}
	return allScores(t, m, gold)
}

// clean leaves out what a table would have to quote.
func clean(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strings.NewReplacer("\t", " ", "\n", " ", `"`, "'").Replace(s)
	}
	return out
}

// TestWriteCora writes Cora as a table to the file that PARLANCE_TABLE names, for other tools.
func TestWriteCora(t *testing.T) {
	name := os.Getenv("PARLANCE_TABLE")
	if name == "" {
		t.Skip("writes a table for other tools: name its file in PARLANCE_TABLE")
	}
	s := cora(t)
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "id\ttitle\tauthors\tvenue\tyear\tentity\tlearned")
	for _, r := range s.list {
		fmt.Fprintf(w, "%s\t%s\t%d\t%v\n", r.id, strings.Join(clean(r.values), "\t"), r.entity, r.learned)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// pseudoNames is persons of real texts, ten to a made-up name; every other made-up name is learned from.
func pseudoNames(t *testing.T) set {
	s := set{name: "Pseudo-names", attributes: "context words 4 0", blocking: "name"}
	o := resolvetest.Ambiguity{Share: 10, Least: 5, Most: 100, Words: 50, Seed: 1}
	for _, m := range resolvetest.PseudoNames(t, o) {
		s.list = append(s.list, labelled{m.ID, []string{m.Context, m.Name}, m.Name, m.Entity, m.Entity/10%2 == 0})
	}
	return s
}
