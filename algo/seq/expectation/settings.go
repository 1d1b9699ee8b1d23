package expectation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
	"parlance/algo/option"
)

// Objectives of kinds that learn from gold segments or from constraints.
const (
	Likelihood             = "likelihood"
	AlternatingProjections = "alternating_projections"
)

// Settings are the options that such kinds share.
type Settings struct {
	Objective                    string
	Gazetteer                    string
	Outside                      bool
	projections, steps, scale    string
	passes                       int
	rate, multiplierRate, bound  float64
	multiplierSteps, weightSteps int
}

// ofConstraints are the options with an effect on training by constraints alone.
const ofConstraints = "projections passes bound gazetteer outside"

// Declare declares the options.
func (o *Settings) Declare(s *option.Set) {
	s.Choice(&o.Objective, "objective", Likelihood, []string{Likelihood, AlternatingProjections},
		"likelihood: of gold segments; alternating_projections: ON has documents without labels, and a table AS "+
			"constraints says what is expected of them")
	s.Resource(&o.Gazetteer, "gazetteer", "", "phrases of the constraints of kind dictionary, whose values are "+
		"labels of it")
	s.Bool(&o.Outside, "outside", true, "tokens may belong to no segment; constraints call such tokens O")
	s.Choice(&o.projections, "projections", "online", []string{"online", "batch"},
		"online: a step at each row (sentence); batch: the multipliers for all rows, then the weights, in turn")
	s.Int(&o.passes, "passes", 8, 1, math.MaxInt32, "passes over the rows, or rounds of batch; more passes keep "+
		"to the constraints and drift from the labels")
	s.Choice(&o.steps, "steps", "adagrad", []string{"adagrad", "inverse"},
		"steps at rows: a rate over the root of the squares of gradients so far, or 1/(t + 1/weight_rate)")
	s.Float(&o.rate, "weight_rate", 0.05, 1e-6, 1000, "first step of weights; with steps = inverse of multipliers too")
	s.Float(&o.multiplierRate, "multiplier_rate", 0.3, 1e-6, 1000, "first step of multipliers")
	s.Choice(&o.scale, "scale", "local", []string{"local", "total"},
		"local: a target counts for the matches of a row; total: for the same share of all matches at each row")
	s.Float(&o.bound, "bound", 8, 0.1, 700, "largest multiplier; targets of 0 and 1 would have infinite ones")
	s.Int(&o.multiplierSteps, "multiplier_iterations", 15, 1, 100000,
		"iterations for the multipliers in a round of batch")
	s.Int(&o.weightSteps, "weight_iterations", 10, 1, 100000,
		"iterations of L-BFGS for the weights in a round of batch")
	s.Only(ofConstraints, "objective", AlternatingProjections)
	online := func() (string, string) {
		if o.Constrained() && o.projections == "online" {
			return "", ""
		}
		return "is for projections = online", "give objective = alternating_projections and projections = online"
	}
	s.Idle("steps weight_rate scale", online)
	s.Idle("multiplier_rate", func() (string, string) {
		if why, hint := online(); why != "" {
			return why, hint
		}
		if o.steps == "inverse" {
			return "is for steps = adagrad", "give weight_rate"
		}
		return "", ""
	})
	s.Idle("multiplier_iterations weight_iterations", func() (string, string) {
		if o.Constrained() && o.projections == "batch" {
			return "", ""
		}
		return "is for projections = batch", "give objective = alternating_projections and projections = batch"
	})
}

// Constrained tells whether training is by constraints.
func (o *Settings) Constrained() bool { return o.Objective == AlternatingProjections }

// Complete adds inputs and, of training by constraints, what constraints need to the schema of a kind that learns
// gold: then gold is learned from an input of its own, constraints read forms and a gazetteer, and stand in a
// relation.
func (o *Settings) Complete(s *kind.Schema) {
	constraints := kind.Role{Name: "constraints", Doc: "what is expected of the labels of ON, with objective = " +
		"alternating_projections",
		Tables: []kind.TableUse{Table}, Optional: !o.Constrained(), Train: true}
	labelled := kind.Role{Name: "labelled", Doc: "documents with gold beside ON, with objective = " +
		"alternating_projections",
		Reads: s.Reads, Learns: s.Learns, Optional: true, Train: true}
	if o.Constrained() {
		s.Reads, s.Learns = MergeUses(s.Reads, []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}}), nil
		s.Relations = append(s.Relations, Relation)
		labelled.Reads = s.Reads
		if g := (kind.Resource{Kind: "gazetteer", Name: o.Gazetteer}); o.Gazetteer != "" &&
			!slices.Contains(s.Resources, g) {
			s.Resources = append(s.Resources[:len(s.Resources):len(s.Resources)], g)
		}
	}
	s.Roles = append(s.Roles, constraints, labelled)
}

// Check refuses inputs that training by gold does nothing with.
func (o *Settings) Check(t *kind.Training) error {
	for _, name := range []string{"constraints", "labelled"} {
		if t.Roles[name] != nil && !o.Constrained() {
			return fmt.Errorf("an input AS %s is for training by constraints; give objective = "+
				"alternating_projections", name)
		}
	}
	return nil
}

