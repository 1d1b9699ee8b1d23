package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func clusterValues(list []Metric) map[string]float64 {
	out := map[string]float64{}
	for i := range list {
		out[list[i].Name+"."+list[i].Label] = list[i].Value()
	}
	return out
}

func TestClustersExample(t *testing.T) {
	list := Clusters([]int32{0, 0, 0, 1, 1}, []int32{0, 0, 1, 1, 1}, 1)
	if list[0].Name != "b3_f1" || !list[0].Main || list[0].Label != All {
		t.Errorf("first is %s %s", list[0].Name, list[0].Label)
	}
	v := clusterValues(list)
	for name, want := range map[string]float64{"b3_precision.ALL": 11. / 15, "b3_recall.ALL": 11. / 15,
		"b3_f1.ALL":              11. / 15,
		"pairwise_precision.ALL": .5, "pairwise_recall.ALL": .5, "muc_precision.ALL": 2. / 3, "muc_recall.ALL": 2. / 3,
		"purity.ALL": .8, "inverse_purity.ALL": .8, "b3_recall.size 2-3": 11. / 15} {
		if math.Abs(v[name]-want) > 1e-6 {
			t.Errorf("%s = %v, want %v", name, v[name], want)
		}
	}
}

// TestClustersAsPartition compares with the scores of mentions, which are counted otherwise.
func TestClustersAsPartition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n := 1 + r.IntN(30)
		key, response := make([]int32, n), make([]int32, n)
		k, s, order := map[int]int{}, map[int]int{}, []int(nil)
		for i := range n {
			key[i], response[i] = int32(min(i, r.IntN(6))), int32(min(i, r.IntN(9))) // numbers of clusters have no gaps
			if i > 0 {
				key[i], response[i] = min(key[i], slices.Max(key[:i])+1), min(response[i], slices.Max(response[:i])+1)
			}
			k[i], s[i] = int(key[i]), int(response[i])
			order = append(order, i)
		}
		p := compare(k, s, order)
		v := clusterValues(Clusters(key, response, 1))
		for name, of := range map[string]func(partition) (float64, float64){"b3_": partition.b3,
			"muc_": partition.muc} {
			num, den := of(p)
			back, of2 := of(p.swapped())
			if math.Abs(v[name+"recall.ALL"]-ratio(num, den)) > 1e-5 || math.Abs(v[name+"precision.ALL"]-ratio(back,
				of2)) > 1e-5 {
				t.Fatalf("%s of %v and %v: %v, want %v and %v", name, key, response, v, ratio(back, of2), ratio(num,
					den))
			}
		}
		same, _ := p.pairs()
		if math.Abs(v["pairwise_precision.ALL"]-ratio(same.both, same.response)) > 1e-5 {
			t.Fatalf("pairwise of %v and %v: %v", key, response, v)
		}
	}
}
