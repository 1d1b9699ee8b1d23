package aligner

import "math"

// diagonal is the prior of IBM model 2 of Dyer, Chahuneau and Smith (2013, eq. 2 and 3): observation j of m comes from
// position i of n, both from 1, with
//
//	p(i | j, m, n) = (1 − p0) exp(−λ |i/n − j/m|) / Z,   p(none) = p0
//
// With λ = 0 it is IBM model 1.
type diagonal struct {
	Null, Lambda float64
}

func distance(i, j, n, m int) float64 {
	return math.Abs(float64(i)/float64(n) - float64(j)/float64(m))
}

// prior fills p with the probabilities of positions 1 to n for observation j of m, both from 1.
func (d *diagonal) prior(p []float64, j, m int) {
	z := 0.0
	for i := range p {
		p[i] = 1
		if d.Lambda > 0 {
			p[i] = math.Exp(-d.Lambda * distance(i+1, j, len(p), m))
		}
		z += p[i]
	}
	for i := range p {
		p[i] *= (1 - d.Null) / z
	}
}

// posteriors fills r.post and r.nullPost from r.emit and r.none, and returns the probability of each observation. To
// the distances it adds the expected one of all observations.
func (d *diagonal) posteriors(r *room, n, m int, distances *float64) []float64 {
	scale, p := grow(&r.scale, m), grow(&r.from, n)
	for j := range m {
		if r.over() {
			break
		}
		if j == 0 || d.Lambda > 0 {
			d.prior(p, j+1, m)
		}
		emit, post := r.emit[j*n:(j+1)*n], r.post[j*n:(j+1)*n]
		none := d.Null * r.none[j]
		s := none
		for i, e := range emit {
			post[i] = p[i] * e
			s += post[i]
		}
		scale[j], r.nullPost[j] = s, none/s
		for i := range post {
			post[i] /= s
			if d.Lambda > 0 {
				*distances += post[i] * distance(i+1, j+1, n, m)
			}
		}
	}
	return scale
}

// best fills path with the likeliest position of each observation, from 0, or −1 for none.
func (d *diagonal) best(r *room, n, m int, path []int) {
	for j := range m {
		if r.over() {
			return
		}
		path[j] = -1
		most := r.nullPost[j]
		for i, p := range r.post[j*n : (j+1)*n] {
			if p > most {
				most, path[j] = p, i
			}
		}
	}
}

// lengths are numbers of positions and observations.
type lengths struct{ n, m int }

// maximise finds the λ from 0.1 to 20 under which distances are expected as they were found, by Newton steps:
// the mean distance falls with λ, by its variance.
func (d *diagonal) maximise(found, links float64, sizes map[lengths]float64, order []lengths) {
	for range 6 {
		mean, variance := 0.0, 0.0
		share := links / weightOf(sizes, order)
		for _, s := range order {
			a, b := d.moments(s.n, s.m)
			mean += sizes[s] * share * a
			variance += sizes[s] * share * b
		}
		if variance <= 0 {
			return
		}
		d.Lambda = min(max(d.Lambda+(mean-found)/variance, 0.1), 20)
	}
}

// weightOf is the number of observations of all sizes.
func weightOf(sizes map[lengths]float64, order []lengths) (all float64) {
	for _, s := range order {
		all += sizes[s] * float64(s.m)
	}
	return all
}

// moments are the sums over m observations of the mean and the variance of their distances to positions 1 to n.
func (d *diagonal) moments(n, m int) (mean, variance float64) {
	for j := 1; j <= m; j++ {
		var z, a, b float64
		for i := 1; i <= n; i++ {
			x := distance(i, j, n, m)
			w := math.Exp(-d.Lambda * x)
			z += w
			a += w * x
			b += w * x * x
		}
		mean += a / z
		variance += b/z - a/z*a/z
	}
	return mean, variance
}
