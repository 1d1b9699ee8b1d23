package pgcatalog

import (
	"encoding/json"
	"hash/fnv"
	"slices"
	"sort"
	"strings"
	"sync"

	"parlance/algo/kind"
	"parlance/query/exec"
	"parlance/query/plan"
	"parlance/query/relation"
	"parlance/storage/catalog"
	"parlance/storage/documents"
)

// OIDs of what every database has. Those of objects are computed from their identifiers in the file, so that they are
// the same from run to run.
const (
	oidPublic      = 2200
	oidPgCatalog   = 11
	oidInformation = 13000
	oidSystem      = 13001
	oidOwner       = 10
	OIDDatabase    = 5
	oidTablespace  = 1663
	oidBtree       = 403
	oidFulltext    = 13010
	oidFirstUser   = 16384 // of the first object
	oidsOfObject   = 4096
)

// relationEntry is a table or an index as pg_class lists it.
type relationEntry struct {
	oid, schema int64
	name, doc   string
	kind        string // r table, v view, i index
	rows        int64  // -1 if not counted
	columns     []plan.Column
	docs        func(column string) string // nil for none
	indexes     []*relationEntry
	constraints []*constraintEntry
	index       *indexEntry // of an index
	bytes       int64
	writable    bool
	system      bool // a table of the catalog
	temporary   bool
}

// indexEntry is an index as pg_index lists it.
type indexEntry struct {
	table    *relationEntry
	columns  []string
	fulltext string // option case of a full-text index; "" for other indexes
	primary  bool   // of the primary key
}

type schemaEntry struct {
	oid       int64
	name, doc string
}

// snapshot is the catalog of one state of the database as schemas and relations. It is immutable.
type snapshot struct {
	schemas     []schemaEntry
	relations   []*relationEntry
	constraints map[int64]*constraintEntry // by number
	byOID       map[int64]*relationEntry
	byName      map[qualifiedName]*relationEntry
	schemaOID   map[string]int64
	schemaOf    map[int64]string
}

type qualifiedName struct{ schema, name string }

// snapshotCache holds the snapshot of the state that was read last.
type snapshotCache struct {
	mu               sync.Mutex
	catalog, corpora uint64
	session          uint64 // whose temporary objects it shows
	snapshot         *snapshot
	relations        map[modelVersion][]kind.Relation // of versions of models, which are immutable
}

type modelVersion struct {
	object  uint32
	version int
}

// snapshot returns the snapshot of the state that the statement reads.
func (r *Reader) snapshot() *snapshot {
	r.Snapshot.ReadAll()
	c := &r.catalog.snapshots
	catalog, corpora, session := r.Snapshot.CatalogVersion(), r.Snapshot.Version(), r.Snapshot.Session()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.snapshot == nil || c.catalog != catalog || c.corpora != corpora || c.session != session {
		c.snapshot, c.catalog, c.corpora, c.session = r.newSnapshot(), catalog, corpora, session
	}
	return c.snapshot
}

func (r *Reader) newSnapshot() *snapshot {
	snap := &snapshot{constraints: map[int64]*constraintEntry{}, byOID: map[int64]*relationEntry{},
		byName: map[qualifiedName]*relationEntry{}, schemaOID: map[string]int64{}, schemaOf: map[int64]string{}}
	snap.schema(oidPgCatalog, "pg_catalog", "catalog as PostgreSQL has it")
	snap.schema(oidPublic, "public", "corpora, gazetteers and lexicons")
	snap.schema(oidInformation, "information_schema", "catalog of standard SQL")
	snap.schema(oidSystem, "system", "catalog of this database")
	for _, t := range r.catalog.list {
		kind := "r"
		if t.view {
			kind = "v"
		}
		snap.add(&relationEntry{oid: t.oid, schema: snap.schemaOID[t.schema], name: t.name, doc: t.doc, kind: kind, rows: -1,
			columns: t.columns, system: true})
	}
	objects := r.Snapshot.Objects("")
	sort.Slice(objects, func(i, j int) bool { return objects[i].ID < objects[j].ID })
	for _, o := range objects {
		b := &snapshotBuilder{snap: snap, o: o, base: oidFirstUser + int64(o.ID-1)*oidsOfObject,
			taken: map[int64]bool{0: true}}
		switch o.Kind {
		case catalog.CorpusObject:
			b.corpus(r)
		case catalog.ModelObject:
			b.model(r)
		case catalog.KBObject:
			b.kb(r)
		case catalog.GazetteerObject, catalog.LexiconObject:
			t := b.table(oidPublic, o.Name, string(o.Kind), tableColumns(o.Columns))
			t.rows, t.writable = int64(r.Snapshot.TableCount(o)), true
			for _, columns := range o.Indexes {
				b.index(t, columns, "", 0)
			}
		}
	}
	return snap
}

