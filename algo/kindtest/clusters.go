package kindtest

import (
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Clusters is gold of a relation that lists items with their clusters, such as records with entities.
type Clusters struct {
	Relation string            // whose first two columns are the cluster and the item
	Gold     map[string]string // the cluster of each item
}

// clustersAcrossDocuments checks that clusters of mentions run across the documents of a unit where gold does: they
// score better than the same ones cut at the ends of documents.
func clustersAcrossDocuments(t *testing.T, c Case) {
	m := trained(t, c, 1)
	if !spanDocuments(m, c.gold) {
		t.Fatal("no cluster of gold has mentions in two documents of a unit; the case has to have some")
	}
	w := kind.LayerUse{Layer: text.Mentions.Name}
	predicted := annotate(t, m, c.Test, c.run(false, 0))
	whole := score(t, m, text.Mentions, w, c.gold, predicted)
	if cut := score(t, m, text.Mentions, w, c.gold, cutAtDocuments(predicted)); !(whole > cut) {
		t.Errorf("clusters score %.4f, and %.4f where none has mentions of two documents", whole, cut)
	}
}

// spanDocuments reports whether a cluster has mentions in two documents of a unit.
func spanDocuments(m kind.Model, docs []*text.Document) bool {
	for _, unit := range units(m, docs) {
		seen := map[string]string{}
		for _, d := range unit {
			for _, name := range clustersOf(d) {
				if was, ok := seen[name]; ok && was != d.ID && name != "" {
					return true
				}
				seen[name] = d.ID
			}
		}
	}
	return false
}

func clustersOf(d *text.Document) []string {
	if l := d.Layer(text.Mentions.Name); l != nil {
		return l.Strs("cluster")
	}
	return nil
}

// cutAtDocuments has no cluster of two documents.
func cutAtDocuments(docs []*text.Document) []*text.Document {
	out := views(docs)
	for _, d := range out {
		if l := d.Layer(text.Mentions.Name); l != nil {
			v := *l
			v.Cols = slices.Clone(l.Cols)
			names := slices.Clone(clustersOf(d))
			for i := range names {
				names[i] = d.ID + " " + names[i]
			}
			v.SetStrs("cluster", names)
			d.SetLayer(&v)
		}
	}
	return out
}

// clustersOfItems checks that a relation has every item of gold once, and that pairs of items of a cluster are found
// better than by those who know nothing: each item alone, and all in one cluster.
func clustersOfItems(t *testing.T, c Case) {
	m := trained(t, c, 1)
	rows, err := m.Open(background, c.Clusters.Relation, make([]value.Value, len(relationOf(m, c.Clusters.Relation).Args)),
		c.run(false, 0))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	found := map[string]string{}
	for {
		b, err := rows.Next(background)
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			break
		}
		for i := range b.N {
			row := b.Row(nil, i)
			if _, twice := found[row[1].S]; twice {
				t.Errorf("%s stands in two clusters", row[1].S)
			}
			found[row[1].S] = row[0].S
		}
	}
	one := map[string]string{}
	for item := range c.Clusters.Gold {
		one[item] = "one"
		if _, ok := found[item]; !ok {
			t.Errorf("%s has no cluster", item)
		}
	}
	got, all := pairF1(c.Clusters.Gold, found), pairF1(c.Clusters.Gold, one)
	if got == 0 || got < 1 && got <= all || all == 1 {
		t.Errorf("F1 of pairs of a cluster is %.4f; one cluster has %.4f, clusters of one have 0", got, all)
	}
}

// pairF1 is the F1 of pairs of items that are in one cluster.
func pairF1(gold, found map[string]string) float64 {
	var both, of, in float64
	for a, x := range gold {
		for b, y := range gold {
			if a >= b {
				continue
			}
			same, said := x == y, found[a] == found[b]
			if same {
				of++
			}
			if said {
				in++
			}
			if same && said {
				both++
			}
		}
	}
	if both == 0 {
		return 0
	}
	return 2 * both / (of + in)
}
