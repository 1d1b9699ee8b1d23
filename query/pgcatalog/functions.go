package pgcatalog

import (
	"strings"

	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/fn/jsonfn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// function computes a function from the arguments.
type function func(r *Reader, a []value.Value) (value.Value, error)

// Function computes a function about the catalog.
func (r *Reader) Function(name string, a []value.Value) (value.Value, error) {
	if f := catalogFunctions[name]; f != nil {
		return f(r, a)
	}
	if register, ok := strings.CutSuffix(name, "[]"); ok {
		return r.registerNames(register, a[0])
	}
	if register, ok := strings.CutSuffix(name, "in"); ok {
		return r.registerNumber(register, a[0].String())
	}
	if register, ok := strings.CutSuffix(name, "out"); ok {
		return value.Str(r.registerName(register, a[0].Int())), nil
	}
	return value.Value{}, fault.New(plan.CodeUndefinedFunction, "there is no function %s", name)
}

func gives(v value.Value) function {
	return func(*Reader, []value.Value) (value.Value, error) { return v, nil }
}

// catalogFunctions are the functions about objects; families of functions are added by name.
var catalogFunctions = func() map[string]function {
	m := map[string]function{
		"format_type": func(_ *Reader, a []value.Value) (value.Value, error) {
			if a[0].IsNull() {
				return value.Value{}, nil
			}
			return str(formatType(a[0].Int())), nil
		},
		"pg_get_userbyid": func(r *Reader, a []value.Value) (value.Value, error) {
			return str(r.registerName("regrole", a[0].Int())), nil
		},
		"pg_get_expr":     func(_ *Reader, a []value.Value) (value.Value, error) { return a[0], nil },
		"pg_get_indexdef": indexDef,
		"pg_get_constraintdef": func(r *Reader, a []value.Value) (value.Value, error) {
			snap := r.snapshot()
			if c := snap.constraints[a[0].Int()]; c != nil {
				return str(c.definition(snap)), nil
			}
			return value.Value{}, nil
		},
		"pg_index_column_has_property":       indexColumnProperty,
		"pg_get_functiondef":                 functionDefinition,
		"pg_get_function_arguments":          procText((*procEntry).arguments),
		"pg_get_function_identity_arguments": procText((*procEntry).arguments),
		"pg_get_function_result":             procText(func(f *procEntry) string { return formatType(f.result) }),
		"obj_description":                    objectDescription,
		"col_description":                    columnDescription,
		"pg_relation_size":                   relationSize,
		"pg_table_size":                      relationSize,
		"pg_total_relation_size":             totalSize,
		"pg_indexes_size":                    indexesSize,
		"pg_database_size":                   fileSize,
		"pg_tablespace_size":                 fileSize,
		"pg_tablespace_location":             gives(value.Str("")),
		"pg_has_role":                        gives(value.Bool(true)),
		"row_security_active":                gives(value.Bool(false)),
		"pg_relation_is_publishable":         gives(value.Bool(false)),
		"pg_my_temp_schema":                  gives(value.Int(0)),
		"pg_is_other_temp_schema":            gives(value.Bool(false)),
		"pg_relation_is_updatable":           updatable,
		"pg_column_is_updatable": func(r *Reader, a []value.Value) (value.Value, error) {
			rel, err := r.relationArgument(a[0])
			return yes(rel != nil && rel.writable), err
		},
		"pg_type_is_visible": func(_ *Reader, a []value.Value) (value.Value, error) {
			return yes(typesByOID[a[0].Int()] != nil), nil
		},
		"pg_function_is_visible": func(r *Reader, a []value.Value) (value.Value, error) {
			return yes(r.procByOID(a[0].Int()) != nil), nil
		},
		"pg_table_is_visible": tableVisible,
	}
	for _, name := range []string{"viewdef", "ruledef", "triggerdef", "function_sqlbody", "partkeydef",
		"partition_constraintdef", "statisticsobjdef_columns", "serial_sequence"} {
		m["pg_get_"+name] = gives(value.Value{})
	}
	m["shobj_description"] = gives(value.Value{})
	for _, kind := range []string{"operator", "opclass", "opfamily", "conversion", "collation", "statistics_obj",
		"ts_parser", "ts_dict", "ts_template", "ts_config"} {
		m["pg_"+kind+"_is_visible"] = gives(value.Bool(true))
	}
	for _, kind := range []string{"schema", "database", "function", "sequence", "type", "language",
		"tablespace", "server"} {
		m["has_"+kind+"_privilege"] = gives(value.Bool(true))
	}
	for _, kind := range []string{"table", "column", "any_column"} {
		m["has_"+kind+"_privilege"] = tablePrivilege
	}
	for _, register := range []string{"class", "type", "namespace", "proc", "role"} {
		m["to_reg"+register] = func(r *Reader, a []value.Value) (value.Value, error) {
			v, err := r.registerNumber("reg"+register, a[0].S)
			if err != nil {
				return value.Value{}, nil
			}
			return v, nil
		}
	}
	return m
}()

// registerNames casts an array of OIDs to an array of names, for a type such as regclass.
func (r *Reader) registerNames(register string, array value.Value) (value.Value, error) {
	items, err := jsonfn.Items(array)
	if err != nil {
		return value.Value{}, fault.Invalid("%v", err)
	}
	for i, v := range items {
		if v.T == value.Integer {
			items[i] = str(r.registerName(register, v.Int()))
		}
	}
	return jsonfn.Array(items)
}

// registerNumber casts a name to its OID, for a type such as regclass.
func (r *Reader) registerNumber(register, name string) (value.Value, error) {
	name = strings.TrimSpace(name)
	if n, err := value.Cast(str(name), value.Integer); err == nil {
		return n, nil
	}
	if name == "-" {
		return num(0), nil
	}
	qualified := name
	if strings.HasPrefix(register, "regproc") { // types of arguments may be qualified too
		qualified, _, _ = strings.Cut(name, "(")
	}
	parts, err := splitName(qualified)
	if err != nil {
		return value.Value{}, err
	}
	last := parts[len(parts)-1]
	switch register {
	case "regclass":
		if rel := r.snapshot().find(strings.Join(parts[:len(parts)-1], "."), last, r.SearchPath()); rel != nil {
			return num(rel.oid), nil
		}
		return value.Value{}, &ast.Error{Code: plan.CodeUndefinedTable, Msg: "there is no table " + name,
			Hint: strings.TrimPrefix(r.Suggest(name), "; ")}
	case "regtype":
		if oid, ok := typeOID(name); ok {
			return num(oid), nil
		}
		return value.Value{}, fault.New(plan.CodeUndefinedObject, "there is no type %s", name)
	case "regnamespace":
		if oid, ok := r.snapshot().schemaOID[last]; ok {
			return num(oid), nil
		}
		return value.Value{}, fault.New("3F000", "there is no schema %s", name)
	case "regrole":
		for _, u := range r.roles() {
			if u.name == last {
				return num(u.oid), nil
			}
		}
		return value.Value{}, fault.New(plan.CodeUndefinedObject, "there is no user %s", name)
	case "regcollation":
		return num(100), nil
	}
	r.procs()
	if f := r.catalog.procedures.byName[last]; f != nil {
		return num(f.oid), nil
	}
	return value.Value{}, fault.New(plan.CodeUndefinedFunction, "there is no function %s", name)
}

// mostParts is the number of parts of database.schema.name.
const mostParts = 3

// splitName splits schema.name, each part of which may be quoted, and drops the name of the database.
func splitName(name string) ([]string, error) {
	var parts []string
	for rest := name; ; {
		var part string
		if strings.HasPrefix(rest, `"`) {
			var ok bool
			if part, rest, ok = quotedPart(rest[1:]); !ok {
				return nil, fault.Invalid("'%s' is no name: a quote has no end", name)
			}
		} else {
			end := strings.IndexByte(rest, '.')
			if end < 0 {
				end = len(rest)
			}
			part, rest = rest[:end], rest[end:]
		}
		if parts = append(parts, part); len(parts) > mostParts {
			return nil, fault.New(ast.CodeSyntax, "'%s' has more parts than database.schema.name", name)
		}
		if rest == "" {
			return parts[max(0, len(parts)-2):], nil
		}
		rest = strings.TrimPrefix(rest, ".")
	}
}

// quotedPart cuts a name at the quote that ends it; one within the name stands twice. ok is false if none ends it.
func quotedPart(s string) (name, rest string, ok bool) {
	var b []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '"' {
			if i++; i == len(s) || s[i] != '"' {
				return string(b), s[i:], true
			}
		}
		b = append(b, s[i])
	}
	return "", "", false
}

