package engine

import (
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage/value"
)

// hostFunction computes a function that depends on the session or the catalog.
type hostFunction func(r *execution, a []value.Value) (value.Value, error)

// Function computes a function that depends on the session or the catalog.
func (r *execution) Function(name string, a []value.Value) (value.Value, error) {
	if f := sessionFunctions[name]; f != nil {
		return f(r, a)
	}
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

func gives(v value.Value) hostFunction {
	return func(*execution, []value.Value) (value.Value, error) { return v, nil }
}

func plain(f func(r *execution) value.Value) hostFunction {
	return func(r *execution, _ []value.Value) (value.Value, error) { return f(r), nil }
}

var sessionFunctions = map[string]hostFunction{
	"version": plain(func(r *execution) value.Value {
		return str("PostgreSQL " + ServerVersion(r.Program) + ", compiled by Go, 64-bit")
	}),
	"current_database":         plain(func(r *execution) value.Value { return str(r.database()) }),
	"current_schema":           plain(currentSchema),
	"current_schemas":          currentSchemas,
	"current_user":             plain(func(r *execution) value.Value { return str(r.user()) }),
	"session_user":             plain(func(r *execution) value.Value { return str(r.user()) }),
	"now":                      plain(func(r *execution) value.Value { return value.Time(r.Opened) }),
	"transaction_timestamp":    plain(func(r *execution) value.Value { return value.Time(r.Opened) }),
	"statement_timestamp":      plain(func(r *execution) value.Value { return value.Time(r.Began) }),
	"current_timestamp":        currentTimestamp,
	"localtimestamp":           currentTimestamp,
	"current_date":             plain(func(r *execution) value.Value { return value.Time(r.Opened.UTC().Truncate(24 * time.Hour)) }),
	"current_setting":          currentSetting,
	"set_config":               setConfig,
	"random":                   func(r *execution, a []value.Value) (value.Value, error) { return exec.Random(r.Execution, a) },
	"setseed":                  setSeed,
	"pg_backend_pid":           plain(func(r *execution) value.Value { return num(r.ses.ID) }),
	"pg_cancel_backend":        cancelBackend,
	"pg_terminate_backend":     terminateBackend,
	"pg_client_encoding":       gives(value.Str("UTF8")),
	"getdatabaseencoding":      gives(value.Str("UTF8")),
	"pg_postmaster_start_time": plain(func(r *execution) value.Value { return value.Time(r.engine.started) }),
	"pg_is_in_recovery":        gives(value.Bool(false)),
	"pg_advisory_unlock_all":   gives(value.Str("")),
	"txid_current":             plain(func(r *execution) value.Value { return num(int64(r.Store.CatalogVersion() + r.Snapshot.Version() + 1)) }),
	"inet_server_addr":         plain(func(r *execution) value.Value { return hostOf(r.ses.Server) }),
	"inet_server_port":         plain(func(r *execution) value.Value { return portOf(r.ses.Server) }),
	"inet_client_addr":         plain(func(r *execution) value.Value { return hostOf(r.ses.Client) }),
	"inet_client_port":         plain(func(r *execution) value.Value { return portOf(r.ses.Client) }),
}

// currentTimestamp is when the transaction began, rounded to some decimals of a second.
func currentTimestamp(r *execution, a []value.Value) (value.Value, error) {
	if len(a) == 0 {
		return value.Time(r.Opened), nil
	}
	n := a[0].Int()
	if n < 0 {
		return value.Value{}, fault.New("22023", "seconds have 0 to 6 decimals, not %d", n)
	}
	unit := time.Second
	for n = min(n, 6); n > 0; n-- {
		unit /= 10
	}
	return value.Time(r.Opened.Truncate(time.Microsecond).Round(unit)), nil
}

// ServerVersion is the version of PostgreSQL whose catalog and protocol are followed, and that of
// the program.
func ServerVersion(program string) string { return "15.0 (Parlance " + program + ")" }

func hostOf(address string) value.Value {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return value.Value{}
	}
	return str(host)
}

func portOf(address string) value.Value {
	_, port, err := net.SplitHostPort(address)
	n, notNumber := strconv.ParseInt(port, 10, 64)
	if err != nil || notNumber != nil {
		return value.Value{}
	}
	return num(n)
}

// database is the name of the database.
func (r *execution) database() string {
	if r.ses.Database != "" {
		return r.ses.Database
	}
	return DatabaseName(r.Store.Path())
}

// DatabaseName is the name of the database in a file: that of the file without its ending.
func DatabaseName(path string) string {
	name := filepath.Base(path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// PathOf returns the schemas of the setting search_path that exist, in its order.
func (x *execution) PathOf(part *exec.Execution) []string {
	r := x.on(part)
	list := r.ses.Settings.SearchPath
	if len(list) == 1 && list[0] == "public" {
		return list // the default needs no image
	}
	im := r.image()
	var out []string
	for _, s := range list {
		if s == "$user" {
			s = r.user()
		}
		if _, ok := im.schemaOID[s]; ok {
			out = append(out, s)
		}
	}
	return out
}

// HasCatalogTable reports whether a schema has a table.
func (x *execution) HasCatalogTable(part *exec.Execution, schema, table string) bool {
	if schema == "public" {
		return false // objects are found by their names
	}
	if t := catalogTable(schema, table); t != nil {
		return true
	}
	r := x.on(part)
	_, object := r.Snapshot.Object(schema)
	return object && r.image().byName[pgName{schema, table}] != nil
}

func currentSchema(r *execution) value.Value {
	path := r.SearchPath()
	if len(path) == 0 {
		return value.Value{}
	}
	return str(path[0])
}

func currentSchemas(r *execution, a []value.Value) (value.Value, error) {
	path := r.SearchPath()
	if a[0].Bool() {
		path = append([]string{"pg_catalog"}, path...)
	}
	return textArray(path)
}
