package models

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"parlance/algo/foreign"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/document"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/registry"
	"parlance/storage/value"
)

// codeMemory is the code of models that do not fit into model_memory.
const codeMemory = "53200"

// Set is the models and resources of a database in memory. It keeps models within model_memory; a model that it unloads
// stays valid for the statements that have it. It is safe for concurrent use.
type Set struct {
	Store   *storage.Store
	Kinds   []kind.Kind
	Texts   *document.Maker // cuts the queries of searches into tokens
	Program string          // version of the program
	Limit   func() int64    // model_memory in bytes

	Foreign []foreign.Format // model files of other programs

	mu      sync.Mutex
	slots   map[Key]*slot
	schemas map[Key]*plan.ModelUse // of all that were loaded or recorded: binding needs no weights
	bytes   int64
	loads   sync.WaitGroup // under way
	pinning sync.Mutex     // held by the statement that pins a model

	layers   sync.Map // *text.LayerDef by name, of layers that models declare
	compiled compiledResources
}

// Init makes the empty set of a store.
func (set *Set) Init(
	store *storage.Store, kinds []kind.Kind, program string, texts *document.Maker, limit func() int64,
) {
	set.Store, set.Kinds, set.Program, set.Texts, set.Limit = store, kinds, program, texts, limit
	set.slots, set.schemas = map[Key]*slot{}, map[Key]*plan.ModelUse{}
}

// Wait waits for the loads that are under way.
func (set *Set) Wait() { set.loads.Wait() }

// Loaded counts the models in memory and their bytes.
func (set *Set) Loaded() (count int, bytes int64) {
	set.mu.Lock()
	defer set.mu.Unlock()
	for _, s := range set.slots {
		if s.bytes > 0 { // others are being loaded
			count++
		}
	}
	return count, set.bytes
}

// Key is a version, or a version that was decoded under other predict options.
type Key struct {
	Name    string
	Version int
	options string // "" as it was trained
}

// plain is the version as it was trained.
func (k Key) plain() Key { return Key{Name: k.Name, Version: k.Version} }

func (k Key) String() string { return fmt.Sprintf("%s@%d", k.Name, k.Version) }

// slot is a model in the set, or one that is being loaded.
type slot struct {
	key   Key
	ready chan struct{} // closed when model or err is set
	model *Loaded
	err   error
	bytes int64 // 0 until it is ready
	used  time.Time
	uses  int64
}

// schema describes a version to the planner, nil if it was never loaded.
func (set *Set) schema(key Key) *plan.ModelUse {
	set.mu.Lock()
	defer set.mu.Unlock()
	u := set.schemas[key]
	if u == nil {
		return nil
	}
	c := *u
	return &c
}

// recorded describes a version to the planner by the schema that was recorded with it, nil if another version of the
// program or of the kind recorded it.
func (set *Set) recorded(key Key) *plan.ModelUse {
	meta, ok := set.Store.ModelVersion(key.Name, key.Version)
	k := set.Kind(meta.Kind)
	if !ok || k == nil || meta.Program != set.Program || meta.Revision != k.Revision ||
		meta.Encoding != kind.Encoding {
		return nil
	}
	u := &plan.ModelUse{Name: key.Name, Version: key.Version, Kind: meta.Kind}
	if json.Unmarshal(meta.Schema, &u.Schema) != nil {
		return nil
	}
	set.DeclareLayers(u.Schema)
	set.mu.Lock()
	defer set.mu.Unlock()
	if known := set.schemas[key]; known != nil { // it was loaded meanwhile
		u = known
	} else {
		set.schemas[key] = u
	}
	c := *u
	return &c
}

