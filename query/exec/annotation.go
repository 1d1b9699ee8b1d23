package exec

import (
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/annotate"
	"parlance/query/models"
	"parlance/query/optarg"
	"parlance/query/plan"
)

// cached reports whether the session uses the cache of predictions.
func (r *Execution) cached() bool { return r.Session.Settings.Cache != "off" }

// Annotating is how the statement annotates.
func (r *Execution) Annotating() annotate.Setup {
	s := annotate.Setup{Models: r.Set, Workers: r.Workers(), Shared: r.Shared, Meter: &r.Meter.Models}
	if r.cached() {
		s.Cache = r.Store.Cache()
	}
	return s
}

// ShareResults lets the nodes of a plan that annotate with the same model annotate each document once. With the cache
// of predictions the cache does that.
func (r *Execution) ShareResults(repeats bool) {
	if repeats && !r.cached() {
		r.Shared = annotate.NewShared()
	}
}

// Annotator makes an annotator of the models of a node, for what the node and the reader of their layers ask; reads
// may be nil.
func (r *Execution) Annotator(n *plan.Layer, reads []kind.LayerUse) (*annotate.Annotator, error) {
	a := new(annotate.Annotator)
	return a, r.initAnnotator(a, n, reads)
}

func (r *Execution) initAnnotator(a *annotate.Annotator, n *plan.Layer, reads []kind.LayerUse) error {
	args, err := optarg.Args(n.Options, r.Env)
	if err != nil {
		return err
	}
	a.Init(r.Annotating(), r.Stats.Of(n))
	nbest, err := r.nbest(n, args)
	if err != nil {
		return optarg.AtOption(err, n.Options)
	}
	for i, m := range n.Models {
		want := models.Request{Layers: m.Wanted}
		want.Nbest, want.Prob = annotate.Demand(n.Models, i, reads)
		if i == len(n.Models)-1 { // the model after USING
			want.Options, want.Nbest, want.Prob = args, max(want.Nbest, nbest), want.Prob || n.Prob()
		}
		if err := r.configureInto(a.Add(), m, want); err != nil {
			return optarg.AtOption(err, n.Options)
		}
	}
	if len(a.Models) > 0 && n.ReadsProb() {
		r.WarnProb(a.Models[len(a.Models)-1])
	}
	return nil
}

// WarnProb tells those who read prob of a model where it does not say how often rows are right.
func (r *Execution) WarnProb(c *models.Configured) {
	what := ""
	switch c.Schema.Prob {
	case kind.Score:
		what = c.Label + ": prob is a score, which orders rows and says not how often they are right"
	case kind.NoProb:
		what = c.Label + ": prob is NULL, the model has none"
	}
	if what == "" || r.warned[what] {
		return
	}
	if r.warned == nil {
		r.warned = map[string]bool{}
	}
	r.warned[what] = true
	r.Session.Notice(what)
}

// nbest is the number of best outputs that a statement wants, 0 where it says nothing.
func (r *Execution) nbest(n *plan.Layer, args []option.Arg) (k int, err error) {
	for i, o := range args {
		if o.Name != "nbest" {
			continue
		}
		if k, err = optarg.IntArg(o, 1, 1000); err != nil || k == 1 || len(n.Models) == 0 {
			return k, err
		}
		m := &n.Models[len(n.Models)-1]
		if slices.Contains(m.Schema.Ranked, n.Name) {
			return k, nil
		}
		hint := "leave nbest out"
		if len(m.Schema.Ranked) > 0 {
			hint += "; it has n best " + strings.Join(m.Schema.Ranked, ", ")
		}
		return 0, plan.Errorf(n.Options[i].Pos, plan.CodeFeature, hint,
			"%s, a model of kind %s, gives the best %s only, not the n best", m, m.Kind, n.Name)
	}
	return 0, nil
}
