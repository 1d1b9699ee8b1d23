package exec

import (
	"strings"
	"sync"

	"parlance/query/ast"
	"parlance/query/plan"
)

// planCache keeps plans by statement. A tree is never changed, and db hands the same tree out
// for the same text, so its address stands for the text. A plan holds as long as the catalog,
// the layers of corpora and the settings that binding reads stay as they are.
type planCache struct {
	mu sync.Mutex
	m  map[planKey]plan.Node
}

type planKey struct {
	stmt             *ast.Select
	catalog, corpora uint64
	model, rules     string
}

const keptPlans = 256

func (r *run) planKey(s *ast.Select) planKey {
	return planKey{s, r.Store.CatalogVersion(), r.snap.Version(), r.ses.Settings.DefaultModel, strings.Join(r.ses.Settings.RulesOff, ",")}
}

// plan binds and optimises a SELECT, or takes its plan from the cache. Plans with subselects
// used as values keep the state of one execution and are not kept.
func (r *run) plan(s *ast.Select) (plan.Node, error) {
	key := r.planKey(s)
	c := &r.plans
	c.mu.Lock()
	n, ok := c.m[key]
	c.mu.Unlock()
	if ok {
		return n, nil
	}
	b := r.binder()
	n, err := b.Select(s)
	if err != nil {
		return nil, err
	}
	n = plan.Optimise(n, r.rulesOff())
	if b.Stateful {
		return n, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m == nil || len(c.m) >= keptPlans {
		c.m = map[planKey]plan.Node{}
	}
	c.m[key] = n
	return n, nil
}
