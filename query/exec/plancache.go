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
	mu   sync.Mutex
	kept recent.Map[planKey, planned]
}

// planned is a plan and the types of its parameters.
type planned struct {
	Node   plan.Node
	Types  bind.Parameters
	shares bool   // several nodes annotate with one model
	own    bool   // of one execution
	number uint64 // for recall, 0 for none
}

type planKey struct {
	stmt             *ast.Select
	catalog, corpora uint64
	model, rules     string
	path             string
	floats           uint64
}

const keptPlans = 1024

func (r *Execution) planKey(s *ast.Select) planKey {
	return planKey{s, r.Snapshot.CatalogVersion(), r.Snapshot.Version(), r.Session.Settings.Models(), strings.Join(r.Session.Settings.RulesOff, ","), strings.Join(r.Session.Settings.SearchPath, ","), r.Floats}
}

// Plan binds and optimises a SELECT, or takes its plan from the cache. Plans with subselects
// used as values keep the state of one execution and are not kept, nor are those with large constants.
func (r *Execution) Plan(s *ast.Select) (plan.Node, error) {
	p, err := r.Planned(s)
	return p.Node, err
}

func (r *Execution) Planned(s *ast.Select) (planned, error) {
	if r.Session.Compared {
		return r.plannedAs(s, r.Env.Params)
	}
	return r.keptPlan(s)
}

// plannedAs plans a SELECT whose parameters stand for literals: the plan for any values where these are of the types of the
// columns that they are compared with, else one of their own, which the types of literals decide.
func (r *Execution) plannedAs(s *ast.Select, literals []value.Value) (planned, error) {
	p, err := r.keptPlan(s)
	if err != nil || !p.suits(literals) {
		return r.bound(WithValues(s, literals))
	}
	return p, nil
}

// suits reports whether values have the types of their parameters.
func (p *planned) suits(values []value.Value) bool {
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

// keptPlan is the plan of a tree, kept where that may be.
func (r *Execution) keptPlan(s *ast.Select) (planned, error) {
	key := r.planKey(s)
	c := &r.plans
	c.mu.Lock()
	p, ok := c.kept.Get(key)
	c.mu.Unlock()
	if ok {
		return p, nil
	}
	p, err := r.bound(s)
	if err != nil || p.own {
		return p, err
	}
	p.number = r.Recall.number(p.Node)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept.Limit = keptPlans
	c.kept.Put(key, p)
	return p, nil
}

// bound binds and optimises a SELECT.
func (r *Execution) bound(s *ast.Select) (planned, error) {
	b := r.Binder()
	n, err := b.Select(s)
	if err != nil {
		return planned{}, err
	}
	n = optimise.Optimise(n, r.RulesOff())
	return planned{Node: n, Types: b.Types, shares: annotate.Repeats(n), own: b.Stateful || b.Large}, nil
}
