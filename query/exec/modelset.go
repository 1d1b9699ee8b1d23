package exec

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// codeMemory is the code of models that do not fit into model_memory.
const codeMemory = "53200"

// modelSet keeps loaded models within model_memory. A model that leaves the set stays valid for
// the statements that have it.
type modelSet struct {
	Mu      sync.Mutex
	M       map[modelKey]*modelSlot
	schemas map[modelKey]*plan.ModelUse // of all that were loaded once: binding needs no weights
	Bytes   int64
	Wait    sync.WaitGroup // loads under way
	pinning sync.Mutex     // held by the one that pins
}

// modelKey is a version, or a version that was decoded under other predict options.
type modelKey struct {
	name    string
	version int
	options string // "" as it was trained
}

// plain is the version as it was trained.
func (k modelKey) plain() modelKey { return modelKey{name: k.name, version: k.version} }

func (k modelKey) String() string { return fmt.Sprintf("%s@%d", k.name, k.version) }

// modelSlot is a model in the set, or on its way there.
type modelSlot struct {
	key   modelKey
	ready chan struct{} // closed when l or err is set
	l     *loaded
	err   error
	Bytes int64 // 0 until it is ready
	used  time.Time
	uses  int64
}

// fetch returns a model version, reading its weights on first use. Those who want the same
// version wait for one load; other versions are loaded at the same time.
func (e *Database) fetch(ctx context.Context, name string, version int) (*loaded, error) {
	return e.fetchUnder(ctx, modelKey{name: name, version: version}, nil)
}

