package pgcatalog

import (
	"slices"

	"parlance/query/fn/textfn"
	"parlance/storage/value"
)

func str(s string) value.Value               { return value.Str(s) }
func num(n int64) value.Value                { return value.Int(n) }
func yes(b bool) value.Value                 { return value.Bool(b) }
func null() value.Value                      { return value.Value{} }
func oidRow(vs ...value.Value) []value.Value { return vs }

// each makes the rows of a table from a list, one row for each element.
func each[T any](list func(r *Reader) []T,
	row func(r *Reader, x T) []value.Value) func(r *Reader) ([][]value.Value, error) {
	return func(r *Reader) ([][]value.Value, error) {
		things := list(r)
		out := make([][]value.Value, 0, len(things))
		for _, x := range things {
			out = append(out, row(r, x))
		}
		return out, nil
	}
}

// catalogTables are the tables of pg_catalog that have rows, with their OIDs in PostgreSQL.
func catalogTables() []catalogTable {
	return slices.Concat(relationTables(), ownTables(), catalogViews())
}

// ownTables are the tables of pg_catalog whose rows are made at once.
func ownTables() []catalogTable {
	def := func(oid int64, name, doc, spec string, rows func(r *Reader) ([][]value.Value, error)) catalogTable {
		return catalogTable{tableDef: tableDef{"pg_catalog", name, doc, hiddenColumns(spec), rows}, oid: oid}
	}
	return []catalogTable{
		def(2615, "pg_namespace", "schemas", "oid:int nspname nspowner:int nspacl:json", each(
			func(r *Reader) []schemaEntry { return r.snapshot().schemas },
			func(_ *Reader, s schemaEntry) []value.Value {
				return oidRow(num(s.oid), str(s.name), num(oidOwner), null())
			})),
		def(1247, "pg_type", "types", "oid:int typname typnamespace:int typowner:int typlen:int typbyval:bool typtype "+
			"typcategory typispreferred:bool typisdefined:bool typdelim typrelid:int typsubscript:int typelem:int "+
			"typarray:int typinput:int typoutput:int typreceive:int typsend:int typmodin:int typmodout:int typanalyze:int "+
			"typalign typstorage typnotnull:bool typbasetype:int typtypmod:int typndims:int typcollation:int typdefaultbin "+
			"typdefault typacl:json",
			each(func(*Reader) []typeEntry { return catalogTypes }, typeRow)),
		def(1262, "pg_database", "the database", "oid:int datname datdba:int encoding:int datlocprovider "+
			"datistemplate:bool datallowconn:bool datconnlimit:int datfrozenxid:int datminmxid:int dattablespace:int "+
			"datcollate datctype daticulocale datcollversion datacl:json",
			func(r *Reader) ([][]value.Value, error) {
				return [][]value.Value{{num(OIDDatabase), str(r.DatabaseName()), num(oidOwner), num(textfn.UTF8), str("c"),
					yes(false), yes(true), num(-1), num(1), num(1), num(oidTablespace),
					str("C"), str("C"), null(), null(), null()}}, nil
			}),
		def(1213, "pg_tablespace", "the file", "oid:int spcname spcowner:int spcacl:json spcoptions:json",
			func(*Reader) ([][]value.Value, error) {
				return [][]value.Value{{num(oidTablespace), str("pg_default"), num(oidOwner), null(), null()}}, nil
			}),
		def(2601, "pg_am", "kinds of index", "oid:int amname amhandler:int amtype", func(*Reader) ([][]value.Value, error) {
			return [][]value.Value{{num(oidBtree), str("btree"), num(0), str("i")},
				{num(oidFulltext), str("fulltext"), num(0), str("i")}}, nil
		}),
		def(3456, "pg_collation", "collations", "oid:int collname collnamespace:int collowner:int collprovider "+
			"collisdeterministic:bool collencoding:int collcollate collctype colliculocale collversion",
			func(*Reader) ([][]value.Value, error) {
				var out [][]value.Value
				for i, name := range []string{"default", "C", "POSIX", "ucs_basic"} {
					oid := []int64{100, 950, 951, 952}[i]
					out = append(out, oidRow(num(oid), str(name), num(oidPgCatalog), num(oidOwner), str("c"), yes(true), num(-1),
						str("C"), str("C"), null(), null()))
				}
				return out, nil
			}),
		def(2612, "pg_language", "languages of functions", "oid:int lanname lanowner:int lanispl:bool lanpltrusted:bool "+
			"lanplcallfoid:int laninline:int lanvalidator:int lanacl:json", func(*Reader) ([][]value.Value, error) {
			return [][]value.Value{{num(12), str("internal"), num(oidOwner), yes(false), yes(false), num(0), num(0),
				num(0), null()}}, nil
		}),
		def(1255, "pg_proc", "functions and aggregates", procColumns,
			each(func(r *Reader) []procEntry { return r.procs() }, procRow)),
		def(2609, "pg_description", "what tables and columns are", "objoid:int classoid:int objsubid:int description",
			descriptionRows),
		def(1260, "pg_authid", "users", "oid:int "+roleColumns,
			each((*Reader).roles, func(_ *Reader, u roleEntry) []value.Value {
				return append(oidRow(num(u.oid), str(u.name)), roleFlags(u)...)
			})),
	}
}