func (snap *snapshot) schema(oid int64, name, doc string) {
	snap.schemas = append(snap.schemas, schemaEntry{oid, name, doc})
	snap.schemaOID[name], snap.schemaOf[oid] = oid, name
}

func (snap *snapshot) add(rel *relationEntry) {
	snap.relations = append(snap.relations, rel)
	snap.byOID[rel.oid] = rel
	name := qualifiedName{snap.schemaOf[rel.schema], rel.name}
	if snap.byName[name] == nil {
		snap.byName[name] = rel
	}
}

// snapshotBuilder adds the tables of one object. Their OIDs are computed from their names, so that they do not change
// when other tables are added or dropped.
type snapshotBuilder struct {
	snap  *snapshot
	o     *catalog.Object
	base  int64
	taken map[int64]bool
}

func (b *snapshotBuilder) oid(name string) int64 {
	h := fnv.New32a()
	h.Write([]byte(name))
	k := int64(h.Sum32()) % oidsOfObject
	for b.taken[k] && len(b.taken) < oidsOfObject {
		k = (k + 1) % oidsOfObject
	}
	b.taken[k] = true
	return b.base + k
}

func (b *snapshotBuilder) table(schema int64, name, doc string, columns []plan.Column) *relationEntry {
	t := &relationEntry{oid: b.oid(name), schema: schema, name: name, doc: doc, kind: "r", rows: -1, columns: columns,
		temporary: b.o.Temporary != 0}
	b.snap.add(t)
	return t
}

func (b *snapshotBuilder) index(t *relationEntry, columns []string, fulltext string, bytes int64) {
	name := t.name + "_" + strings.Join(columns, "_") + "_idx"
	if fulltext != "" {
		name = t.name + "_" + strings.Join(columns, "_") + "_fulltext"
	}
	x := b.indexNamed(name, t, columns)
	x.bytes, x.index.fulltext = bytes, fulltext
}

func (b *snapshotBuilder) indexNamed(name string, t *relationEntry, columns []string) *relationEntry {
	x := &relationEntry{oid: b.oid(name), schema: t.schema, name: name, kind: "i", rows: -1,
		index: &indexEntry{table: t, columns: columns}, temporary: t.temporary}
	for _, c := range columns {
		for _, col := range t.columns {
			if col.Name == c {
				x.columns = append(x.columns, col)
			}
		}
	}
	t.indexes = append(t.indexes, x)
	b.snap.add(x)
	return x
}

func tableColumns(defs []catalog.ColumnDef) []plan.Column {
	out := make([]plan.Column, len(defs))
	for i, c := range defs {
		out[i] = plan.Column{Name: c.Name, Type: c.Type}
	}
	return out
}

