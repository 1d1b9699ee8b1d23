package models

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestCompiledResources: what is built is kept as long as its content stays, and a failure is not kept.
func TestCompiledResources(t *testing.T) {
	builds := 0
	build := func() (any, error) { builds++; return builds, nil }
	for name, get := range map[string]func(*compiledResources, string, content, func() (any, error)) (any, error){
		"locked": (*compiledResources).get, "unlocked": (*compiledResources).getUnlocked} {
		var c compiledResources
		builds = 0
		for i, x := range []struct {
			name string
			of   content
			want int
		}{
			{"a", content{columns: "x"}, 1}, {"a", content{columns: "x"}, 1},
			{"a", content{columns: "x, y"}, 2}, {"b", content{columns: "x, y"}, 3},
			{"b", content{hash: [32]byte{1}, columns: "x, y"}, 4}, {"a", content{columns: "x, y"}, 2},
		} {
			if v, err := get(&c, x.name, x.of, build); err != nil || v != x.want {
				t.Errorf("%s %d: %v, %v", name, i, v, err)
			}
		}
		wrong := errors.New("wrong")
		if _, err := get(&c, "f", content{}, func() (any, error) { return nil, wrong }); err != wrong {
			t.Errorf("%s: the failure is %v", name, err)
		}
		if v, err := get(&c, "f", content{}, build); err != nil || v != 5 {
			t.Errorf("%s: after a failure %v, %v", name, v, err)
		}
	}
}

// TestCompiledResourcesAtOnce: under the lock one statement builds for all; without it several may, and all get what
// the first one has made.
func TestCompiledResourcesAtOnce(t *testing.T) {
	var c compiledResources
	var builds atomic.Int64
	slow := func() (any, error) {
		time.Sleep(time.Millisecond)
		return builds.Add(1), nil
	}
	var wait sync.WaitGroup
	got := make([]any, 20)
	for i := range got {
		wait.Go(func() {
			if i%2 == 0 {
				_, _ = c.get("locked", content{}, slow)
			}
			got[i], _ = c.getUnlocked("unlocked", content{}, func() (any, error) {
				time.Sleep(time.Millisecond)
				return i, nil
			})
		})
	}
	wait.Wait()
	if n := builds.Load(); n != 1 {
		t.Errorf("%d statements build under the lock", n)
	}
	for _, v := range got {
		if v != got[0] {
			t.Fatalf("statements have different values: %v", got)
		}
	}
}