// catalogViews are the views of pg_catalog.
func catalogViews() []catalogTable {
	view := func(name, doc, spec string, rows func(r *Reader) ([][]value.Value, error)) catalogTable {
		return catalogTable{tableDef: tableDef{"pg_catalog", name, doc, hiddenColumns(spec), rows}, view: true}
	}
	return []catalogTable{
		view("pg_roles", "users", "rolname rolsuper:bool rolinherit:bool rolcreaterole:bool rolcreatedb:bool "+
			"rolcanlogin:bool rolreplication:bool rolconnlimit:int rolpassword rolvaliduntil:time rolbypassrls:bool "+
			"rolconfig:json oid:int", each((*Reader).roles, func(_ *Reader, u roleEntry) []value.Value {
			return oidRow(str(u.name), yes(u.super), yes(true), yes(u.super), yes(false), yes(true), yes(false), num(-1),
				str("********"), null(), yes(u.super), null(), num(u.oid))
		})),
		view("pg_user", "users", "usename usesysid:int usecreatedb:bool usesuper:bool userepl:bool usebypassrls:bool "+
			"passwd valuntil:time useconfig:json", each((*Reader).roles, func(_ *Reader, u roleEntry) []value.Value {
			return oidRow(str(u.name), num(u.oid), yes(false), yes(u.super), yes(false), yes(u.super), str("********"),
				null(), null())
		})),
		view("pg_settings", "settings", "name setting unit category short_desc extra_desc context vartype source min_val "+
			"max_val enumvals:json boot_val reset_val sourcefile sourceline:int pending_restart:bool", pgSettingRows),
		view("pg_timezone_names", "zones that TimeZone takes as well as those of the operating system",
			"name abbrev utc_offset is_dst:bool", func(*Reader) ([][]value.Value, error) {
				return [][]value.Value{{str("UTC"), str("UTC"), str("00:00:00"), yes(false)}}, nil
			}),
		view("pg_cursors", "cursors of the session", "name statement is_holdable:bool is_binary:bool is_scrollable:bool "+
			"creation_time:time", hostRows("pg_catalog", "pg_cursors")),
		view("pg_stat_activity", "sessions of clients: state is active, idle, idle in transaction, or that (aborted)",
			"datid:int datname pid:int leader_pid:int usesysid:int usename application_name client_addr client_hostname "+
				"client_port:int backend_start:time xact_start:time query_start:time state_change:time wait_event_type "+
				"wait_event state backend_xid:int backend_xmin:int query_id:int query backend_type", hostRows("pg_catalog",
				"pg_stat_activity")),
		view("pg_stat_bgwriter", "what a background writer wrote: nothing, there is none", writerStatistics, writerRow),
		view("pg_tables", "tables", "schemaname tablename tableowner tablespace hasindexes:bool hasrules:bool "+
			"hastriggers:bool rowsecurity:bool", pgTablesRows),
		view("pg_indexes", "indexes", "schemaname tablename indexname tablespace indexdef", pgIndexesRows),
	}
}

