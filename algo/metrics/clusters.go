package metrics

import (
	"fmt"
	"math/bits"
)

// Clusters scores a clustering of items, such as records of entities, against another: the items of the key. The unit
// is a cluster of the key, over which statistics add up.
//
//	b3_…            for each item, the share of its cluster that is right (Bagga and Baldwin 1998); the main one is b3_f1
//	pairwise_…      pairs of items of a cluster
//	muc_…           links that hold clusters together (Vilain et al. 1995)
//	purity          items whose cluster has most of its items from their key cluster
//	inverse_purity  items that lie with most of their key cluster
//
// Labels other than ALL are sizes of key clusters: b3 and pairwise of the key clusters of 1, 2 to 3, 4 to 7 … items.
// key and response name the cluster of each item, by numbers from 0.
func Clusters(key, response []int32, beta float64) []Metric {
	rows := clusterRows(key, response)
	all, sizes := Units{}, map[int]*Units{}
	top, support, of := 0, 0.0, map[int]float64{}
	for _, r := range rows {
		all.Add(r.stats[:]...)
		band := bits.Len(uint(r.size)) - 1
		if sizes[band] == nil {
			sizes[band] = &Units{}
		}
		sizes[band].Add(r.stats[:]...)
		top = max(top, band)
		support += float64(r.size)
		of[band] += float64(r.size)
	}
	f := fName(beta)
	var out []Metric
	add := func(label string, u Units, support float64, names ...string) {
		for _, name := range names {
			for _, m := range clusterMeasures(name, beta) {
				out = append(out, Metric{Name: m.name, Label: label, Combine: m.combine, Units: u, Support: support,
					Main: label == All && m.name == "b3_"+f})
			}
		}
	}
	add(All, all, support, "b3_", "pairwise_", "muc_", "")
	for i := range out[:3] { // the main one first
		if out[i].Main {
			out[0], out[i] = out[i], out[0]
		}
	}
	for band := range top + 1 {
		if u := sizes[band]; u != nil {
			label := fmt.Sprintf("size %d-%d", 1<<band, 1<<(band+1)-1)
			if band == 0 {
				label = "size 1"
			}
			add(label, *u, of[band], "b3_", "pairwise_")
		}
	}
	return out
}

// The statistics of a key cluster, in order.
const (
	itemPrecision = iota // Σ over items of precision
	itemRecall
	itemCount
	pairsBoth // pairs of both clusterings
	pairsResponse
	pairsKey
	linksBoth // |k| − parts(k)
	linksResponse
	linksKey
	pureItems    // of the response clusters that have most items from here
	mostTogether // items of the largest part
	clusterAll
)

type clusterRow struct {
	size  int
	stats [clusterAll]float32
}

// clusterRows are the statistics of the key clusters. What a response cluster counts as a whole is divided among
// its items.
func clusterRows(key, response []int32) []clusterRow {
	k, r := map[int]int{}, map[int]int{}
	order := make([]int, len(key))
	for i := range key {
		k[i], r[i], order[i] = int(key[i]), int(response[i]), i
	}
	p := compare(k, r, order)
	sums := make([][clusterAll]float64, len(p.key))
	most := make([]cell, len(p.response))
	for _, c := range p.common {
		s, n, of := &sums[c.key], float64(c.n), float64(p.response[c.response])
		s[itemPrecision] += n * n / of
		s[itemRecall] += n * n / float64(p.key[c.key])
		s[pairsBoth] += links(c.n)
		s[pairsResponse] += n * (of - 1) / 2
		s[linksBoth] += n - 1
		s[linksResponse] += n - n/of
		s[mostTogether] = max(s[mostTogether], n)
		if c.n > most[c.response].n {
			most[c.response] = c
		}
	}
	for _, c := range most {
		sums[c.key][pureItems] += float64(c.n)
	}
	out := make([]clusterRow, 0, len(sums))
	for i := range sums {
		n := p.key[i]
		if n == 0 {
			continue
		}
		sums[i][itemCount], sums[i][pairsKey], sums[i][linksKey] = float64(n), links(n), float64(n-1)
		row := clusterRow{size: n}
		for j, v := range sums[i] {
			row.stats[j] = float32(v)
		}
		out = append(out, row)
	}
	return out
}

type clusterMeasure struct {
	name    string
	combine *Combine
}

// clusterMeasures are precision, recall and F of a measure; "" stands for purities.
func clusterMeasures(name string, beta float64) []clusterMeasure {
	at := map[string][3]int{"b3_": {itemPrecision, itemRecall, 0}, "pairwise_": {pairsBoth, pairsBoth, 1},
		"muc_": {linksBoth, linksBoth, 1}}
	if name == "" {
		return []clusterMeasure{{"purity", Share(pureItems, itemCount)}, {"inverse_purity", Share(mostTogether,
			itemCount)}}
	}
	a := at[name]
	p, r := Share(a[0], itemCount), Share(a[1], itemCount)
	if a[2] == 1 { // its denominators stand behind
		p, r = Share(a[0], a[0]+1), Share(a[1], a[1]+2)
	}
	return []clusterMeasure{{name + "precision", p}, {name + "recall", r}, {name + fName(beta), Harmonic(beta, p, r)}}
}
