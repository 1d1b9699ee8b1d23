package brown

// add makes a word a cluster of its own.
func (w *window) add(word int) {
	s := w.n
	w.n++
	w.ids[s], w.root[s] = word, word
	w.forest[word], w.slots[word] = int32(word), int32(s)
	w.left[s], w.right[s] = w.big.left[word], w.big.right[word]
	w.lnL[s], w.lnR[s] = w.logs.of(w.left[s]), w.logs.of(w.right[s])
	w.fill(s, word)
	outs, ins := w.outs(s), w.ins(s)
	w.together(ins, s)
	w.together(outs, s)
	w.a[s], w.b[s] = 0, 0
	for x := range s {
		if ins[x] != 0 || outs[x] != 0 {
			w.weigh(x, s, int64(ins[x]), int64(outs[x]))
			w.touch(x)
		}
		w.a[s] += int64(outs[x])
		w.b[s] += int64(ins[x])
	}
	w.a[s] += int64(outs[s])
	w.b[s] += int64(ins[s])
	w.row(s)
	w.touch(s)
}

// fill counts the pairs of a new cluster with the active ones.
func (w *window) fill(s, word int) {
	outs, ins := w.outs(s), w.ins(s)
	clear(outs)
	clear(ins)
	for x := range s {
		w.out[x*w.stride+s], w.in[x*w.stride+s] = 0, 0
	}
	words, counts := w.big.next.of(word)
	for i, v := range words {
		if x := w.slot(v); x >= 0 {
			outs[x] += counts[i]
			w.in[x*w.stride+s] = outs[x]
		}
	}
	words, counts = w.big.prev.of(word)
	for i, v := range words {
		if x := w.slot(v); x >= 0 && x != s { // s itself is counted

			ins[x] += counts[i]
			w.out[x*w.stride+s] = ins[x]
		}
	}
}

// together adds d(n(x,s),n(y,s)) to D of all pairs before s, or d(n(s,x),n(s,y)).
func (w *window) together(counts []int32, s int) {
	var with []int32
	for x, c := range counts[:s] {
		if c == 0 {
			continue
		}
		row := w.loss[x*w.stride:]
		h := w.logs.times(c)
		for _, y := range with {
			row[y] -= w.logs.times(c+counts[y]) - h - w.logs.times(counts[y])
		}
		with = append(with, int32(x))
	}
}

// weigh adds to A and B of x and so to M of its pairs before s.
func (w *window) weigh(x, s int, a, b int64) {
	w.a[x] += a
	w.b[x] += b
	l, r := w.lnL[x], w.lnR[x]
	from := x * w.stride
	loss, pairL, pairR := w.loss[from:][:x], w.pairL[from:][:x], w.pairR[from:][:x]
	for y := range loss {
		loss[y] += a*(pairL[y]-l) + b*(pairR[y]-r)
	}
	for at := (x+1)*w.stride + x; at < s*w.stride; at += w.stride {
		w.loss[at] += a*(w.pairL[at]-l) + b*(w.pairR[at]-r)
	}
}

// row computes the losses of the last slot.
func (w *window) row(s int) {
	acc := w.acc[:s]
	clear(acc)
	outs, ins := w.outs(s), w.ins(s)
	for z := range s {
		if p := outs[z]; p != 0 {
			w.common(acc, p, w.ins(z)[:s], z)
		}
		if p := ins[z]; p != 0 {
			w.common(acc, p, w.outs(z)[:s], z)
		}
	}
	from := s * w.stride
	for y := range acc {
		w.pairL[from+y], w.pairR[from+y] = w.logs.of(w.left[s]+w.left[y]), w.logs.of(w.right[s]+w.right[y])
		w.loss[from+y] = w.margins(s, y, from+y) - acc[y] - w.self(outs[s], outs[y], ins[y], w.out[y*w.stride+y])
	}
}

// common adds d(p, n(y,z)) to the sums of all y but z.
func (w *window) common(acc []int64, p int32, counts []int32, z int) {
	h, keep := w.logs.times(p), acc[z]
	for y, q := range counts {
		if q != 0 {
			acc[y] += w.logs.times(p+q) - h - w.logs.times(q)
		}
	}
	acc[z] = keep
}

// margins is M(x,y), at being the place of the pair.
func (w *window) margins(x, y, at int) int64 {
	return (w.a[x]+w.a[y])*w.pairL[at] - w.a[x]*w.lnL[x] - w.a[y]*w.lnL[y] +
		(w.b[x]+w.b[y])*w.pairR[at] - w.b[x]*w.lnR[x] - w.b[y]*w.lnR[y]
}

// self is S(x,y) from n(x,x), n(x,y), n(y,x) and n(y,y).
func (w *window) self(xx, xy, yx, yy int32) int64 {
	l := &w.logs
	return l.times(xx+xy+yx+yy) - l.times(xx) - l.times(xy) - l.times(yx) - l.times(yy)
}

// merge joins two clusters. The one with more neighbours keeps its slot, as work goes with the
// neighbours of the other.
func (w *window) merge(a, b int) {
	if w.neighbours(a) < w.neighbours(b) {
		a, b = b, a
	}
	w.apart(w.ins(a), w.ins(b), a, b)
	w.apart(w.outs(a), w.outs(b), a, b)
	w.joined(a, b)
	w.unite(a, b)
	w.drop(b)
}

func (w *window) neighbours(x int) (n int) {
	outs, ins := w.outs(x), w.ins(x)
	for z := range outs {
		if outs[z]|ins[z] != 0 {
			n++
		}
	}
	return n
}