func typeRow(_ *Reader, t typeEntry) []value.Value {
	collation := int64(0)
	if t.category == "S" || t.element != 0 && typesByOID[t.element].category == "S" {
		collation = 100
	}
	in, out, receive, send := typeProcs(&t)
	align := map[bool]string{true: "d", false: "i"}[t.length == 8]
	return oidRow(num(t.oid), str(t.name), num(oidPgCatalog), num(oidOwner), num(t.length),
		yes(t.length > 0 && t.length <= 8), str(t.kind), str(t.category),
		yes(t.name == "text" || t.name == "bool" || t.name == "float8" || t.name == "oid" || t.name == "timestamptz"),
		yes(true), str(","), num(0), num(0), num(t.element), num(t.array), num(in), num(out), num(receive), num(send), num(0),
		num(0), num(0), str(align), str(map[bool]string{true: "p", false: "x"}[t.length > 0]),
		yes(false), num(0), num(-1), num(0), num(collation), null(), null(), null())
}

const roleColumns = "rolname rolsuper:bool rolinherit:bool rolcreaterole:bool rolcreatedb:bool rolcanlogin:bool " +
	"rolreplication:bool rolbypassrls:bool rolconnlimit:int rolpassword rolvaliduntil:time"

func roleFlags(u roleEntry) []value.Value {
	return oidRow(yes(u.super), yes(true), yes(u.super), yes(false), yes(true), yes(false), yes(u.super), num(-1),
		null(), null())
}

func descriptionRows(r *Reader) ([][]value.Value, error) {
	class := num(1259)
	var out [][]value.Value
	for _, rel := range r.snapshot().relations {
		if rel.doc != "" {
			out = append(out, oidRow(num(rel.oid), class, num(0), str(rel.doc)))
		}
		for i, c := range rel.columns {
			if doc := rel.columnDoc(c.Name); doc != "" {
				out = append(out, oidRow(num(rel.oid), class, num(int64(i+1)), str(doc)))
			}
		}
	}
	for _, s := range r.snapshot().schemas {
		out = append(out, oidRow(num(s.oid), num(2615), num(0), str(s.doc)))
	}
	return out, nil
}

func (rel *relationEntry) columnDoc(column string) string {
	if rel.docs == nil {
		return ""
	}
	return rel.docs(column)
}

func pgTablesRows(r *Reader) ([][]value.Value, error) {
	snap := r.snapshot()
	var out [][]value.Value
	for _, rel := range snap.relations {
		if rel.kind == "r" {
			out = append(out, oidRow(str(snap.schemaOf[rel.schema]), str(rel.name), str(Owner), null(),
				yes(len(rel.indexes) > 0), yes(false), yes(false), yes(false)))
		}
	}
	return out, nil
}

func pgIndexesRows(r *Reader) ([][]value.Value, error) {
	snap := r.snapshot()
	var out [][]value.Value
	for _, rel := range snap.relations {
		if rel.index != nil {
			out = append(out, oidRow(str(snap.schemaOf[rel.schema]), str(rel.index.table.name), str(rel.name), null(),
				str(snap.indexDefinition(rel))))
		}
	}
	return out, nil
}

func pgSettingRows(r *Reader) ([][]value.Value, error) {
	var out [][]value.Value
	for _, s := range r.SettingRows() {
		context := "user"
		if s[3] != "session" {
			context = "sighup"
		}
		out = append(out, oidRow(str(s[0]), str(s[1]), null(), str("Parlance"), str(s[4]), null(), str(context),
			str("string"), str("default"), null(), null(), null(), str(s[2]), str(s[2]), null(), null(), yes(false)))
	}
	return out, nil
}