// registerName casts an OID to its name, for a type such as regclass; the OID itself if no object has it.
func (r *Reader) registerName(register string, oid int64) string {
	switch register {
	case "regclass":
		if rel := r.snapshot().byOID[oid]; rel != nil {
			if r.visible(rel) {
				return ast.QuoteName(rel.name)
			}
			return ast.QuoteName(r.snapshot().schemaOf[rel.schema]) + "." + ast.QuoteName(rel.name)
		}
	case "regtype":
		if typesByOID[oid] != nil {
			return formatType(oid)
		}
	case "regnamespace":
		if name, ok := r.snapshot().schemaOf[oid]; ok {
			return ast.QuoteName(name)
		}
	case "regrole":
		if oid == oidOwner {
			return Owner
		}
		for _, u := range r.roles() {
			if u.oid == oid {
				return ast.QuoteName(u.name)
			}
		}
		return "unknown (OID=" + num(oid).String() + ")"
	case "regproc", "regprocedure":
		if f := r.procByOID(oid); f != nil {
			return f.name
		}
	case "regcollation":
		return `"default"`
	}
	if oid == 0 {
		return "-"
	}
	return num(oid).String()
}

func (r *Reader) procByOID(oid int64) *procEntry {
	r.procs()
	return r.catalog.procedures.byOID[oid]
}

