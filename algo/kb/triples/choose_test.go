package triples

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"

	"pgregory.net/rapid"
)

// without lists the sides of an entity in all facts, but for that of one fact.
func without(d *Data, left Triple, side Side) []int32 {
	var out []int32
	for _, t := range d.Facts {
		for _, s := range []Side{Subject, Object} {
			if t.At(s) == left.At(side) && (t != left || s != side) {
				out = append(out, 2*t.Relation+int32(s))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestUnseenAllowedBruteForce takes each fact away from its entities in turn and places them anew.
func TestUnseenAllowedBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, d, _ := drawn(t)
		p := d.profiles()
		if p.len() < 2 {
			return
		}
		m, err := p.clustered(context.Background(), rapid.IntRange(1, p.len()-1).Draw(t, "clusters"), 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		counted, allowed := 0, 0
		for _, f := range d.Facts {
			a, b := allowedAnew(d, m, f, Subject), allowedAnew(d, m, f, Object)
			if a >= 0 && b >= 0 {
				counted, allowed = counted+1, allowed+a*b
			}
		}
		share, err := d.unseenAllowed(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "share", share, float64(allowed)/float64(max(counted, 1)))
	})
}

// allowedAnew is 1 if a side of a fact is allowed without the fact, 0 if not, -1 if the entity stands nowhere else.
func allowedAnew(d *Data, m *kmeans, f Triple, s Side) int {
	e, at := f.At(s), 2*f.Relation+int32(s)
	sides := without(d, f, s)
	if slices.Contains(sides, at) {
		return 1
	}
	if len(sides) == 0 {
		return -1
	}
	of := func(e int32) int {
		return slices.IndexFunc(m.members, func(list []int32) bool { return slices.Contains(list, e) })
	}
	cos := make([]float64, m.k)
	m.each(of(e), func(side int32, x float64) {
		for j := range cos {
			if slices.Contains(sides, side) {
				cos[j] += x * m.centres[int(side)*m.k+j]
			}
		}
	})
	best := slices.IndexFunc(cos, func(x float64) bool { return x > slices.Max(cos)-1e-10 })
	for _, x := range d.Index.seen(s, f.Relation) {
		if x != e && m.cluster[of(x)] == int32(best) {
			return 1
		}
	}
	return 0
}

// TestChosenNumber: where groups of entities stand in many relations, clusters are kept; where all that sets some
// entities apart is a relation that they do not stand in yet, they are not.
func TestChosenNumber(t *testing.T) {
	chosen := func(s string) (*Data, int) {
		d := read(t, kind.Tables{"triples": facts(s)})
		m, err := d.chosen(d.profiles())(context.Background(), 0, 1, 2)
		if err != nil {
			t.Fatal(err)
		}
		if share, err := d.unseenAllowed(context.Background(), m); err != nil || m.k > 1 && share < wantUnseenAllowed {
			t.Errorf("%d clusters allow a share of %v, %v", m.k, share, err)
		}
		return d, m.k
	}
	d, k := chosen(planted(5, 30))
	if most := d.profiles().len() / profilesACluster; k < 5 || k > most {
		t.Errorf("%d clusters of five groups, at most %d", k, most)
	}
	var list []string
	for i := range 200 { // countries have some of 7 properties each, and a half is in a region
		for b := range 7 {
			if i>>b&1 == 1 {
				list = append(list, fmt.Sprintf("c%03d p%d v", i, b))
			}
		}
		if i%2 == 0 {
			list = append(list, fmt.Sprintf("c%03d in region%d", i, i%3))
		}
	}
	if _, k := chosen(strings.Join(list, ";")); k != 1 {
		t.Errorf("%d clusters of countries", k)
	}
}