// MergeUses adds what is read of layers to a list.
func MergeUses(list, more []kind.LayerUse) []kind.LayerUse {
	list = slices.Clone(list)
	for _, u := range more {
		i := slices.IndexFunc(list, func(x kind.LayerUse) bool { return x.Layer == u.Layer })
		if i < 0 {
			list = append(list, u)
			continue
		}
		for _, c := range u.Columns {
			if !slices.Contains(list[i].Columns, c) {
				list[i].Columns = append(slices.Clone(list[i].Columns), c)
			}
		}
	}
	return list
}

// Phrases returns the gazetteer of the constraints, nil where none is named.
func (o *Settings) Phrases(res kind.Resources) (kind.Gazetteer, error) {
	if o.Gazetteer == "" {
		return nil, nil
	}
	return res.Gazetteer(o.Gazetteer)
}

// Read reads the constraints of a training.
func (o *Settings) Read(ctx context.Context, t *kind.Training) ([]Constraint, *Triggers, error) {
	in := t.Roles["constraints"]
	if in == nil {
		return nil, nil, errors.New("objective = alternating_projections wants a table AS constraints")
	}
	table, ok := in.Table(Table.Name)
	if !ok {
		return nil, nil, fmt.Errorf("%w: there are no constraints", kind.ErrNoData)
	}
	list, err := Read(ctx, table)
	if err != nil {
		return nil, nil, err
	}
	triggers, err := NewTriggers(list)
	if err != nil {
		return nil, nil, err
	}
	if triggers.Dictionaries() && o.Gazetteer == "" {
		return nil, nil, errors.New("constraints of kind dictionary look into a gazetteer: name it by the option " +
			"gazetteer")
	}
	return list, triggers, nil
}

// state is what a checkpoint has of a training.
type state struct {
	done   int // passes
	online OnlineState
}

func (s *state) parts(t *Training) checkpoint.State {
	return checkpoint.State{
		{Section: "passes", Part: checkpoint.Value(&s.done)}, {Section: "step", Part: checkpoint.Value(&s.online.Step)},
		{Section: "weights", Part: checkpoint.Float64s(t.W)}, {Section: "multipliers", Part: checkpoint.Float64s(t.Mu)},
		{Section: "squares", Part: checkpoint.Float64s(s.online.Squares)}, {Section: "multiplier_squares",
			Part: checkpoint.Float64s(s.online.MuSquares)}}
}

// Learn trains x by the constraints: it tells which exclude each other, reports progress and keeps checkpoints.
// labelled are the rows of x.Labelled; candidate makes a model of the weights as they stand, to be scored on held-out
// documents after each pass. It returns what was reached.
func (o *Settings) Learn(ctx context.Context, t *kind.Training, x *Training, labelled []Row,
	candidate func() (kind.Model, error)) ([]Reached, error) {
	x.Cap, x.Workers = o.bound, t.Workers
	x.Begin()
	for _, c := range x.Problem.Conflicts() {
		t.Notice(c)
	}
	s := &state{online: OnlineState{Squares: make([]float64, len(x.W)), MuSquares: make([]float64, len(x.Mu))}}
	if t.Resume != nil {
		if err := s.parts(x).Read(t.Resume); err != nil {
			return nil, err
		}
	}
	keep := checkpoint.NewKeeper(t)
	report := func(step, of int, objective float64, note string) (bool, error) {
		s.done = step
		p := kind.Progress{Step: step, Of: of, Objective: objective, HeldOut: math.NaN(), Note: note}
		if t.Score != nil {
			m, err := candidate()
			if err == nil {
				p.HeldOut, p.Metric, err = t.Score(ctx, m)
			}
			if err != nil {
				return true, err
			}
		}
		t.Report(p)
		return false, keep.Save(func(w *kind.Writer) error { return s.parts(x).Write(w) })
	}
	var err error
	if o.projections == "batch" {
		err = (&Batch{Rounds: o.passes, Multipliers: o.multiplierSteps, Weights: o.weightSteps}).Run(ctx, x, s.done,
			report)
	} else {
		err = (&Online{Passes: o.passes, Rate: o.rate, MuRate: o.multiplierRate, Inverse: o.steps == "inverse",
			Local: o.scale == "local",
			Order: func(pass int) *rand.Rand {
				return rand.New(rand.NewPCG(t.Seed,
					uint64(pass)))
			}}).Run(ctx, x, &s.online, s.done, report)
	}
	if err != nil {
		return nil, err
	}
	list, err := x.Report(ctx, labelled)
	if err != nil {
		return nil, err
	}
	o.tell(t, list)
	return list, nil
}

// tell tells what was not reached.
func (o *Settings) tell(t *kind.Training, list []Reached) {
	unmet, idle, first, unseen := 0, 0, "", ""
	for _, r := range list {
		switch {
		case r.Status == "nothing matches":
			if idle++; unseen == "" {
				unseen = r.Constraint.String()
			}
		case r.Status != "met":
			if unmet++; first == "" {
				first = r.Constraint.String()
			}
		}
	}
	if unmet > 0 {
		t.Notice(fmt.Sprintf("%d of %d constraints are not met, such as %s; the relation constraints lists them",
			unmet, len(list), first))
	}
	if idle > 0 {
		t.Notice(fmt.Sprintf("nothing matches %d of %d constraints, such as %s", idle, len(list), unseen))
	}
}

// Labels are the labels of constraints, in their order.
func Labels(list []Constraint) []string {
	var out []string
	seen := map[string]bool{"": true}
	for _, c := range list {
		if !seen[c.Label] {
			seen[c.Label] = true
			out = append(out, c.Label)
		}
	}
	return out
}