// apart changes D of all pairs besides a and b as their two terms for z = a and z = b, in one
// direction, become one:
//
//	d(n(x,a)+n(x,b), n(y,a)+n(y,b)) - d(n(x,a),n(y,a)) - d(n(x,b),n(y,b))
//
// which is 0 where neither x nor y is next to b.
func (w *window) apart(ca, cb []int32, a, b int) {
	l := &w.logs
	k := w.joint[:w.n]
	for y := range k {
		k[y] = l.times(ca[y]+cb[y]) - l.times(ca[y]) - l.times(cb[y])
	}
	change := func(x, y, at int) {
		w.loss[at] -= l.times(ca[x]+cb[x]+ca[y]+cb[y]) - l.times(ca[x]+ca[y]) - l.times(cb[x]+cb[y]) - k[x] - k[y]
	}
	for x, c := range cb {
		if c == 0 || x == a || x == b {
			continue
		}
		w.touch(x)
		for y := range x {
			if ca[y]|cb[y] != 0 && y != a && y != b {
				change(x, y, x*w.stride+y)
			}
		}
		for y := x + 1; y < w.n; y++ {
			if cb[y] == 0 && ca[y] != 0 && y != a && y != b { // else it is the turn of y
				change(x, y, y*w.stride+x)
			}
		}
	}
}

// joined turns the losses of a into those of a and b as one; counts are still those of before.
func (w *window) joined(a, b int) {
	l, acc := &w.logs, w.acc[:w.n]
	clear(acc)
	aOut, bOut, aIn, bIn := w.outs(a), w.outs(b), w.ins(a), w.ins(b)
	for z := range acc {
		if z == a || z == b {
			continue
		}
		if q := bOut[z]; q != 0 {
			w.gain(acc, aOut[z], q, w.ins(z), z)
		}
		if q := bIn[z]; q != 0 {
			w.gain(acc, aIn[z], q, w.outs(z), z)
		}
	}
	aa, ab, ba, bb := aOut[a], aOut[b], aIn[b], bOut[b]
	lnL, lnR := l.of(w.left[a]+w.left[b]), l.of(w.right[a]+w.right[b])
	for y := range acc {
		if y == a || y == b {
			continue
		}
		at, yy := w.pair(a, y), w.out[y*w.stride+y]
		// z = b
		term := l.times(ab+bIn[y]) - l.times(ab) - l.times(bIn[y]) + l.times(ba+bOut[y]) - l.times(ba) - l.times(bOut[y])
		loss := w.loss[at] - w.margins(a, y, at) + term + w.self(aa, aOut[y], aIn[y], yy) - acc[y] - w.self(aa+ab+ba+bb,
			aOut[y]+bOut[y], aIn[y]+bIn[y], yy)
		w.pairL[at], w.pairR[at] = l.of(w.left[a]+w.left[b]+w.left[y]), l.of(w.right[a]+w.right[b]+w.right[y])
		ca, cb := w.a[a]+w.a[b], w.b[a]+w.b[b]
		loss += (ca+w.a[y])*w.pairL[at] - ca*lnL - w.a[y]*w.lnL[y] + (cb+w.b[y])*w.pairR[at] - cb*lnR - w.b[y]*w.lnR[y]
		w.loss[at] = loss
	}
	w.lnL[a], w.lnR[a] = lnL, lnR
	w.touch(a)
}

// gain adds d(p+q, n(y,z)) - d(p, n(y,z)) to the sums of all y but z.
func (w *window) gain(acc []int64, p, q int32, counts []int32, z int) {
	l, keep := &w.logs, acc[z]
	h := l.times(p+q) - l.times(p)
	for y, r := range counts {
		if r != 0 {
			acc[y] += l.times(p+q+r) - l.times(p+r) - h
		}
	}
	acc[z] = keep
}

// unite adds the counts of b to those of a.
func (w *window) unite(a, b int) {
	aOut, bOut, aIn, bIn := w.outs(a), w.outs(b), w.ins(a), w.ins(b)
	self := aOut[a] + aOut[b] + aIn[b] + bOut[b]
	for z := range aOut {
		if z == a || z == b {
			continue
		}
		if bOut[z] != 0 {
			aOut[z] += bOut[z]
			w.in[z*w.stride+a] = aOut[z]
		}
		if bIn[z] != 0 {
			aIn[z] += bIn[z]
			w.out[z*w.stride+a] = aIn[z]
		}
	}
	aOut[a], aIn[a] = self, self
	for _, v := range [][]int64{w.left, w.right, w.a, w.b} {
		v[a] += v[b]
	}
	w.ids[a] = min(w.ids[a], w.ids[b])
	w.forest[w.root[b]] = int32(w.root[a])
}

// drop moves the last slot to b.
func (w *window) drop(b int) {
	last := w.n - 1
	if b < last {
		copy(w.outs(b), w.outs(last))
		copy(w.ins(b), w.ins(last))
		w.out[b*w.stride+b], w.in[b*w.stride+b] = w.out[last*w.stride+last], w.in[last*w.stride+last]
		for z := range last {
			if z == b {
				continue
			}
			w.out[z*w.stride+b], w.in[z*w.stride+b] = w.out[z*w.stride+last], w.in[z*w.stride+last]
			from, to := w.pair(last, z), w.pair(b, z)
			w.loss[to], w.pairL[to], w.pairR[to] = w.loss[from], w.pairL[from], w.pairR[from]
		}
		for _, v := range [][]int64{w.left, w.right, w.a, w.b, w.lnL, w.lnR} {
			v[b] = v[last]
		}
		w.ids[b], w.root[b] = w.ids[last], w.root[last]
		w.slots[w.root[b]] = int32(b)
	}
	w.touch(b)
	w.n--
}
