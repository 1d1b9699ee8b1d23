package pgcatalog

import (
	"parlance/query/exec"
	"parlance/query/plan"
	"parlance/storage/value"
)

// informationTables are the views of information_schema.
func informationTables() []catalogTable {
	perRelation := func(name, doc, spec string, rows func(r *Reader, rel *relationEntry, b *rowBatch)) catalogTable {
		return catalogTable{tableDef: tableDef{schema: "information_schema", name: name, doc: doc,
			columns: exec.Columns(spec)}, view: true, each: rows}
	}
	def := func(name, doc, spec string, rows func(r *Reader) ([][]value.Value, error)) catalogTable {
		return catalogTable{tableDef: tableDef{"information_schema", name, doc, exec.Columns(spec), rows}, view: true}
	}
	out := []catalogTable{
		def("information_schema_catalog_name", "name of the database", "catalog_name",
			func(r *Reader) ([][]value.Value, error) {
				return [][]value.Value{{str(r.DatabaseName())}}, nil
			}),
		def("schemata", "schemas", "catalog_name schema_name schema_owner default_character_set_catalog "+
			"default_character_set_schema default_character_set_name sql_path", each(
			func(r *Reader) []schemaEntry { return r.snapshot().schemas },
			func(r *Reader, s schemaEntry) []value.Value {
				return oidRow(str(r.DatabaseName()), str(s.name), str(Owner), null(), null(), str("UTF8"), null())
			})),
		perRelation("tables", "tables", "table_catalog table_schema table_name table_type self_referencing_column_name "+
			"reference_generation user_defined_type_catalog user_defined_type_schema user_defined_type_name "+
			"is_insertable_into is_typed commit_action", informationTable),
		perRelation("columns", "columns of tables", "table_catalog table_schema table_name column_name "+
			"ordinal_position:int column_default is_nullable data_type character_maximum_length:int "+
			"character_octet_length:int numeric_precision:int numeric_precision_radix:int numeric_scale:int "+
			"datetime_precision:int interval_type interval_precision:int character_set_catalog character_set_schema "+
			"character_set_name collation_catalog collation_schema collation_name domain_catalog domain_schema domain_name "+
			"udt_catalog udt_schema udt_name scope_catalog scope_schema scope_name maximum_cardinality:int dtd_identifier "+
			"is_self_referencing is_identity identity_generation identity_start identity_increment identity_maximum "+
			"identity_minimum identity_cycle is_generated generation_expression is_updatable", informationColumns),
		perRelation("table_constraints", "keys of documents, and columns that hold them", "constraint_catalog "+
			"constraint_schema constraint_name table_catalog table_schema table_name constraint_type is_deferrable "+
			"initially_deferred enforced nulls_distinct", informationConstraints),
		perRelation("key_column_usage", "columns of constraints", "constraint_catalog constraint_schema constraint_name "+
			"table_catalog table_schema table_name column_name ordinal_position:int position_in_unique_constraint:int",
			informationKeys),
		perRelation("referential_constraints", "columns that hold keys of documents", "constraint_catalog "+
			"constraint_schema constraint_name unique_constraint_catalog unique_constraint_schema unique_constraint_name "+
			"match_option update_rule delete_rule", informationReferences),
		def("constraint_column_usage", "columns of keys, each with the constraints that name it",
			"table_catalog table_schema table_name column_name constraint_catalog constraint_schema constraint_name",
			usedColumns(true)),
		def("constraint_table_usage", "tables with keys, each with the constraints that name it",
			"table_catalog table_schema table_name constraint_catalog constraint_schema constraint_name", usedColumns(false)),
		perRelation("table_privileges", "what the user may do with tables",
			"grantor grantee table_catalog table_schema table_name privilege_type is_grantable with_hierarchy",
			informationPrivileges),
	}
	out = append(out, informationLists(def)...)
	for name, spec := range emptyInformation {
		out = append(out, def(name, "empty", spec, noRows))
	}
	sortTables(out)
	return out
}

// informationLists are the views of functions, encodings and roles; def declares a view.
func informationLists(def func(name, doc, spec string, rows func(r *Reader) ([][]value.Value, error)) catalogTable,
) []catalogTable {
	return []catalogTable{
		def("routines", "functions", "specific_catalog specific_schema specific_name routine_catalog routine_schema "+
			"routine_name routine_type data_type routine_body routine_definition external_language is_deterministic", each(
			func(r *Reader) []procEntry { return r.procs() },
			func(r *Reader, f procEntry) []value.Value {
				d := str(r.DatabaseName())
				return oidRow(d, str("pg_catalog"), str(f.name+"_"+num(f.oid).String()), d, str("pg_catalog"), str(f.name),
					str("FUNCTION"), str(formatType(f.result)), str("EXTERNAL"), null(), str("INTERNAL"),
					str(yesNo(f.volatile == "i")))
			})),
		def("character_sets", "character encodings", "character_set_catalog character_set_schema character_set_name "+
			"character_repertoire form_of_use default_collate_catalog default_collate_schema default_collate_name",
			func(r *Reader) ([][]value.Value, error) {
				return [][]value.Value{{null(), null(), str("UTF8"), str("UCS"), str("UTF8"), str(r.DatabaseName()),
					str("pg_catalog"), str("default")}}, nil
			}),
		def("enabled_roles", "roles of the user", "role_name", func(r *Reader) ([][]value.Value, error) {
			return [][]value.Value{{str(r.UserName())}}, nil
		}),
		def("applicable_roles", "roles of the user", "grantee role_name is_grantable", noRows),
	}
}

