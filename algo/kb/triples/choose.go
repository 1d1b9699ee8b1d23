package triples

import (
	"context"
	"slices"
)

// The number of clusters by default: at most mostClusters, one for each profilesACluster profiles, and as many as still
// allow this share of facts, were they not known.
const (
	mostClusters      = 200
	profilesACluster  = 8
	wantUnseenAllowed = 0.95
)

// chosen clusters profiles by the default number. It halves the number until enough facts would be allowed: where
// entities stand in few relations, clusters tell those that stand in one from those that do not yet.
func (d *Data) chosen(p *profiles) func(ctx context.Context, _ int, seed uint64, workers int) (*kmeans, error) {
	return func(ctx context.Context, _ int, seed uint64, workers int) (*kmeans, error) {
		for k := min(p.len()/profilesACluster, mostClusters); k > 1; k /= 2 {
			m, err := p.clustered(ctx, k, seed, workers)
			if err != nil {
				return nil, err
			}
			if share, err := d.unseenAllowed(ctx, m); err != nil || share >= wantUnseenAllowed {
				return m, err
			}
		}
		return p.clustered(ctx, 1, seed, workers)
	}
}

// unseenAllowed is the share of facts that the clusters would allow if the fact itself were not known. Then an
// entity that stands at the side in no other fact loses the side, goes to the nearest centre without it, and is
// allowed if another entity of that cluster stands there. Facts of an entity that stands nowhere else are not counted.
func (d *Data) unseenAllowed(ctx context.Context, m *kmeans) (float64, error) {
	times := map[[2]int32]int{} // that an entity stands at a side
	for _, t := range d.Facts {
		for _, s := range []Side{Subject, Object} {
			times[[2]int32{t.At(s), 2*t.Relation + int32(s)}]++
		}
	}
	profile := make([]int32, d.Entities.Len())
	for i, list := range m.members {
		for _, e := range list {
			profile[e] = int32(i)
		}
	}
	l, err := m.lost(ctx)
	if err != nil {
		return 0, err
	}
	counted, allowed := 0, 0
facts:
	for n, t := range d.Facts {
		if n%4096 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		all := true
		for _, s := range []Side{Subject, Object} {
			side := 2*t.Relation + int32(s)
			if times[[2]int32{t.At(s), side}] > 1 {
				continue
			}
			known, ok := l.allows(profile[t.At(s)], side)
			if !known {
				continue facts
			}
			all = all && ok
		}
		if counted++; all {
			allowed++
		}
	}
	if counted == 0 {
		return 0, nil
	}
	return float64(allowed) / float64(counted), nil
}

// lost tells where profiles go that lose a side.
type lost struct {
	*kmeans
	to    []int32   // by place in side, the cluster of the profile without it
	stand []float64 // entities by side and cluster
}

func (m *kmeans) lost(ctx context.Context) (*lost, error) {
	l := &lost{m, make([]int32, len(m.side)), make([]float64, m.sides*m.k)}
	cos, less := make([]float64, m.k), make([]float64, m.k)
	for i := range m.len() {
		if i%assignChunk == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.cosines(i, cos)
		for at := m.start[i]; at < m.start[i+1]; at++ {
			side := m.side[at]
			l.stand[int(side)*m.k+int(m.cluster[i])] += m.count[i]
			for j, y := range m.centre(side) {
				less[j] = cos[j] - m.value[at]*y
			}
			most := slices.Max(less) - 1e-12 // rounding is no reason for another cluster
			l.to[at] = int32(slices.IndexFunc(less, func(x float64) bool { return x >= most }))
		}
	}
	return l, nil
}

// allows reports whether an entity of a profile is allowed at a side that it has lost; not known, where it had
// no other.
func (l *lost) allows(profile, side int32) (known, ok bool) {
	from, to := l.start[profile], l.start[profile+1]
	if to-from == 1 {
		return false, false
	}
	at, _ := slices.BinarySearch(l.side[from:to], side)
	cluster := l.to[int(from)+at]
	others := l.stand[int(side)*l.k+int(cluster)]
	if cluster == l.cluster[profile] {
		others-- // itself
	}
	return true, others > 0
}
