package mcmc

// resampler is a world whose variables can be drawn anew from their distribution given all others, a Gibbs step:
//
//	P(v) ∝ exp((Ψ with v) / τ)
type resampler interface {
	// resample makes a step, with Ψ(y′) − Ψ(y) or its estimate; false where there was nothing to draw.
	resample(c *Chain) (step, bool)
}

// step is what a Gibbs step has done.
type step struct {
	delta   float64
	factors int
	changed bool
}

// gibbs makes a Gibbs step and returns how many factors it took.
func (c *Chain) gibbs(w resampler) int {
	s, ok := w.resample(c)
	if !ok {
		return s.factors
	}
	c.Trace.Proposals++
	c.Trace.Factors += int64(s.factors)
	c.Trace.Gain += s.delta
	if s.changed {
		c.Trace.Accepted++
	}
	return s.factors
}

// resample draws a variable and then its label.
func (w *Labels) resample(c *Chain) (step, bool) {
	if w.labels < 2 || len(w.Y) == 0 {
		return step{}, false
	}
	i := c.propose.Intn(len(w.Y))
	before := w.Y[i]
	n := w.Gibbs(i, &c.Sampler, c.Temperature, c.accept, c.draw)
	return step{w.scores[w.Y[i]] - w.scores[before], n, w.Y[i] != before}, true
}

// resample draws an item, with those that it must be with, and then its cluster: an empty one, or one that has an item
// from a list of the item. Where its own has none any more, it could not come back: it stays if the chain samples, and
// leaves if the chain searches. In a search, small clusters are drawn whole as well.
func (w *Partition) resample(c *Chain) (step, bool) {
	m := int32(c.propose.Intn(w.State.Len()))
	w.moved, w.from = w.together(m), w.State.Cluster(int(m))
	size := w.State.Size(w.from)
	if w.merge > 1 && size > len(w.moved) && size <= w.merge && c.propose.Uint64()>>63 == 0 {
		w.moved = w.State.Members(w.from)
	}
	stays := size > len(w.moved)
	if mates := w.reach(m); stays && !mates && c.Hastings {
		return step{}, false
	}
	// The first choice is an empty cluster; of a cluster that is moved whole it is the one where it is.
	w.scores = append(w.scores[:0], make([]float64, 1+len(w.targets))...)
	if stays {
		w.targets = append(w.targets, int32(w.from))
		w.scores = append(w.scores, 0)
	}
	if len(w.scores) == 1 {
		return step{}, false
	}
	n := w.weigh(c)
	k := Choose(w.scores, c.Temperature, c.accept)
	now := 0.0
	if stays {
		now = w.scores[len(w.scores)-1]
	}
	s := step{w.scores[k] - now, n, true}
	switch w.to = -1; {
	case k > 0 && int(w.targets[k-1]) == w.from, k == 0 && !stays:
		s.changed = false
		return s, true
	case k > 0:
		w.to = int(w.targets[k-1])
	}
	w.Accept()
	return s, true
}

// reach lists the clusters that an item can be drawn into, but for its own, and tells whether that is one of them.
func (w *Partition) reach(m int32) (own bool) {
	w.targets = w.targets[:0]
	if w.partners.Items == nil {
		for _, c := range w.State.Clusters() {
			w.to = int(c)
			if w.to != w.from && w.allowed() {
				w.targets = append(w.targets, c)
			}
		}
		return true
	}
	if w.met == nil {
		w.met = make([]int64, w.State.Len())
	}
	w.meeting++
	for _, l := range w.partners.Lists[m] {
		for _, x := range w.partners.Items[l] {
			c := w.State.Cluster(int(x))
			if c == w.from {
				own = own || w.first(x) != w.first(m)
				continue
			}
			if w.met[c] == w.meeting {
				continue
			}
			w.met[c] = w.meeting
			if w.to = c; w.allowed() {
				w.targets = append(w.targets, int32(c))
			}
		}
	}
	return own
}

// weigh adds the factors of the moved items with the items of each target, and returns how many there were.
func (w *Partition) weigh(c *Chain) (n int) {
	for _, m := range w.moved {
		w.affinity.Select(m)
		for k, t := range w.targets {
			used := 0
			if c.Sampler.Strategy != Exact {
				v := 0.0
				v, used = w.side(&c.Sampler, c.draw, int(t))
				w.scores[k+1] += v
			} else {
				v := int64(0)
				v, used = w.with(m, int(t), int(t) == w.from)
				if int(t) == w.from {
					for _, o := range w.moved { // they stay together
						if o != m {
							v -= w.affinity.Pair(o)
						}
					}
				}
				w.scores[k+1] += float64(v) / Unit
			}
			n += used
		}
	}
	return n
}
