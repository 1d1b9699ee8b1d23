package crf

import (
	"fmt"
	"math"

	"parlance/algo/engine/chain"
	"parlance/algo/option"
	"parlance/algo/seq/tagger"
)

// online is the options of optimizers that go sentence by sentence.
type online struct {
	optimizer      string
	epochs         int
	rate, decay    float64
	aggressiveness float64
}

func (o *online) declare(s *option.Set) {
	s.Choice(&o.optimizer, "optimizer", "lbfgs", []string{"lbfgs", "sgd", "ap", "pa"},
		"lbfgs; sgd: stochastic gradient descent on the same objective; ap: averaged perceptron; pa: passive-aggressive, "+
			"averaged. All but lbfgs go sentence by sentence in one thread")
	s.Int(&o.epochs, "epochs", 20, 1, math.MaxInt32, "passes of sgd, ap and pa over the sentences at most; "+
		"validate_every counts them")
	s.Float(&o.rate, "rate", 0, 0, math.Inf(1), "first step of sgd; 0: the best of a sample, 0.5 with l1")
	s.Float(&o.decay, "decay", 0.85, 0, 1, "factor of the step of sgd with l1 from one epoch to the next")
	s.Float(&o.aggressiveness, "aggressiveness", 1, 0, math.Inf(1), "largest step C of pa (PA-I)")
	s.Only("iterations memory epsilon delta period warm_start", "optimizer", "lbfgs")
	s.Only("l1 l2", "optimizer", "lbfgs", "sgd")
	s.Only("epochs", "optimizer", "sgd", "ap", "pa")
	s.Only("rate decay", "optimizer", "sgd")
	s.Only("aggressiveness", "optimizer", "pa")
	s.Check("l2", func() error {
		if o.optimizer == "sgd" && s.Lookup("l1").Value() != "0" && s.Lookup("l2").Value() != "0" {
			return fmt.Errorf("sgd takes l1 or l2, not both; give l2 = 0 with l1")
		}
		return nil
	})
	s.Idle("decay", func() (string, string) {
		if s.Lookup("l1").Value() != "0" {
			return "", ""
		}
		return "is for sgd with l1; with l2 the steps follow from rate and l2", "give l1"
	})
}

// onlineFit is the settings of a training sentence by sentence.
func (m *model) onlineFit(data *tagger.Data) tagger.OnlineFit {
	o := &m.opt
	f := tagger.OnlineFit{Patience: o.Patience, ValidateEvery: o.ValidateEvery, Online: chain.Online{
		Epochs: o.epochs, AllStates: o.states == "all", AllTransitions: o.transitions == "all"}}
	switch o.optimizer {
	case "sgd":
		f.Rule, f.Rate, f.L2 = chain.Gradient, o.rate, o.L2
		if o.L1 > 0 {
			f.Rule, f.L1, f.Decay = chain.GradientL1, o.L1, o.decay
		}
	case "ap":
		f.Rule, f.Averaged = chain.Perceptron, true
	case "pa":
		f.Rule, f.Averaged, f.C = chain.PassiveAggressive, true, o.aggressiveness
	}
	if f.Rule < chain.Gradient {
		f.Rules = m.opt.Rules(data.Names)
	}
	return f
}