var emptyInformation = map[string]string{
	"views": "table_catalog table_schema table_name view_definition check_option is_updatable " +
		"is_insertable_into is_trigger_updatable is_trigger_deletable is_trigger_insertable_into",
	"check_constraints": "constraint_catalog constraint_schema constraint_name check_clause",
	"parameters": "specific_catalog specific_schema specific_name ordinal_position:int parameter_mode is_result " +
		"as_locator parameter_name data_type parameter_default",
	"sequences": "sequence_catalog sequence_schema sequence_name data_type numeric_precision:int " +
		"numeric_precision_radix:int numeric_scale:int start_value minimum_value maximum_value increment cycle_option",
	"triggers": "trigger_catalog trigger_schema trigger_name event_manipulation event_object_catalog " +
		"event_object_schema event_object_table action_order:int action_condition action_statement action_orientation " +
		"action_timing",
	"domains":           "domain_catalog domain_schema domain_name data_type domain_default",
	"column_privileges": "grantor grantee table_catalog table_schema table_name column_name privilege_type is_grantable",
	"role_table_grants": "grantor grantee table_catalog table_schema table_name privilege_type is_grantable " +
		"with_hierarchy",
	"element_types": "object_catalog object_schema object_name object_type collection_type_identifier data_type " +
		"udt_catalog udt_schema udt_name",
	"view_table_usage": "view_catalog view_schema view_name table_catalog table_schema table_name",
	"foreign_tables": "foreign_table_catalog foreign_table_schema foreign_table_name foreign_server_catalog " +
		"foreign_server_name",
	"collations": "collation_catalog collation_schema collation_name pad_attribute",
}

func yesNo(b bool) string {
	if b {
		return "YES"
	}
	return "NO"
}

func informationTable(r *Reader, rel *relationEntry, b *rowBatch) {
	if rel.index != nil {
		return
	}
	kind := "BASE TABLE"
	switch {
	case rel.kind == "v":
		kind = "VIEW"
	case rel.temporary:
		kind = "LOCAL TEMPORARY"
	}
	b.add(str(r.DatabaseName()), str(r.snapshot().schemaOf[rel.schema]), str(rel.name), str(kind), null(), null(), null(),
		null(), null(), str(yesNo(rel.writable)), str("NO"), null())
}

func informationColumns(r *Reader, rel *relationEntry, b *rowBatch) {
	if rel.index != nil {
		return
	}
	d, schema := str(r.DatabaseName()), str(r.snapshot().schemaOf[rel.schema])
	for i, c := range rel.columns {
		if c.Hidden {
			continue
		}
		t := typesByOID[typeOIDs[c.Type]]
		shown := t.shown
		if t.element != 0 {
			shown = "ARRAY"
		}
		precision, radix, scale, moment := numbersOf(c)
		b.add(d, schema, str(rel.name), str(c.Name), num(int64(i+1)), null(), str(yesNo(!rel.neverNull(c.Name))), str(shown),
			null(), null(), precision, radix, scale, moment, null(), null(),
			null(), null(), null(), null(), null(), null(), null(), null(), null(), d, str("pg_catalog"), str(t.name), null(),
			null(), null(), null(), num(int64(i+1)), str("NO"), str("NO"),
			null(), null(), null(), null(), null(), str("NO"), str("NEVER"), null(), str(yesNo(rel.writable)))
	}
}

// numbersOf returns the precision, radix and scale of numbers and the precision of timestamps.
func numbersOf(c plan.Column) (precision, radix, scale, moment value.Value) {
	switch c.Type {
	case value.Integer:
		return num(64), num(2), num(0), null()
	case value.Float:
		return num(53), num(2), null(), null()
	case value.Timestamp:
		return null(), null(), null(), num(6)
	}
	return null(), null(), null(), null()
}

func informationPrivileges(r *Reader, rel *relationEntry, b *rowBatch) {
	if rel.index != nil {
		return
	}
	privileges := []string{"SELECT"}
	if rel.writable && r.writes() {
		privileges = append(privileges, "INSERT", "UPDATE", "DELETE")
	}
	for _, p := range privileges {
		b.add(str(Owner), str(r.UserName()), str(r.DatabaseName()), str(r.snapshot().schemaOf[rel.schema]), str(rel.name),
			str(p), str("NO"), str("NO"))
	}
}