func procText(text func(*procEntry) string) function {
	return func(r *Reader, a []value.Value) (value.Value, error) {
		f := r.procByOID(a[0].Int())
		if f == nil {
			return value.Value{}, nil
		}
		return str(text(f)), nil
	}
}

// visible reports whether a table is found by its unqualified name.
func (r *Reader) visible(rel *relationEntry) bool {
	snap := r.snapshot()
	return snap.find("", rel.name, r.SearchPath()) == rel
}

func tableVisible(r *Reader, a []value.Value) (value.Value, error) {
	rel := r.snapshot().byOID[a[0].Int()]
	if rel == nil {
		return value.Value{}, nil
	}
	return yes(r.visible(rel)), nil
}

// relationArgument is the table that an argument names by OID or name; nil for an unknown OID.
func (r *Reader) relationArgument(v value.Value) (*relationEntry, error) {
	if v.T == value.Text {
		n, err := r.registerNumber("regclass", v.S)
		if err != nil {
			return nil, err
		}
		v = n
	}
	return r.snapshot().byOID[v.Int()], nil
}

func indexDef(r *Reader, a []value.Value) (value.Value, error) {
	rel := r.snapshot().byOID[a[0].Int()]
	if rel == nil || rel.index == nil {
		return value.Value{}, nil
	}
	if len(a) > 1 && a[1].Int() != 0 {
		k := a[1].Int() - 1
		if k < 0 || k >= int64(len(rel.index.columns)) {
			return value.Value{}, nil
		}
		return str(ast.QuoteName(rel.index.columns[k])), nil
	}
	return str(r.snapshot().indexDefinition(rel)), nil
}

