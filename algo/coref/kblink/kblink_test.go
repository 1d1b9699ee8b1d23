package kblink

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// figure2 is the candidates of the figure of the paper.
func figure2() (m1, m2, m3 Candidates) {
	return Candidates{{"DC", 1, 10}, {"WS", 1, 8}}, Candidates{{"CarWash", 1, 9}, {"TheWash", 1, 7}, {"WS", 1, 3}},
		Candidates{{"WS", 1, 12}}
}

func TestMergeRanksByCount(t *testing.T) {
	m1, m2, m3 := figure2()
	if m1.Top() != "DC" || m2.Top() != "CarWash" || Candidates(nil).Top() != "" {
		t.Error("the candidates of single names have other first ones")
	}
	both := Merge(m1, m2)
	if want := (Candidates{{"WS", 2, 8}, {"DC", 1, 10}, {"CarWash", 1, 9}, {"TheWash", 1, 7}}); !slices.Equal(both, want) {
		t.Errorf("%v, want %v", both, want)
	}
	if all := Merge(both, m3); all[0] != (Candidate{"WS", 3, 12}) || all[1].Entity != "DC" {
		t.Errorf("three names: %v", all)
	}
	if tie := Merge(Candidates{{"b", 1, 1}}, Candidates{{"a", 1, 1}}); tie.Top() != "a" {
		t.Errorf("equal ones: %v", tie)
	}
}

func TestMergeInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		lists := make([]Candidates, 1+r.IntN(6))
		entries := 0
		for i := range lists {
			for e := range 5 {
				if r.IntN(2) == 0 {
					lists[i] = append(lists[i], Candidate{fmt.Sprint(e), 1, float64(r.IntN(3))})
				}
			}
			slices.SortFunc(lists[i], compare)
			entries += len(lists[i])
		}
		var want Candidates
		for _, l := range lists {
			before := slices.Clone(want)
			next := Merge(want, l)
			if !slices.Equal(want, before) {
				t.Fatal("Merge changes what it is given")
			}
			want = next
		}
		count := 0
		for _, c := range want {
			count += c.Count
		}
		if count != entries {
			t.Fatalf("%d names of %d are counted", count, entries)
		}
		r.Shuffle(len(lists), func(i, j int) { lists[i], lists[j] = lists[j], lists[i] })
		for len(lists) > 1 { // any two next to each other
			i := r.IntN(len(lists) - 1)
			lists[i] = Merge(lists[i], lists[i+1])
			lists = slices.Delete(lists, i+1, i+2)
		}
		if !slices.Equal(lists[0], want) {
			t.Fatalf("%v in another order, %v", lists[0], want)
		}
	}
}

// facts is a knowledge base in memory.
type facts struct {
	kind.KB
	named   map[string][]kind.Candidate
	aliases map[string][]string
	types   map[string][]string
}

func (f *facts) Candidates(alias string) []kind.Candidate { return f.named[alias] }
func (f *facts) Aliases(e string) []string                { return f.aliases[e] }
func (f *facts) Types(e string) []string                  { return f.types[e] }

func (f *facts) add(entity, alias string, count, weight float64) {
	f.named[alias] = append(f.named[alias], kind.Candidate{Entity: entity, Count: count, Weight: weight})
	f.aliases[entity] = append(f.aliases[entity], alias)
}

func newFacts() *facts {
	return &facts{named: map[string][]kind.Candidate{}, aliases: map[string][]string{}, types: map[string][]string{}}
}

var none = math.NaN()

