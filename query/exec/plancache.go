package exec

import (
	"strings"
	"sync"

	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage/recent"
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
	node   plan.Node
	types  plan.Parameters
	shares bool   // several nodes annotate with one model
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

func (r *run) planKey(s *ast.Select) planKey {
	return planKey{s, r.snap.CatalogVersion(), r.snap.Version(), r.ses.Settings.DefaultModel, strings.Join(r.ses.Settings.RulesOff, ","), strings.Join(r.ses.Settings.SearchPath, ","), r.floats}
}

// plan binds and optimises a SELECT, or takes its plan from the cache. Plans with subselects
// used as values keep the state of one execution and are not kept, nor are those with large constants.
func (r *run) plan(s *ast.Select) (plan.Node, error) {
	p, err := r.planned(s)
	return p.node, err
}

func (r *run) planned(s *ast.Select) (planned, error) {
	key := r.planKey(s)
	c := &r.plans
	c.mu.Lock()
	p, ok := c.kept.Get(key)
	c.mu.Unlock()
	if ok {
		return p, nil
	}
	b := r.binder()
	n, err := b.Select(s)
	if err != nil {
		return planned{}, err
	}
	n = plan.Optimise(n, r.rulesOff())
	p = planned{node: n, types: b.Types, shares: annotatesTwice(n)}
	if b.Stateful || b.Large {
		return p, nil
	}
	p.number = r.recall.number(n)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept.Limit = keptPlans
	c.kept.Put(key, p)
	return p, nil
}
