package exec

import (
	"strings"
	"sync"

	"parlance/query/annotate"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/optimise"
	"parlance/query/plan"
	"parlance/storage/recent"
	"parlance/storage/value"
)

// planCache keeps plans by statement. A tree is never changed, and db hands the same tree out
// for the same text, so its address stands for the text. A plan holds as long as the catalog,
// the layers of corpora and the settings that binding reads stay as they are.
type planCache struct {
	mu    sync.Mutex
	plans recent.Map[planKey, boundPlan]
}

// boundPlan is a plan and the types of its parameters.
type boundPlan struct {
	Node        plan.Node
	Types       bind.Parameters
	sharesModel bool   // several nodes annotate with one model
	unshared    bool   // of one execution
	id          uint64 // for recall, 0 for none
}

type planKey struct {
	stmt             *ast.Select
	catalog, corpora uint64
	model, rules     string
	path             string
	floats           uint64
}

const maxPlans = 1024

func (r *Execution) planKey(s *ast.Select) planKey {
	return planKey{s, r.Snapshot.CatalogVersion(), r.Snapshot.Version(), r.Session.Settings.Models(), strings.Join(r.Session.Settings.RulesOff, ","), strings.Join(r.Session.Settings.SearchPath, ","), r.Floats}
}

// Plan binds and optimises a SELECT, or takes its plan from the cache. Plans with subselects
// used as values keep the state of one execution and are not kept, nor are those with large constants.
func (r *Execution) Plan(s *ast.Select) (plan.Node, error) {
	p, err := r.Planned(s)
	return p.Node, err
}

func (r *Execution) Planned(s *ast.Select) (boundPlan, error) {
	if r.Session.LiteralsCompared {
		return r.planForLiterals(s, r.Env.Params)
	}
	return r.sharedPlan(s)
}

// planForLiterals plans a SELECT whose parameters stand for literals: the plan for any values where these are of the types of the
// columns that they are compared with, else one of their own, which the types of literals decide.
func (r *Execution) planForLiterals(s *ast.Select, literals []value.Value) (boundPlan, error) {
	p, err := r.sharedPlan(s)
	if err != nil || !p.fitsTypes(literals) {
		return r.makePlan(WithValues(s, literals))
	}
	return p, nil
}

// fitsTypes reports whether values have the types of their parameters.
func (p *boundPlan) fitsTypes(values []value.Value) bool {
	if len(values) > len(p.Types) {
		return false
	}
	for i, v := range values {
		if p.Types[i] != (bind.Parameter{Type: v.T}) {
			return false
		}
	}
	return true
}

// sharedPlan is the plan of a tree, kept where that may be.
func (r *Execution) sharedPlan(s *ast.Select) (boundPlan, error) {
	key := r.planKey(s)
	c := &r.plans
	c.mu.Lock()
	p, ok := c.plans.Get(key)
	c.mu.Unlock()
	if ok {
		return p, nil
	}
	p, err := r.makePlan(s)
	if err != nil || p.unshared {
		return p, err
	}
	p.id = r.ResultCache.planID(p.Node)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.plans.Limit = maxPlans
	c.plans.Put(key, p)
	return p, nil
}

// makePlan binds and optimises a SELECT.
func (r *Execution) makePlan(s *ast.Select) (boundPlan, error) {
	b := r.Binder()
	n, err := b.Select(s)
	if err != nil {
		return boundPlan{}, err
	}
	n = optimise.Optimise(n, r.RulesOff())
	return boundPlan{Node: n, Types: b.Types, sharesModel: annotate.Repeats(n), unshared: b.Stateful || b.Large}, nil
}