func TestSearch(t *testing.T) {
	f := newFacts()
	f.add("Washington,_D.C.", "Washington", 70, none)
	f.add("Washington_(state)", "Washington", 29.5, none)
	f.add("Washington_(song)", "Washington", .5, none)
	f.add("Car_Wash", "Wash", none, 3)
	f.add("The_Wash", "Wash", none, 5)
	f.add("The_Wash", "Wash", none, 4)
	f.add("a", "plain", none, none)
	f.add("b", "plain", none, none)
	b := &Base{KB: f, Size: 10, Share: .01}
	for name, want := range map[string]Candidates{
		"Washington":        {{"Washington,_D.C.", 1, .7}, {"Washington_(state)", 1, .295}},
		"the WASHINGTON 's": {{"Washington,_D.C.", 1, .7}, {"Washington_(state)", 1, .295}},
		"Wash":              {{"The_Wash", 1, 5}, {"Car_Wash", 1, 3}},
		"Plain":             {{"a", 1, 1}, {"b", 1, .5}},
		"nobody":            nil, "": nil, "the": nil, " ": nil, "'s": nil,
	} {
		if got, err := b.Search(context.Background(), name); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v %v, want %v", name, got, err, want)
		}
	}
	f.add("most", "border", 99, none)
	f.add("least", "border", 1, none)
	if got, _ := b.Search(context.Background(), "border"); len(got) != 2 {
		t.Errorf("a share of exactly the least one: %v", got)
	}
	if got, _ := (&Base{KB: f, Size: 1, Share: 0}).Search(context.Background(), "Washington"); len(got) != 1 {
		t.Errorf("one candidate at most: %v", got)
	}
	if got, _ := (&Base{KB: f, Size: 9, Share: 0}).Search(context.Background(), "Washington"); len(got) != 3 {
		t.Errorf("any share: %v", got)
	}
}

// shelf is a corpus that finds its documents for every query, or fails.
type shelf struct {
	ids []string
	err error
}

func (s shelf) Search(_ context.Context, query string, k int, _ ...string) (out []kind.Hit, err error) {
	for i, id := range s.ids[:min(k, len(s.ids))] {
		out = append(out, kind.Hit{Document: &text.Document{ID: id}, Score: float64(len(query) - i)})
	}
	return out, s.err
}

func TestSearchOfArticles(t *testing.T) {
	f := newFacts()
	f.add("known", "Ann", none, none)
	b := &Base{KB: f, Articles: shelf{ids: []string{"x", "y", "x", "z"}}, Size: 3}
	if got, err := b.Search(context.Background(), "Bob"); err != nil || got.Top() != "x" || len(got) != 2 {
		t.Errorf("%v %v", got, err)
	}
	if got, err := b.Search(context.Background(), "Ann"); err != nil || got.Top() != "known" {
		t.Errorf("articles are asked for an alias: %v %v", got, err)
	}
	b = &Base{KB: f, Articles: shelf{err: errors.New("gone")}, Size: 3}
	if _, err := b.Search(context.Background(), "Bob"); err == nil {
		t.Error("nobody hears of the failure")
	}
}

func TestEntity(t *testing.T) {
	f := newFacts()
	f.add("Washington_(state)", "Washington State", 50, none)
	f.add("Washington_(state)", "here", 1, none)
	f.add("Oslo", "here", 999, none)
	f.types["Washington_(state)"] = []string{"American state", "Place"}
	b := &Base{KB: f, Size: 10, Share: .01}
	e := b.Entity("Washington_(state)")
	for name, want := range map[string]bool{"washington": true, "washington state": true, "washington state wa": false,
		"here": false, "": false} {
		if e.Names[name] != want {
			t.Errorf("%q is a name: %v", name, !want)
		}
	}
	if !e.Nouns["state"] || !e.Nouns["place"] || len(e.Nouns) != 2 {
		t.Errorf("nouns %v", e.Nouns)
	}
	if e := b.Entity("nobody"); len(e.Types) != 0 || len(e.Nouns) != 0 || !e.Names["nobody"] {
		t.Errorf("an unknown entity: %v", e)
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{"The_United Kingdom": "united kingdom", "the President 's": "president",
		"U.S.": "us", "Jean-Luc  Picard": "jean luc picard",
		"A": "a", "the": "the", "": "", "C++": "c++", "Ω’s": "ω", "?!": "", "AT&T": "att"} {
		if got := Fold(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"The_Wash", "the", "a b's", "\xff", "İ", "’s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Fold(s)
		if strings.ContainsAny(once, "_.,\t\n") || strings.TrimSpace(once) != once {
			t.Errorf("%q becomes %q", s, once)
		}
		if once != strings.ToLower(once) {
			t.Errorf("%q becomes %q", s, once)
		}
		spellings(s)
	})
}
