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

// planCache keeps plans by statement. A syntax tree is never changed, and equal texts share one, so the address of the
// tree stands for the text. A plan holds as long as the catalog, the layers of corpora and the settings that binding
// reads stay as they are.
type planCache struct {
	mu    sync.Mutex
	plans recent.Map[planKey, boundPlan]
}

// maxPlans bounds how many plans are kept.
const maxPlans = 1024

// boundPlan is a plan with what the planner found out about it.
type boundPlan struct {
	Node        plan.Node
	Types       bind.Parameters
	sharesModel bool   // several nodes annotate with one model
	unshared    bool   // it keeps the state of one execution, or large constants
	id          uint64 // in the result cache, 0 if its rows are not kept
}

type planKey struct {
	stmt             *ast.Select
	catalog, corpora uint64 // versions
	session          uint64 // whose temporary objects names may mean, 0 for none
	model, rules     string
	path             string
	floats           uint64
}

func (r *Execution) planKey(s *ast.Select) planKey {
	settings := r.Session.Settings
	return planKey{s, r.Snapshot.CatalogVersion(), r.Snapshot.Version(), r.Snapshot.Session(), settings.Models(),
		strings.Join(settings.RulesOff, ","), strings.Join(settings.SearchPath, ","), r.Floats}
}

// Plan binds and optimises a SELECT, or takes its plan from the cache.
func (r *Execution) Plan(s *ast.Select) (plan.Node, error) {
	p, err := r.Planned(s)
	return p.Node, err
}

// Planned is Plan with what the planner found out about the plan.
func (r *Execution) Planned(s *ast.Select) (boundPlan, error) {
	if r.Session.LiteralsCompared {
		return r.planForLiterals(s, r.Env.Params)
	}
	return r.sharedPlan(s)
}

// planForLiterals plans a SELECT whose parameters stand for literals of the text. The plan for parameters of any value
// will do if the literals have the types of the columns that they are compared with; else the literals are put back,
// for their types decide what the comparisons mean.
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

// sharedPlan is the plan of a tree, from the cache or for it.
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
	if err := r.checked(b); err != nil {
		return boundPlan{}, err
	}
	n = optimise.Optimise(n, r.RulesOff())
	return boundPlan{Node: n, Types: b.Types, sharesModel: annotate.Repeats(n), unshared: b.Stateful || b.Large}, nil
}
