package pgcatalog

import (
	"strings"

	"parlance/storage/value"
)

// typeEntry is a type as pg_type lists it.
type typeEntry struct {
	oid      int64
	name     string
	shown    string // as format_type prints it
	length   int64  // in bytes, -1 for variable length
	category string
	element  int64 // element type of an array
	array    int64 // its array type, 0 for none
	kind     string
}

// OIDs of the types of values.
const (
	oidBool        = 16
	oidBytea       = 17
	oidInt8        = 20
	oidText        = 25
	oidJSON        = 114
	oidFloat8      = 701
	oidUnknown     = 705
	oidFloat4Array = 1021
	oidTimestamptz = 1184
	oidInterval    = 1186
)

var typeOIDs = map[value.Type]int64{value.Null: oidText, value.Text: oidText, value.Integer: oidInt8,
	value.Float: oidFloat8, value.Boolean: oidBool,
	value.Timestamp: oidTimestamptz, value.Bytes: oidBytea, value.Vector: oidFloat4Array, value.JSON: oidJSON,
	value.Interval: oidInterval}

// catalogTypes are the types that clients look up; some are the type of no value.
var catalogTypes = func() []typeEntry {
	base := []typeEntry{
		{16, "bool", "boolean", 1, "B", 0, 1000, "b"}, {17, "bytea", "bytea", -1, "U", 0, 1001, "b"},
		{18, "char", `"char"`, 1, "Z", 0, 1002, "b"},
		{19, "name", "name", 64, "S", 0, 1003, "b"}, {20, "int8", "bigint", 8, "N", 0, 1016, "b"},
		{21, "int2", "smallint", 2, "N", 0, 1005, "b"},
		{22, "int2vector", "int2vector", -1, "A", 0, 1006, "b"}, {23, "int4", "integer", 4, "N", 0, 1007, "b"},
		{24, "regproc", "regproc", 4, "N", 0, 1008, "b"},
		{25, "text", "text", -1, "S", 0, 1009, "b"}, {26, "oid", "oid", 4, "N", 0, 1028, "b"},
		{27, "tid", "tid", 6, "U", 0, 1010, "b"},
		{28, "xid", "xid", 4, "U", 0, 1011, "b"}, {29, "cid", "cid", 4, "U", 0, 1012, "b"},
		{30, "oidvector", "oidvector", -1, "A", 0, 1013, "b"},
		{114, "json", "json", -1, "U", 0, 199, "b"}, {142, "xml", "xml", -1, "U", 0, 143, "b"},
		{194, "pg_node_tree", "pg_node_tree", -1, "Z", 0, 0, "b"},
		{600, "point", "point", 16, "G", 0, 1017, "b"}, {650, "cidr", "cidr", -1, "I", 0, 651, "b"},
		{700, "float4", "real", 4, "N", 0, 1021, "b"},
		{701, "float8", "double precision", 8, "N", 0, 1022, "b"}, {705, "unknown", "unknown", -2, "X", 0, 0, "p"},
		{790, "money", "money", 8, "N", 0, 791, "b"},
		{829, "macaddr", "macaddr", 6, "U", 0, 1040, "b"}, {869, "inet", "inet", -1, "I", 0, 1041, "b"},
		{1033, "aclitem", "aclitem", 12, "U", 0, 1034, "b"},
		{1042, "bpchar", "character", -1, "S", 0, 1014, "b"}, {1043, "varchar", "character varying", -1, "S", 0, 1015, "b"},
		{1082, "date", "date", 4, "D", 0, 1182, "b"},
		{1083, "time", "time without time zone", 8, "D", 0, 1183, "b"},
		{1114, "timestamp", "timestamp without time zone", 8, "D", 0, 1115, "b"},
		{1184, "timestamptz", "timestamp with time zone", 8, "D", 0, 1185, "b"},
		{1186, "interval", "interval", 16, "T", 0, 1187, "b"},
		{1266, "timetz", "time with time zone", 12, "D", 0, 1270, "b"}, {1560, "bit", "bit", -1, "V", 0, 1561, "b"},
		{1562, "varbit", "bit varying", -1, "V", 0, 1563, "b"},
		{1700, "numeric", "numeric", -1, "N", 0, 1231, "b"}, {2202, "regprocedure", "regprocedure", 4, "N", 0, 2207, "b"},
		{2205, "regclass", "regclass", 4, "N", 0, 2210, "b"},
		{2206, "regtype", "regtype", 4, "N", 0, 2211, "b"}, {2249, "record", "record", -1, "P", 0, 2287, "p"},
		{2275, "cstring", "cstring", -2, "P", 0, 1263, "p"},
		{2276, "any", `"any"`, 4, "P", 0, 0, "p"}, {2277, "anyarray", "anyarray", -1, "P", 0, 0, "p"},
		{2278, "void", "void", 4, "P", 0, 0, "p"},
		{2279, "trigger", "trigger", 4, "P", 0, 0, "p"}, {2950, "uuid", "uuid", 16, "U", 0, 2951, "b"},
		{3802, "jsonb", "jsonb", -1, "U", 0, 3807, "b"},
		{4089, "regnamespace", "regnamespace", 4, "N", 0, 4090, "b"}, {4096, "regrole", "regrole", 4, "N", 0, 4097, "b"},
	}
	out := base
	for _, t := range base {
		if t.array != 0 {
			out = append(out, typeEntry{t.array, "_" + t.name, t.shown + "[]", -1, "A", t.oid, 0, "b"})
		}
	}
	return out
}()

var typesByOID = func() map[int64]*typeEntry {
	m := map[int64]*typeEntry{}
	for i := range catalogTypes {
		m[catalogTypes[i].oid] = &catalogTypes[i]
	}
	return m
}()

// formatType is the name of a type, "???" for an unknown one as in PostgreSQL.
func formatType(oid int64) string {
	if t := typesByOID[oid]; t != nil {
		return t.shown
	}
	if oid == 0 {
		return "-"
	}
	return "???"
}

// typeOID finds a type by its name in pg_type, in format_type, or in this language.
func typeOID(name string) (int64, bool) {
	name = strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "pg_catalog."), `"pg_catalog".`)
	if i := strings.IndexByte(name, '('); i > 0 {
		_, rest, _ := strings.Cut(name[i:], ")")
		name = name[:i] + rest
	}
	name = strings.TrimSpace(strings.Trim(name, `"`))
	for i := range catalogTypes {
		if t := &catalogTypes[i]; t.name == name || strings.Trim(t.shown, `"`) == name {
			return t.oid, true
		}
	}
	array := strings.HasSuffix(name, "[]")
	t, ok := value.ParseType(strings.TrimSuffix(name, "[]"))
	if !ok {
		return 0, false
	}
	if oid := typeOIDs[t]; array {
		return typesByOID[oid].array, typesByOID[oid].array != 0
	}
	return typeOIDs[t], true
}
