package logistic

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/engine/chain"
)

// Method is a way to minimise.
type Method string

// The methods. The sequential ones change a weight at a time, the parallel ones all at once.
const (
	CD      Method = "cd"       // coordinate descent, one Newton step a feature
	CDExact Method = "cd_exact" // coordinate descent to the minimum along each feature
	SCGIS   Method = "scgis"    // sequential conditional generalized iterative scaling
	GIS     Method = "gis"      // generalized iterative scaling, parallel
	IIS     Method = "iis"      // improved iterative scaling, parallel
	BLMVM   Method = "blmvm"    // limited-memory variable metric steps over bounded variables
)

// Options are the settings of a fit.
type Options struct {
	Method  Method
	L2      float64
	Widths  []float64 // A_k of the L1 penalty by feature; nil: 0. For cd, cd_exact and blmvm
	Shrink  float64   // β of the line search of cd, in (0, 1); 0: 0.5
	Gamma   float64   // γ of it, in (0, 0.5); 0: 0.001
	Cyclic  bool      // classes of attributes in their order, not in a random one
	Plain   bool      // cd and cd_exact without acceleration between sweeps; see plane
	Refresh int       // sweeps between computations of S and T from the weights; 0: 5
	Sweeps  int       // at most; 0: no limit
	Epsilon float64   // ends when |gradient| ≤ Epsilon·max(1, |w|); 0: off
	Period  int       // sweeps that Delta looks back; 0: off
	Delta   float64   // ends when the objective fell by less, relatively; 0: off
	Seed    uint64    // of the order
	Workers int       // goroutines; 0: 1. The result does not depend on it
	Initial []float64 // weights to start from; nil: 0
	From    *State    // state of the same fit to go on from; nil: none

	// Save is called after sweeps that others follow, where S and T follow from the weights; it may be nil.
	Save func(*State) error
}

// Sweep is what a pass over all features did.
type Sweep struct {
	Number       int // 1-based
	Objective    float64
	GradientNorm float64 // Euclidean, each part as the sweep met it; of the subgradient of least size with L1
	Gap          float64 // bound of (F − F*)/F* if GradientNorm were the gradient at the end; 0 where unknown
	Active       int     // weights that are not 0
	Steps        int     // features that were moved
	Trials       int     // points that line searches and Newton's methods tried for them
	Places       int     // places of features that were gone through, each trial once more
	Weights      []float64
}

// Status tells why a fit ended.
type Status string

// The ways to end.
const (
	Converged Status = "converged"
	Flat      Status = "flat"
	Limit     Status = "sweep limit"
	Stopped   Status = "stopped"
)

// Fit minimises the objective. report is called after every sweep and may be nil; true ends the
// fit with the weights as they stand. A sweep costs some passes over the places of the features.
func Fit(ctx context.Context, p *Problem, o Options, report func(Sweep) bool) ([]float64, Status, error) {
	if err := o.check(p); err != nil {
		return nil, "", err
	}
	f := &fit{p: p, o: o, st: newState(p, o.Workers), ctx: ctx}
	copy(f.st.w, o.Initial)
	if report == nil {
		report = func(Sweep) bool { return false }
	}
	return f.run(report)
}

func (o *Options) check(p *Problem) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", chain.ErrInvalid, fmt.Sprintf(format, args...))
	}
	if o.Shrink == 0 {
		o.Shrink = 0.5
	}
	if o.Gamma == 0 {
		o.Gamma = 0.001
	}
	if o.Refresh == 0 {
		o.Refresh = 5
	}
	switch o.Method {
	case CD, CDExact, BLMVM:
	case SCGIS, GIS, IIS:
		if a := p.Negative(); a >= 0 {
			return bad("%s needs values of at least 0, attribute %d has others", o.Method, a)
		}
		if o.Widths != nil {
			return bad("%s knows no L1 penalty", o.Method)
		}
	default:
		return bad("no method %q", o.Method)
	}
	switch {
	case !(o.L2 >= 0) || math.IsInf(o.L2, 1):
		return bad("L2 is %g, want a finite number of at least 0", o.L2)
	case !(o.Shrink > 0 && o.Shrink < 1) || !(o.Gamma > 0 && o.Gamma < 0.5):
		return bad("shrink %g and gamma %g, want them in (0, 1) and (0, 0.5)", o.Shrink, o.Gamma)
	case o.Refresh < 1 || o.Sweeps < 0 || o.Period < 0:
		return bad("refresh %d, sweeps %d, period %d, want 1, 0, 0 or more", o.Refresh, o.Sweeps, o.Period)
	case o.Widths != nil && len(o.Widths) != p.Features():
		return bad("%d widths for %d features", len(o.Widths), p.Features())
	case o.Initial != nil && len(o.Initial) != p.Features():
		return bad("%d initial weights for %d features", len(o.Initial), p.Features())
	}
	return nil
}

