package pgcatalog

import (
	"strconv"
	"strings"

	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage/value"
)

const classColumns = "oid:int relname relnamespace:int reltype:int reloftype:int relowner:int relam:int " +
	"relfilenode:int reltablespace:int relpages:int reltuples:float relallvisible:int reltoastrelid:int " +
	"relhasindex:bool relisshared:bool relpersistence relkind relnatts:int relchecks:int relhasrules:bool " +
	"relhastriggers:bool relhassubclass:bool relrowsecurity:bool relforcerowsecurity:bool relispopulated:bool " +
	"relreplident relispartition:bool relrewrite:int relfrozenxid:int relminmxid:int relacl:json reloptions:json " +
	"relpartbound"

const attributeColumns = "attrelid:int attname atttypid:int attstattarget:int attlen:int attnum:int attndims:int " +
	"attcacheoff:int atttypmod:int attbyval:bool attalign attstorage attcompression attnotnull:bool atthasdef:bool " +
	"atthasmissing:bool attidentity attgenerated attisdropped:bool attislocal:bool attinhcount:int attcollation:int " +
	"attacl:json attoptions:json attfdwoptions:json attmissingval:json"

const indexColumns = "indexrelid:int indrelid:int indnatts:int indnkeyatts:int indisunique:bool " +
	"indnullsnotdistinct:bool indisprimary:bool indisexclusion:bool indimmediate:bool indisclustered:bool " +
	"indisvalid:bool indcheckxmin:bool indisready:bool indislive:bool indisreplident:bool indkey indcollation indclass " +
	"indoption indexprs indpred"

// relationTables are the tables with rows for each relation.
func relationTables() []catalogTable {
	def := func(oid int64, name, doc, spec, by string,
		rows func(r *Reader, rel *relationEntry, b *rowBatch)) catalogTable {
		return catalogTable{tableDef: tableDef{schema: "pg_catalog", name: name, doc: doc, columns: hiddenColumns(spec)},
			oid: oid, each: rows, by: by}
	}
	out := []catalogTable{
		def(1259, "pg_class", "tables and indexes", classColumns, "oid", classRows),
		def(1249, "pg_attribute", "columns of tables and indexes", attributeColumns, "attrelid", attributeRows),
		def(2610, "pg_index", "indexes", indexColumns, "indexrelid", indexTableRows),
		def(2606, "pg_constraint", "keys of documents, and columns that hold them", constraintColumns, "conrelid",
			constraintRows),
	}
	for _, v := range statisticsViews {
		view := def(0, v.name, v.doc, v.columns, v.by, v.rows)
		view.view = true
		out = append(out, view)
	}
	return out
}

// classRows are the rows of pg_class. relhastriggers is true for tables with constraints, as in PostgreSQL, where
// triggers enforce foreign keys: psql asks for foreign keys only then.
func classRows(_ *Reader, rel *relationEntry, b *rowBatch) {
	identity := "d"
	if rel.schema == oidPgCatalog {
		identity = "n"
	}
	persistence := "p"
	if rel.temporary {
		persistence = "t"
	}
	am := int64(0)
	if rel.index != nil {
		if am = oidBtree; rel.index.fulltext != "" {
			am = oidFulltext
		}
	}
	b.add(num(rel.oid), str(rel.name), num(rel.schema), num(0), num(0), num(oidOwner), num(am), num(0), num(0), num(0),
		value.Real(float64(rel.rows)), num(0), num(0),
		yes(len(rel.indexes) > 0), yes(false), str(persistence), str(rel.kind), num(int64(len(rel.columns))), num(0),
		yes(false), yes(len(rel.constraints) > 0), yes(false), yes(false), yes(false), yes(true), str(identity),
		yes(false), num(0), num(0), num(0), null(), null(), null())
}

func attributeRows(_ *Reader, rel *relationEntry, b *rowBatch) {
	for i, c := range rel.columns {
		if c.Hidden {
			continue
		}
		t := typesByOID[typeOIDs[c.Type]]
		collation, dims := int64(0), int64(0)
		if c.Type == value.Text {
			collation = 100
		}
		if t.element != 0 {
			dims = 1
		}
		b.add(num(rel.oid), str(c.Name), num(t.oid), num(-1), num(t.length), num(int64(i+1)), num(dims), num(-1), num(-1),
			yes(t.length > 0), str("i"), str("p"), str(""),
			yes(rel.neverNull(c.Name)), yes(false), yes(false), str(""), str(""), yes(false), yes(true), num(0), num(collation),
			null(), null(), null(), null())
	}
}

func indexTableRows(_ *Reader, rel *relationEntry, b *rowBatch) {
	x := rel.index
	if x == nil {
		return
	}
	n := len(x.columns)
	b.add(num(rel.oid), num(x.table.oid), num(int64(n)), num(int64(n)), yes(x.primary), yes(false), yes(x.primary),
		yes(false), yes(true), yes(false), yes(true), yes(false), yes(true), yes(true), yes(false),
		str(x.keys()), str(zeros(n)), str(zeros(n)), str(zeros(n)), null(), null())
}

// keys are the numbers of the indexed columns in their table, separated by spaces.
func (x *indexEntry) keys() string {
	var parts []string
	for _, name := range x.columns {
		parts = append(parts, strconv.Itoa(columnIndex(x.table.columns, name)+1))
	}
	return strings.Join(parts, " ")
}

func columnIndex(columns []plan.Column, name string) int {
	for i, c := range columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

func zeros(n int) string { return strings.TrimSuffix(strings.Repeat("0 ", n), " ") }

// indexDefinition is a CREATE INDEX statement; psql shows the part after USING.
func (snap *snapshot) indexDefinition(rel *relationEntry) string {
	x := rel.index
	table := ast.QuoteName(snap.schemaOf[x.table.schema]) + "." + ast.QuoteName(x.table.name)
	method, kind := "btree", ""
	if x.fulltext != "" {
		method, kind = "fulltext", "FULLTEXT "
	}
	if x.primary {
		kind = "UNIQUE "
	}
	return "CREATE " + kind + "INDEX " + ast.QuoteName(rel.name) + " ON " + table + " USING " + method + " (" +
		nameList(x.columns) + ")"
}

// nameList joins names by commas.
func nameList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = ast.QuoteName(name)
	}
	return strings.Join(quoted, ", ")
}