// corpus adds the documents of a corpus to the schema public and its layers to a schema of its own.
func (b *snapshotBuilder) corpus(r *Reader) {
	columns := append(exec.Columns("id text"), tableColumns(b.o.Columns)...)
	docs := b.table(oidPublic, b.o.Name, "documents of the corpus "+b.o.Name, columns)
	docs.rows, docs.writable = int64(r.Snapshot.Count(b.o)), true
	b.key(docs, "id")
	for _, ix := range b.o.Indexes {
		b.index(docs, ix, "", 0)
	}
	b.snap.schema(b.base, b.o.Name, "layers of the corpus "+b.o.Name)
	tables := map[string]*relationEntry{"": docs}
	rows := map[[2]string]int64{} // of name and model
	counted, err := r.Snapshot.CountLayers(b.o)
	for _, l := range counted {
		rows[[2]string{l.Name, l.Model}] = l.Rows
	}
	for _, l := range r.Snapshot.LayerDefs(b.o) {
		if tables[l.Name] != nil {
			continue
		}
		t := b.table(b.base, l.Name, l.Def.Doc, layerColumns(l))
		t.writable = l.Model == ""
		if err == nil { // else their number stays unknown; who reads the rows is told
			t.rows = rows[[2]string{l.Name, l.Model}]
		}
		t.docs = func(column string) string {
			if i := l.Def.Index(column); i >= 0 {
				return l.Def.Columns[i].Doc
			}
			return ""
		}
		b.references(t, "doc", docs)
		tables[l.Name] = t
	}
	for _, x := range r.Snapshot.Fulltext(b.o) {
		if t := tables[x.Layer]; t != nil {
			b.index(t, []string{x.Column}, x.Case, x.Bytes)
		}
	}
}

// kb adds the tables of a knowledge base to a schema of its own.
func (b *snapshotBuilder) kb(r *Reader) {
	b.snap.schema(b.base, b.o.Name, "tables of the knowledge base "+b.o.Name)
	for _, o := range b.o.Tables {
		t := b.table(b.base, o.Part, o.Part+" of the knowledge base "+b.o.Name, tableColumns(o.Columns))
		t.rows, t.writable = int64(r.Snapshot.TableCount(o)), true
		for _, columns := range o.Indexes {
			b.index(t, columns, "", 0)
		}
	}
}

func layerColumns(l documents.LayerInfo) []plan.Column {
	out := exec.Columns("doc")
	for _, c := range l.Def.Columns {
		out = append(out, plan.Column{Name: c.Name, Type: c.Type})
	}
	return out
}

// model adds the relations of the newest version of a model that need no arguments.
func (b *snapshotBuilder) model(r *Reader) {
	versions := r.Snapshot.Model(b.o.Name).Versions
	if len(versions) == 0 {
		return
	}
	v := versions[len(versions)-1]
	b.snap.schema(b.base, b.o.Name, "relations of the model "+b.o.Name)
	for _, rel := range r.catalog.snapshots.relationsOf(modelVersion{b.o.ID, v.Version}, v.Schema) {
		cols := make([]plan.Column, len(rel.Columns))
		for i, c := range rel.Columns {
			cols[i] = plan.Column{Name: c.Name, Type: c.Type}
		}
		t := b.table(b.base, rel.Name, rel.Doc, cols)
		t.docs = func(column string) string {
			for _, c := range rel.Columns {
				if c.Name == column {
					return c.Doc
				}
			}
			return ""
		}
	}
}

// relationsOf returns the relations of a version that need no arguments, including those that every model has. The lock
// must be held.
func (c *snapshotCache) relationsOf(m modelVersion, schema json.RawMessage) []kind.Relation {
	out, known := c.relations[m]
	if known {
		return out
	}
	var s kind.Schema
	if json.Unmarshal(schema, &s) != nil {
		s.Relations = nil
	}
	for _, rel := range append(s.Relations, relation.ModelRelations...) {
		if !needsArguments(rel) {
			out = append(out, rel)
		}
	}
	if c.relations == nil {
		c.relations = map[modelVersion][]kind.Relation{}
	}
	c.relations[m] = out
	return out
}

func needsArguments(rel kind.Relation) bool {
	for _, a := range rel.Args {
		if !a.Optional {
			return true
		}
	}
	return false
}

// find returns a table by name: in a schema or, if that is empty, in the search path and pg_catalog.
func (snap *snapshot) find(schema, name string, path []string) *relationEntry {
	if schema != "" {
		return snap.byName[qualifiedName{schema, name}]
	}
	for _, s := range slices.Concat(path, []string{"public", "pg_catalog"}) {
		if rel := snap.byName[qualifiedName{s, name}]; rel != nil {
			return rel
		}
	}
	return nil
}