// fit is a minimisation under way.
type fit struct {
	p      *Problem
	o      Options
	st     *state
	ctx    context.Context
	past   []float64 // objectives before the first sweep and after each
	plane  plane
	faster bool      // the plane is used
	sum    []float64 // f#(x, y) by label and context, for GIS and IIS
	most   float64   // f#
}

func (f *fit) run(report func(Sweep) bool) ([]float64, Status, error) {
	if f.o.Method == BLMVM {
		return f.bounded(report)
	}
	step := f.sequential()
	if f.scales() {
		step = f.parallel()
	}
	f.faster = !f.o.Plain && f.o.Widths == nil && (f.o.Method == CD || f.o.Method == CDExact)
	f.plane.f = f
	if err := f.begin(); err != nil {
		return nil, "", err
	}
	for n := len(f.past); f.o.Sweeps == 0 || n <= f.o.Sweeps; n++ {
		s := Sweep{Number: n, Weights: f.st.w}
		if err := f.sweep(step, &s); err != nil {
			return nil, "", err
		}
		if report(s) {
			return f.st.w, Stopped, nil
		}
		if status, ended := f.ended(s); ended {
			return f.st.w, status, nil
		}
		if err := f.save(s); err != nil {
			return nil, "", err
		}
	}
	return f.st.w, Limit, nil
}

// scales reports whether all steps of a sweep are from the same weights.
func (f *fit) scales() bool { return f.o.Method == GIS || f.o.Method == IIS }

// begin sets the state from which the first sweep starts.
func (f *fit) begin() error {
	if f.o.From != nil {
		return f.restore(f.o.From)
	}
	f.st.refresh()
	f.past = []float64{f.st.loss() + f.penalty()}
	return nil
}

// sweep goes over all features once.
func (f *fit) sweep(step func(*Sweep) error, s *Sweep) error {
	if f.faster {
		f.plane.begin()
	}
	if err := step(s); err != nil {
		return err
	}
	if f.st.lost.Load() {
		f.st.refresh()
	}
	s.Objective = f.st.loss() + f.penalty()
	if f.faster {
		s.Objective = f.plane.end(s.Objective)
	}
	f.measure(s)
	if s.Number%f.o.Refresh == 0 {
		f.st.refresh()
	}
	if math.IsNaN(s.Objective) || math.IsInf(s.Objective, 0) {
		return fmt.Errorf("the objective is %g after sweep %d, want a finite number; smaller values or more regularisation"+
			" would help", s.Objective, s.Number)
	}
	f.past = append(f.past, s.Objective)
	return nil
}

// ended tests whether a sweep was the last one. It changes nothing, so that a resumed fit decides as the first did.
func (f *fit) ended(s Sweep) (Status, bool) {
	if f.o.Epsilon > 0 && s.GradientNorm <= f.o.Epsilon*max(1, norm(f.st.w)) {
		return Converged, true
	}
	k := len(f.past) - 1 - f.o.Period
	return Flat, f.o.Period > 0 && k >= 0 && f.past[k]-s.Objective < f.o.Delta*math.Abs(s.Objective)
}

// measure fills in what is known after a sweep. The objective is strongly convex where there is
// an L2 penalty, so that F − F* ≤ |∇F|²/(2·L2).
func (f *fit) measure(s *Sweep) {
	for _, w := range f.st.w {
		if w != 0 {
			s.Active++
		}
	}
	if f.o.L2 > 0 && s.Objective > 0 {
		if gap := s.GradientNorm * s.GradientNorm / (2 * f.o.L2); gap < s.Objective {
			s.Gap = gap / (s.Objective - gap)
		}
	}
}

// penalty is ½·L2·|w|² + Σ A_k·|w_k|.
func (f *fit) penalty() float64 {
	sum := 0.0
	for k, w := range f.st.w {
		sum += 0.5 * f.o.L2 * w * w
		if f.o.Widths != nil {
			sum += f.o.Widths[k] * math.Abs(w)
		}
	}
	return sum
}

func norm(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}