// indexColumnProperty is pg_index_column_has_property: ordered indexes are ascending with NULLs last.
func indexColumnProperty(r *Reader, a []value.Value) (value.Value, error) {
	rel := r.snapshot().byOID[a[0].Int()]
	if rel == nil || rel.index == nil || a[1].Int() < 1 || a[1].Int() > int64(len(rel.index.columns)) {
		return value.Value{}, nil
	}
	ordered := rel.index.fulltext == ""
	switch strings.ToLower(a[2].S) {
	case "asc", "nulls_last", "orderable", "search_array", "search_nulls":
		return value.Bool(ordered), nil
	case "desc", "nulls_first", "distance_orderable", "returnable":
		return value.Bool(false), nil
	}
	return value.Value{}, nil
}

func objectDescription(r *Reader, a []value.Value) (value.Value, error) {
	oid, class := a[0].Int(), ""
	if len(a) > 1 {
		class = a[1].S
	}
	rel := r.snapshot().byOID[oid]
	f := r.procByOID(oid)
	switch {
	case rel != nil && rel.doc != "" && (class == "" || class == "pg_class"):
		return str(rel.doc), nil
	case f != nil && f.doc != "" && (class == "" || class == "pg_proc"):
		return str(f.doc), nil
	}
	if _, ok := r.snapshot().schemaOf[oid]; !ok {
		return value.Value{}, nil
	}
	for _, s := range r.snapshot().schemas {
		if s.oid == oid && (class == "" || class == "pg_namespace") {
			return str(s.doc), nil
		}
	}
	return value.Value{}, nil
}

func columnDescription(r *Reader, a []value.Value) (value.Value, error) {
	rel, k := r.snapshot().byOID[a[0].Int()], a[1].Int()-1
	if rel == nil || k < 0 || k >= int64(len(rel.columns)) {
		return value.Value{}, nil
	}
	if doc := rel.columnDoc(rel.columns[k].Name); doc != "" {
		return str(doc), nil
	}
	return value.Value{}, nil
}

// relationSize is the size of a full-text index; NULL for other relations, whose size is not known.
func relationSize(r *Reader, a []value.Value) (value.Value, error) {
	rel, err := r.relationArgument(a[0])
	if err != nil || rel == nil || rel.bytes == 0 {
		return value.Value{}, err
	}
	return num(rel.bytes), nil
}

func indexesSize(r *Reader, a []value.Value) (value.Value, error) {
	rel, err := r.relationArgument(a[0])
	if err != nil || rel == nil {
		return value.Value{}, err
	}
	sum := int64(0)
	for _, x := range rel.indexes {
		sum += x.bytes
	}
	if sum == 0 {
		return value.Value{}, nil
	}
	return num(sum), nil
}

func totalSize(r *Reader, a []value.Value) (value.Value, error) {
	own, err := relationSize(r, a)
	if err != nil || !own.IsNull() {
		return own, err
	}
	return indexesSize(r, a)
}

func fileSize(r *Reader, _ []value.Value) (value.Value, error) {
	st, err := r.Store.FileStats()
	return num(st.Bytes), err
}

func updatable(r *Reader, a []value.Value) (value.Value, error) {
	rel, err := r.relationArgument(a[0])
	if err != nil || rel == nil || !rel.writable {
		return num(0), err
	}
	return num(28), nil
}

// tablePrivilege is has_table_privilege([user,] table, [column,] privilege). Read-only tables give SELECT only, and so
// do all tables to a user of the role reader.
func tablePrivilege(r *Reader, a []value.Value) (value.Value, error) {
	table := a[0]
	if user := a[0]; user.T == value.Text && len(a) > 2 {
		for _, u := range r.roles() {
			if u.name == user.S {
				table = a[1]
			}
		}
	}
	rel, err := r.relationArgument(table)
	if err != nil || rel == nil {
		return value.Value{}, err
	}
	privilege := strings.ToUpper(a[len(a)-1].String())
	return yes(rel.writable && r.writes() || strings.HasPrefix(privilege, "SELECT")), nil
}
