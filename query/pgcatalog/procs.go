package pgcatalog

import (
	"strings"
	"sync"

	"parlance/query/ast"
	"parlance/query/fn"
	"parlance/query/plan"
	"parlance/storage/value"
)

const procColumns = "oid:int proname pronamespace:int proowner:int prolang:int procost:float prorows:float " +
	"provariadic:int prosupport:int prokind prosecdef:bool proleakproof:bool proisstrict:bool proretset:bool " +
	"provolatile proparallel pronargs:int pronargdefaults:int prorettype:int proargtypes proallargtypes:json " +
	"proargmodes:json proargnames:json proargdefaults protrftypes:json prosrc probin prosqlbody proconfig:json proacl:json"

// procEntry is a function as pg_proc lists it.
type procEntry struct {
	oid      int64
	name     string
	kind     string // f function, a aggregate, w window function
	doc      string
	args     []int64
	result   int64
	optional int
	variadic bool
	strict   bool
	volatile string // i immutable, s stable, v volatile
}

// oidFirstProc is the OID of the first function in order of names.
const oidFirstProc = 14000

// typeFunctions are the input and output functions of types. Clients look them up to tell arrays from other types.
var typeFunctions = []string{"array_in", "array_out", "array_recv", "array_send", "valuein", "valueout",
	"valuerecv", "valuesend"}

func typeProcs(t *typeEntry) (in, out, receive, send int64) {
	first := int64(oidFirstProc + 4)
	if t.element != 0 {
		first = oidFirstProc
	}
	return first, first + 1, first + 2, first + 3
}

// procList caches the functions, which do not change while the program runs.
type procList struct {
	once   sync.Once
	list   []procEntry
	byName map[string]*procEntry
	byOID  map[int64]*procEntry
}

func (r *Reader) procs() []procEntry {
	p := &r.catalog.procedures
	p.once.Do(func() {
		for _, name := range typeFunctions {
			p.list = append(p.list, procEntry{name: name, kind: "f", args: []int64{2275}, result: 2276, strict: true,
				volatile: "i"})
		}
		for _, f := range r.Funcs.Scalars() {
			p.list = append(p.list, procOf(f))
		}
		for _, a := range r.Funcs.Aggregates() {
			p.list = append(p.list, procEntry{name: a.Name, kind: "a", doc: a.Doc, args: anyArgs(a.Args), result: 2276,
				volatile: "i"})
		}
		for _, w := range r.Funcs.Windows() {
			p.list = append(p.list, procEntry{name: w.Name, kind: "w", doc: w.Doc, result: 2276, volatile: "i"})
		}
		p.byName, p.byOID = map[string]*procEntry{}, map[int64]*procEntry{}
		for i := range p.list {
			f := &p.list[i]
			f.oid = oidFirstProc + int64(i)
			p.byName[f.name], p.byOID[f.oid] = f, f
		}
	})
	return p.list
}

func anyArgs(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = 2276
	}
	return out
}

func procOf(f *fn.Func) procEntry {
	p := procEntry{name: f.Name, kind: "f", doc: f.Doc, result: anyType(f.Result), optional: f.Optional,
		variadic: f.Variadic, strict: !f.Nulls, volatile: "i"}
	for _, a := range f.Args {
		p.args = append(p.args, anyType(a))
	}
	switch {
	case f.Volatile:
		p.volatile = "v"
	case f.Host:
		p.volatile = "s"
	}
	return p
}

func anyType(t value.Type) int64 {
	if t == fn.Any {
		return 2276
	}
	return typeOIDs[t]
}

func procRow(_ *Reader, f procEntry) []value.Value {
	variadic := int64(0)
	if f.variadic && len(f.args) > 0 {
		variadic = f.args[len(f.args)-1]
	}
	args := make([]string, len(f.args))
	for i, a := range f.args {
		args[i] = num(a).String()
	}
	return oidRow(num(f.oid), str(f.name), num(oidPgCatalog), num(oidOwner), num(12), value.Real(1), value.Real(0),
		num(variadic), num(0), str(f.kind), yes(false), yes(false), yes(f.strict), yes(false), str(f.volatile), str("s"),
		num(int64(len(f.args))), num(int64(f.optional)), num(f.result), str(strings.Join(args, " ")), null(), null(), null(),
		null(), null(), str(f.name), null(), null(), null(), null())
}

// arguments are the types of the arguments as text.
func (f *procEntry) arguments() string {
	parts := make([]string, len(f.args))
	for i, a := range f.args {
		parts[i] = formatType(a)
		if i >= len(f.args)-f.optional {
			parts[i] += " DEFAULT NULL"
		}
	}
	if f.variadic && len(parts) > 0 {
		parts[len(parts)-1] = "VARIADIC " + parts[len(parts)-1]
	}
	return strings.Join(parts, ", ")
}

// functionDefinition is a CREATE FUNCTION statement for a function, as clients print it.
func functionDefinition(r *Reader, a []value.Value) (value.Value, error) {
	f := r.procByOID(a[0].Int())
	if f == nil {
		return value.Value{}, nil
	}
	if f.kind != "f" {
		what := map[string]string{"a": "an aggregate", "w": "a window function"}[f.kind]
		return value.Value{}, &ast.Error{Code: plan.CodeWrongKind, Msg: f.name + " is " + what,
			Hint: "SHOW FUNCTIONS tells what functions do"}
	}
	lines := []string{
		"CREATE OR REPLACE FUNCTION pg_catalog." + ast.QuoteName(f.name) + "(" + f.arguments() + ")",
		" RETURNS " + formatType(f.result),
		" LANGUAGE internal",
		" " + map[string]string{"i": "IMMUTABLE", "s": "STABLE", "v": "VOLATILE"}[f.volatile] + " PARALLEL SAFE",
		"AS $function$" + f.name + "$function$",
	}
	if f.strict {
		lines[3] += " STRICT"
	}
	return str(strings.Join(lines, "\n") + "\n"), nil
}
