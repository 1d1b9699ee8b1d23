package similarity

import "math"

// logSteps is how many intervals mantissas fall into.
const logSteps = 512

// logTable holds ln c and 1/c of the middles c of the intervals of [1, 2).
var logTable = func() (t [logSteps]struct{ log, inverse float64 }) {
	for i := range t {
		c := 1 + (float64(i)+0.5)/logSteps
		t[i].log, t[i].inverse = math.Log(c), 1/c
	}
	return t
}()

// xlnx is x ln x for normal x > 0, within 4e-16 of the larger of |x ln x| and x; 0 for 0. With
// x = 2^e·m and the middle c of the interval of m, ln x = e ln 2 + ln c + ln(1 + r), r = m/c − 1, |r| < 2⁻¹⁰.
// It takes a third of the time of math.Log. Conversions keep the same bits on machines that fuse.
func xlnx(x float64) float64 {
	bits := math.Float64bits(x)
	t := &logTable[bits>>(52-9)&(logSteps-1)]
	m := math.Float64frombits(bits&(1<<52-1) | 1023<<52)
	r := float64(m*t.inverse) - 1
	s := r - float64(r*r)*(0.5-float64(r*(1./3-float64(r*0.25))))
	return x * (float64(float64(int(bits>>52)-1023)*math.Ln2) + (t.log + s))
}
