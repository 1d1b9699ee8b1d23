package reduction

import (
	"fmt"
	"math"

	"parlance/algo/checkpoint"
	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/option"
)

// Settings are the options of kinds that are made of machines.
type Settings struct {
	Kernel, Loss, Multiclass string
	Degree, Iterations       int
	Gamma, Coef0, C          float64
	Bias, Epsilon            float64
	Shrinking, Probability   bool
	Cache                    int
}

// Defaults are the defaults in which kinds differ.
type Defaults struct {
	Kernel       string
	Gamma, Coef0 float64
}

const auto = "auto"

// Declare declares the options.
func (o *Settings) Declare(s *option.Set, d Defaults) {
	s.Choice(&o.Kernel, "kernel", d.Kernel, solver.Shapes(),
		"linear: x·z; poly: (gamma·x·z + coef0)^degree; rbf: exp(−gamma·|x − z|²)")
	s.Int(&o.Degree, "degree", 2, 1, maxDegree, "degree of kernel = 'poly'")
	s.Float(&o.Gamma, "gamma", d.Gamma, 0, math.Inf(1),
		"factor of the kernels poly and rbf; 0: 1 through the number of attributes")
	s.Float(&o.Coef0, "coef0", d.Coef0, 0, math.Inf(1), "added within kernel = 'poly'")
	s.Float(&o.C, "c", 1, 1e-6, 1e9, "weight of the errors against the size of the weights")
	s.Choice(&o.Loss, "loss", auto, []string{auto, "hinge", "squared_hinge"},
		"loss of linear machines; auto: squared_hinge, hinge with crammer_singer. Other kernels have hinge")
	s.Choice(&o.Multiclass, "multiclass", auto, append([]string{auto}, schemes...), "one_vs_rest: a machine a class; "+
		"pairwise: a machine a pair of classes, which vote; crammer_singer: one linear machine for all classes; auto: "+
		"one_vs_rest for linear machines, else pairwise")
	s.Float(&o.Bias, "bias", 1, 0, 1e6, "value of a column that linear machines add to every item; 0: none")
	s.Float(&o.Epsilon, "epsilon", 0, 0, 1,
		"ends when the optimality conditions hold to this; 0: 0.1 for linear machines, 0.001 for others")
	s.Int(&o.Iterations, "iterations", 1000, 1, math.MaxInt32,
		"passes over all items of linear machines at most, or as many visits of some")
	s.Bool(&o.Shrinking, "shrinking", true,
		"leaves items alone that seem to stay at a bound; it changes the time, not the optimum")
	s.Int(&o.Cache, "cache", 256, 1, 1<<20, "megabytes of kernel values that are kept while training, for all workers")
	s.Bool(&o.Probability, "probability", false, "fits prob to decision values of 5-fold cross-validation (Platt "+
		"scaling), which takes about five times as long; without, prob only orders the classes")
	s.Only("degree coef0", "kernel", "poly")
	s.Only("gamma cache", "kernel", "poly", "rbf")
	s.Only("bias iterations", "kernel", "linear")
	s.Check("multiclass", o.checkScheme)
	s.Check("loss", o.checkLoss)
	s.Check("probability", func() error {
		if o.Probability && o.Scheme() == CrammerSinger {
			return fmt.Errorf("probability is fitted to binary machines; crammer_singer has none: use one_vs_rest or pairwise")
		}
		return nil
	})
}

func (o *Settings) linear() bool { return o.Kernel == "linear" }

func (o *Settings) checkScheme() error {
	if o.Multiclass == CrammerSinger.String() && !o.linear() {
		return fmt.Errorf("multiclass = 'crammer_singer' is for kernel = 'linear'; with %s use pairwise or one_vs_rest",
			o.Kernel)
	}
	return nil
}

func (o *Settings) checkLoss() error {
	if o.Loss == "squared_hinge" && (!o.linear() || o.Multiclass == CrammerSinger.String()) {
		return fmt.Errorf("loss = 'squared_hinge' is for linear machines of two classes; leave it out for other kernels " +
			"and for crammer_singer")
	}
	return nil
}

// Prob tells what prob of an item is; that of several, such as the tokens of a span, is a product that nothing is
// fitted to.
func (o *Settings) Prob(several bool) kind.Probability {
	if o.Probability && !several {
		return kind.Calibrated
	}
	return kind.Score
}

// Scheme is how the machines make a classifier.
func (o *Settings) Scheme() Scheme {
	for i, s := range schemes {
		if s == o.Multiclass {
			return Scheme(i)
		}
	}
	if o.linear() {
		return OneVersusRest
	}
	return Pairwise
}

// Options are the settings of a training over n attributes.
func (o *Settings) Options(t *kind.Training, attributes int) (Options, error) {
	shape, err := solver.ParseShape(o.Kernel)
	if err != nil {
		return Options{}, err
	}
	out := Options{Scheme: o.Scheme(), C: o.C, Squared: o.linear() && o.Loss != "hinge", Bias: o.Bias, Epsilon: o.Epsilon,
		Iterations: o.Iterations,
		Shrinking:  o.Shrinking, Cache: int64(o.Cache) << 20, Probability: o.Probability, Seed: t.Seed, Workers: t.Workers,
		Kernel: solver.Kernel{Shape: shape, Degree: o.Degree, Gamma: o.Gamma, Coef0: o.Coef0}}
	if out.Kernel.Gamma == 0 {
		out.Kernel.Gamma = 1 / float64(max(1, attributes))
	}
	if out.Epsilon == 0 {
		if out.Epsilon = 1e-3; o.linear() {
			out.Epsilon = 0.1
		}
	}
	out.Keep, out.Resume = checkpoint.NewKeeper(t), t.Resume
	out.Report = func(done, of int, dual float64) {
		note := "machines"
		if out.Scheme == CrammerSinger {
			note = "passes; the objective is the largest violation"
		}
		t.Report(kind.Progress{Step: done, Of: of, Objective: dual, HeldOut: math.NaN(), Note: note})
	}
	return out, nil
}
