package exec

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"

	"parlance/algo/kind"
	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/recent"
	"parlance/storage/value"
)

// Bounds of the result cache.
const (
	resultCacheBytes = 16 << 20 // of all results, as estimated
	maxCachedResult  = 32 << 10 // of one
)

// resultCache keeps the rows of queries over ad-hoc texts that come again and again with the same arguments, so that
// such a query runs no operator. It keeps those of deterministic plans, once the cache of predictions had every answer
// of a model in them: a text that comes once or twice is not kept.
type resultCache struct {
	mu       sync.Mutex
	seed     maphash.Seed
	results  recent.Map[resultKey, *cachedResult]
	lastPlan atomic.Uint64 // id of the newest plan
}

type resultKey struct{ planID, args uint64 } // args is a hash

// cachedResult is a result with the arguments that gave it.
type cachedResult struct {
	params  []value.Value
	batches []*value.Batch
	models  []usedModel
	bytes   int
}

// usedModel is a model that annotated, with its key in the cache of predictions.
type usedModel struct {
	key   [8]byte
	label string
}

func (c *resultCache) init() {
	c.seed = maphash.MakeSeed()
	c.results.Cost = func(x *cachedResult) int { return x.bytes }
	c.Limit(resultCacheBytes)
}

// Limit bounds the bytes of all results by those of the cache of predictions too, and removes all results.
func (c *resultCache) Limit(cache int64) {
	c.Clear()
	c.mu.Lock()
	c.results.Limit = int(min(resultCacheBytes, cache))
	c.mu.Unlock()
}

// Clear removes all results.
func (c *resultCache) Clear() {
	c.mu.Lock()
	c.results.DeleteFunc(func(resultKey, *cachedResult) bool { return true })
	c.mu.Unlock()
}

// planID returns an id for a plan whose results may be kept, else 0. A plan that is made anew, for the catalog has
// changed, has another id, so that it finds nothing of the old one.
func (c *resultCache) planID(n plan.Node) uint64 {
	if !deterministic(n) {
		return 0
	}
	return c.lastPlan.Add(1)
}

// deterministic reports whether a plan annotates an ad-hoc text, and its rows depend on the parameters alone as long
// as the catalog stays: it reads no corpus, no table and nothing of the session.
func deterministic(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.Rename:
		return deterministic(n.Input)
	case *plan.Filter:
		return expr.Determined(n.Cond) && deterministic(n.Input)
	case *plan.Project:
		return !slices.ContainsFunc(n.Exprs, volatile) && deterministic(n.Input)
	case *plan.Layer:
		return n.Corpus == nil && n.Rows == nil && n.Call == nil && len(n.Options) == 0 && n.RowSearch == nil &&
			expr.Determined(n.Text) && !slices.ContainsFunc(n.DocFilter, volatile) &&
			len(n.Models) > 0 && !slices.ContainsFunc(n.Models, readsMore)
	}
	return false
}

func volatile(e expr.Expr) bool { return !expr.Determined(e) }

// readsMore reports whether a model reads more than the documents that it annotates.
func readsMore(m plan.ModelUse) bool {
	return m.Schema.Unit != kind.PerDocument || len(m.Schema.Resources) > 0
}

// key hashes the arguments of a plan.
func (c *resultCache) key(plan uint64, params []value.Value) resultKey {
	h := uint64(0)
	for _, p := range params {
		h = (h ^ maphash.String(c.seed, p.S) ^ p.N) * 0x9e3779b97f4a7c15
	}
	return resultKey{plan, h}
}

// find returns the result of a plan for arguments, or nil.
func (c *resultCache) find(k resultKey, params []value.Value) *cachedResult {
	c.mu.Lock()
	x, ok := c.results.Get(k)
	c.mu.Unlock()
	if !ok || !slices.Equal(x.params, params) {
		return nil
	}
	return x
}

func (c *resultCache) put(k resultKey, x *cachedResult) {
	c.mu.Lock()
	c.results.Put(k, x)
	c.mu.Unlock()
}

// withResultCache gives the rows of a plan from the cache, else those of the operator that open makes, which are then
// kept if they may be.
func (r *Execution) withResultCache(planID uint64, open func() (operator.Operator, error)) (operator.Operator, error) {
	k := r.ResultCache.key(planID, r.Env.Params)
	if x := r.ResultCache.find(k, r.Env.Params); x != nil {
		for _, m := range x.models {
			r.Store.Cache().Hit(m.key, m.label)
		}
		return operator.NewBatchReader(x.batches), nil
	}
	op, err := open()
	if err != nil {
		return nil, err
	}
	return &recorder{in: op, r: r, key: k}, nil
}

// recorder passes rows on. When they end it puts them into the cache, unless a model had to compute or they are too
// many.
type recorder struct {
	in      operator.Operator
	r       *Execution
	key     resultKey
	batches []*value.Batch
	bytes   int
	off     bool // nothing is recorded any more
}

func (o *recorder) Next(ctx context.Context) (*value.Batch, error) {
	b, err := o.in.Next(ctx)
	switch {
	case o.off:
	case err != nil || o.r.adhocAnnotator == nil || o.r.adhocAnnotator.Stats.Misses > 0:
		o.off, o.batches = true, nil
	case b == nil:
		o.off = true
		o.store()
	default:
		o.batches = append(o.batches, b)
		if o.bytes += b.Bytes(); o.bytes > maxCachedResult {
			o.off, o.batches = true, nil
		}
	}
	return b, err
}

// store puts the result into the cache.
func (o *recorder) store() {
	x := &cachedResult{params: slices.Clone(o.r.Env.Params), batches: o.batches, bytes: 512 + o.bytes}
	for _, p := range x.params {
		x.bytes += 48 + len(p.S)
	}
	for _, m := range o.r.adhocAnnotator.Models {
		x.models = append(x.models, usedModel{m.Key, m.Label})
	}
	o.r.ResultCache.put(o.key, x)
}

func (o *recorder) Close() error { return o.in.Close() }
