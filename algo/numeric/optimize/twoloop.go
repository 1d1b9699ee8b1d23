package optimize

// turn sets the direction to −H·g, H being the inverse Hessian that the pairs s, y of earlier steps
// stand for (Nocedal and Wright 2006, algorithm 7.4). Every update of the direction is one pass with
// the inner product that the next one needs:
//
//	q ← −g;  from the newest pair to the oldest:  α = s·q / s·y,  q ← q − α·y
//	q ← q · (s·y / y·y) of the newest
//	from the oldest to the newest:  β = y·q / s·y,  q ← q + (α − β)·s
func (d *descent) turn() {
	st, q := d.st, d.d
	if st.pairs == 0 {
		d.vec.negate(q, d.steepest(), nil)
		return
	}
	dot := d.vec.negate(q, d.steepest(), st.s[st.slot(0)])
	for age := range st.pairs {
		j := st.slot(age)
		st.alpha[j] = dot / st.ys[j]
		scale, next := st.gamma, st.y[j] // the oldest pair comes next, this time by its y
		if age+1 < st.pairs {
			scale, next = 1, st.s[st.slot(age+1)]
		}
		dot = d.vec.axpyScaleDot(q, -st.alpha[j], st.y[j], scale, next)
	}
	for age := st.pairs - 1; age >= 0; age-- {
		j := st.slot(age)
		var next []float64
		if age > 0 {
			next = st.y[st.slot(age-1)]
		}
		dot = d.vec.axpyScaleDot(q, st.alpha[j]-dot/st.ys[j], st.s[j], 1, next)
	}
	if d.L1 > 0 {
		d.align()
	}
}