// fetchUnder is fetch for a key whose options args are.
func (e *Database) fetchUnder(ctx context.Context, key modelKey, args []option.Arg) (*loaded, error) {
	set := &e.Models
	set.Mu.Lock()
	s, ok := set.M[key]
	if !ok {
		meta, found := e.Store.ModelVersion(key.name, key.version)
		if !found {
			set.Mu.Unlock()
			return nil, fault.New(plan.CodeUndefinedObject, "there is no model %s", key)
		}
		s = &modelSlot{key: key, ready: make(chan struct{})}
		set.M[key] = s
		set.Wait.Add(1)
		go e.fill(s, meta, args)
	}
	s.used = time.Now()
	s.uses++
	set.Mu.Unlock()
	select {
	case <-s.ready:
		return s.l, s.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// fill loads the model of a slot and makes room for it.
func (e *Database) fill(s *modelSlot, meta storage.ModelVersion, args []option.Arg) {
	set := &e.Models
	defer set.Wait.Done()
	defer close(s.ready)
	l, err := e.openWithin(meta, args)
	set.Mu.Lock()
	defer set.Mu.Unlock()
	present := set.M[s.key] == s // it may have been dropped in between
	if err == nil && present {
		err = e.admit(s.key, l.bytes)
		if err != nil && s.key.options != "" { // beside the version itself: it serves those who wait, and goes
			delete(set.M, s.key)
			present, err = false, nil
		}
	}
	if err != nil {
		if s.err = err; s.key.options == "" {
			s.err = fmt.Errorf("load model %s: %w", s.key, err)
		}
		if present {
			delete(set.M, s.key)
		}
		return
	}
	s.l = l
	if !present {
		return
	}
	s.Bytes = l.bytes
	set.Bytes += s.Bytes
	if s.key.options == "" {
		set.schemas[s.key] = l.use()
	} else {
		set.thin(s)
	}
	e.trim(s)
}

// keptUnder bounds how many decodings of a version under other options stay.
const keptUnder = 4

// thin unloads the decodings of a version under other options that were used least recently; kept stays.
func (set *modelSet) thin(kept *modelSlot) {
	var list []*modelSlot
	for _, s := range set.M {
		if s != kept && s.Bytes > 0 && s.key.options != "" && s.key.plain() == kept.key.plain() {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *modelSlot) int { return a.used.Compare(b.used) })
	for ; len(list) >= keptUnder; list = list[1:] {
		set.remove(list[0])
	}
}

// openWithin refuses a model that cannot fit before it is decoded.
func (e *Database) openWithin(meta storage.ModelVersion, args []option.Arg) (l *loaded, err error) {
	defer guard.Recover(&err, "load of a model")
	if err := e.tooLarge(meta.WeightsBytes, 0); err != nil {
		return nil, err
	}
	if l, err = e.open(meta, args...); err == nil {
		l.bytes = modelBytes(l)
	}
	return l, err
}

// admit reports an error for a model that does not fit beside the pinned ones, and for one under other options
// beside the version itself.
func (e *Database) admit(key modelKey, bytes int64) error {
	pinned := int64(0)
	for _, s := range e.Models.M {
		if s.key != key && (s.key == key.plain() || e.pinned(s.key)) {
			pinned += s.Bytes
		}
	}
	return e.tooLarge(bytes, pinned)
}

func (e *Database) tooLarge(bytes, pinned int64) error {
	most := e.SystemSettings.Load().ModelBytes()
	if bytes+pinned <= most {
		return nil
	}
	besides := ""
	if pinned > 0 {
		besides = fmt.Sprintf(" beside %s of pinned models", megabytes(pinned))
	}
	return &ast.Error{Code: codeMemory, Msg: fmt.Sprintf("the model takes %s%s, more than model_memory, %s", megabytes(bytes), besides, megabytes(most)),
		Hint: fmt.Sprintf("ALTER SYSTEM SET model_memory = %d, or SHOW LOADED_MODELS and unpin some", (bytes+pinned)>>20+1)}
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/(1<<20)) }

// trim unloads what was used least recently until the set fits; kept stays, and may be nil.
func (e *Database) trim(kept *modelSlot) {
	set, most := &e.Models, e.SystemSettings.Load().ModelBytes()
	for set.Bytes > most {
		var oldest *modelSlot
		for _, s := range set.M {
			if s == kept || s.Bytes == 0 || kept != nil && s.key == kept.key.plain() || e.pinned(s.key) {
				continue
			}
			if oldest == nil || s.used.Before(oldest.used) {
				oldest = s
			}
		}
		if oldest == nil {
			return
		}
		set.remove(oldest)
	}
}

func (set *modelSet) remove(s *modelSlot) {
	delete(set.M, s.key)
	set.Bytes -= s.Bytes
}

// forget drops versions of a model from memory.
func (e *Database) forget(name string) {
	set := &e.Models
	set.Mu.Lock()
	defer set.Mu.Unlock()
	for _, s := range set.M {
		if s.key.name == name {
			set.remove(s)
		}
	}
	for k := range set.schemas {
		if k.name == name {
			delete(set.schemas, k)
		}
	}
}

// schema describes a model version to the planner; its weights are read at the first time only.
func (r *Execution) schema(name string, version int) (*plan.ModelUse, error) {
	set := &r.Models
	set.Mu.Lock()
	u := set.schemas[modelKey{name: name, version: version}]
	set.Mu.Unlock()
	if u != nil {
		c := *u
		return &c, nil
	}
	l, err := r.fetch(name, version)
	if err != nil {
		return nil, err
	}
	return l.use(), nil
}

// fetch returns a model version for this statement.
func (r *Execution) fetch(name string, version int) (*loaded, error) {
	return r.Database.fetch(r.context(), name, version)
}

// weightsFactor is what a byte of stored weights takes in memory, for kinds that tell nothing themselves.
const weightsFactor = 3

// modelBytes is what a model takes in memory.
func modelBytes(l *loaded) int64 {
	if m, ok := l.model.(kind.Sized); ok {
		return max(1, m.Bytes())
	}
	return max(1, weightsFactor*l.meta.WeightsBytes)
}

// LoadedRows are the rows of system.loaded_models.
func LoadedRows(r *Execution) ([][]value.Value, error) {
	set := &r.Models
	set.Mu.Lock()
	defer set.Mu.Unlock()
	byVersion := map[modelKey]*modelSlot{} // those under other options count for their version
	for _, s := range set.M {
		switch sum := byVersion[s.key.plain()]; {
		case s.Bytes == 0:
		case sum == nil:
			byVersion[s.key.plain()] = &modelSlot{key: s.key.plain(), Bytes: s.Bytes, used: s.used, uses: s.uses}
		default:
			sum.Bytes += s.Bytes
			sum.uses = max(sum.uses, s.uses)
			if s.used.After(sum.used) {
				sum.used = s.used
			}
		}
	}
	list := slices.SortedFunc(maps.Values(byVersion), func(a, b *modelSlot) int { return compareKeys(a.key, b.key) })
	var out [][]value.Value
	for _, s := range list {
		out = append(out, []value.Value{value.Str(s.key.name), Integer(int64(s.key.version)), Integer(s.Bytes), value.Bool(r.pinned(s.key)), Time(s.used.UTC()), Integer(s.uses)})
	}
	return out, nil
}