// fetch returns a model version, loaded on first use; args are the options of the key. Statements that want the same
// version wait for one load, while other versions are loaded at the same time.
func (set *Set) fetch(ctx context.Context, key Key, args []option.Arg) (*Loaded, error) {
	set.mu.Lock()
	s, ok := set.slots[key]
	if !ok {
		meta, found := set.Store.ModelVersion(key.Name, key.Version)
		if !found {
			set.mu.Unlock()
			return nil, fault.New(plan.CodeUndefinedObject, "there is no model %s", key)
		}
		s = &slot{key: key, ready: make(chan struct{})}
		set.slots[key] = s
		set.loads.Add(1)
		go set.fill(s, meta, args)
	}
	s.used = time.Now()
	s.uses++
	set.mu.Unlock()
	select {
	case <-s.ready:
		return s.model, s.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// fill loads the model of a slot and makes room for it.
func (set *Set) fill(s *slot, meta registry.Version, args []option.Arg) {
	defer set.loads.Done()
	defer close(s.ready)
	l, err := set.load(meta, args)
	set.mu.Lock()
	defer set.mu.Unlock()
	present := set.slots[s.key] == s // it may have been dropped in between
	if err == nil && present {
		err = set.admit(s.key, l.bytes)
		if err != nil && s.key.options != "" { // it serves the statements that wait for it, but does not stay
			delete(set.slots, s.key)
			present, err = false, nil
		}
	}
	if err != nil {
		if s.err = err; (s.key.options == "" || errors.Is(err, kind.ErrCorrupt)) && !kind.IsEncoding(err) {
			s.err = fmt.Errorf("load model %s: %w", s.key, err)
		}
		if present {
			delete(set.slots, s.key)
		}
		return
	}
	s.model = l
	if !present {
		return
	}
	s.bytes = l.bytes
	set.bytes += s.bytes
	if s.key.options == "" {
		set.schemas[s.key] = l.Use()
	} else {
		set.thin(s)
	}
	set.trim(s)
}

// maxDecodings bounds how many decodings of a version under other options stay in memory.
const maxDecodings = 4

// thin unloads the decodings of a version under other options that were used least recently; kept stays.
func (set *Set) thin(kept *slot) {
	var list []*slot
	for _, s := range set.slots {
		if s != kept && s.bytes > 0 && s.key.options != "" && s.key.plain() == kept.key.plain() {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *slot) int { return a.used.Compare(b.used) })
	for ; len(list) >= maxDecodings; list = list[1:] {
		set.remove(list[0])
	}
}

// admit reports an error for a model that does not fit beside the pinned ones, and for one under other options
// beside the version itself.
func (set *Set) admit(key Key, bytes int64) error {
	pinned := int64(0)
	for _, s := range set.slots {
		if s.key != key && (s.key == key.plain() || set.pinned(s.key)) {
			pinned += s.bytes
		}
	}
	return set.tooLarge(bytes, pinned)
}

func (set *Set) tooLarge(bytes, pinned int64) error {
	most := set.Limit()
	if bytes+pinned <= most {
		return nil
	}
	besides := ""
	if pinned > 0 {
		besides = fmt.Sprintf(" beside %s of pinned models", megabytes(pinned))
	}
	hint := fmt.Sprintf("ALTER SYSTEM SET model_memory = %d, or SHOW LOADED_MODELS and unpin some",
		(bytes+pinned)>>20+1)
	return plan.Errorf(ast.Pos{}, codeMemory, hint, "the model takes %s%s, more than model_memory, %s",
		megabytes(bytes), besides, megabytes(most))
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/(1<<20)) }

// trim unloads the models that were used least recently until the set fits; kept stays, and may be nil.
func (set *Set) trim(kept *slot) {
	most := set.Limit()
	for set.bytes > most {
		var oldest *slot
		for _, s := range set.slots {
			if s == kept || s.bytes == 0 || kept != nil && s.key == kept.key.plain() || set.pinned(s.key) {
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

func (set *Set) remove(s *slot) {
	delete(set.slots, s.key)
	set.bytes -= s.bytes
}

// Forget drops versions of a model from memory.
func (set *Set) Forget(name string) {
	set.mu.Lock()
	defer set.mu.Unlock()
	for _, s := range set.slots {
		if s.key.Name == name {
			set.remove(s)
		}
	}
	for k := range set.schemas {
		if k.Name == name {
			delete(set.schemas, k)
		}
	}
}

// Rows are the rows of system.loaded_models: model, version, bytes, pinned, last_used, uses. Decodings under other
// options count for their version.
func (set *Set) Rows() [][]value.Value {
	set.mu.Lock()
	defer set.mu.Unlock()
	byVersion := map[Key]*slot{}
	for _, s := range set.slots {
		switch sum := byVersion[s.key.plain()]; {
		case s.bytes == 0:
		case sum == nil:
			byVersion[s.key.plain()] = &slot{key: s.key.plain(), bytes: s.bytes, used: s.used, uses: s.uses}
		default:
			sum.bytes += s.bytes
			sum.uses = max(sum.uses, s.uses)
			if s.used.After(sum.used) {
				sum.used = s.used
			}
		}
	}
	list := slices.SortedFunc(maps.Values(byVersion), func(a, b *slot) int {
		return cmp.Or(cmp.Compare(a.key.Name, b.key.Name), cmp.Compare(a.key.Version, b.key.Version))
	})
	var out [][]value.Value
	for _, s := range list {
		out = append(out, []value.Value{value.Str(s.key.Name), value.Int(int64(s.key.Version)), value.Int(s.bytes),
			value.Bool(set.pinned(s.key)), value.Time(s.used.UTC()), value.Int(s.uses)})
	}
	return out
}
