package recent

import (
	"testing"

	"pgregory.net/rapid"
)

// TestMap compares with a map that keeps everything: what is found is what was put last, what was
// used among the last half of the limit is found, and the costs stay within the limit.
func TestMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const limit = 10
		m := Map[int, int]{Limit: limit}
		want, order := map[int]int{}, []int{}
		for i := range rapid.IntRange(1, 60).Draw(t, "steps") {
			k := rapid.IntRange(0, 12).Draw(t, "key")
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				m.DeleteFunc(func(x, _ int) bool { return x == k })
				delete(want, k)
			case 1:
				v, ok := m.Get(k)
				if w, there := want[k]; ok && (!there || v != w) {
					t.Fatalf("%d is %d, %t; want %d, %t", k, v, ok, w, there)
				}
				if ok {
					order = append(order, k)
				}
			default:
				m.Put(k, i)
				want[k] = i
				order = append(order, k)
			}
			kept := 0
			m.Each(func(k, v int) {
				if kept++; want[k] != v {
					t.Fatalf("%d is kept as %d, not %d", k, v, want[k])
				}
			})
			if kept > limit {
				t.Fatalf("%d are kept", kept)
			}
		}
		seen := map[int]bool{}
		for i := len(order) - 1; i >= 0 && len(seen) < limit/2; i-- {
			k := order[i]
			if _, there := want[k]; there && !seen[k] {
				if _, ok := m.young[k]; !ok {
					if _, ok := m.old[k]; !ok {
						t.Fatalf("%d was used lately and is not kept", k)
					}
				}
			}
			seen[k] = true
		}
	})
}

func TestMapOfCosts(t *testing.T) {
	m := Map[string, string]{Limit: 100, Cost: func(s string) int { return len(s) }}
	m.Put("long", string(make([]byte, 51)))
	if _, ok := m.Get("long"); ok {
		t.Error("a value beyond half the limit is kept")
	}
	m.Put("a", string(make([]byte, 40)))
	m.Put("a", "short")
	m.Put("b", string(make([]byte, 45)))
	if _, ok := m.Get("a"); !ok || m.used != 50 {
		t.Error(ok, m.used)
	}
}
