package engine

import (
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

// sessionFunction computes a function that depends on the session.
type sessionFunction func(r *execution, a []value.Value) (value.Value, error)

// Function computes a function that depends on the session or the catalog.
func (r *execution) Function(name string, a []value.Value) (value.Value, error) {
	if f := sessionFunctions[name]; f != nil {
		return f(r, a)
	}
	return r.catalog().Function(name, a)
}

func gives(v value.Value) sessionFunction {
	return func(*execution, []value.Value) (value.Value, error) { return v, nil }
}

func plain(f func(r *execution) value.Value) sessionFunction {
	return func(r *execution, _ []value.Value) (value.Value, error) { return f(r), nil }
}

var sessionFunctions = map[string]sessionFunction{
	"version": plain(func(r *execution) value.Value {
		return value.Str("PostgreSQL " + ServerVersion(r.Program) + ", compiled by Go, 64-bit")
	}),
	"current_database":      plain(func(r *execution) value.Value { return value.Str(r.DatabaseName()) }),
	"current_schema":        plain(currentSchema),
	"current_schemas":       currentSchemas,
	"current_user":          plain(func(r *execution) value.Value { return value.Str(r.UserName()) }),
	"session_user":          plain(func(r *execution) value.Value { return value.Str(r.UserName()) }),
	"now":                   plain(func(r *execution) value.Value { return value.Time(r.Opened) }),
	"transaction_timestamp": plain(func(r *execution) value.Value { return value.Time(r.Opened) }),
	"statement_timestamp":   plain(func(r *execution) value.Value { return value.Time(r.Began) }),
	"current_timestamp":     currentTimestamp,
	"localtimestamp":        currentTimestamp,
	"current_date": plain(func(r *execution) value.Value {
		return value.Time(r.Opened.UTC().Truncate(24 * time.Hour))
	}),
	"current_setting": currentSetting,
	"set_config":      setConfig,
	"random": func(r *execution, a []value.Value) (value.Value, error) {
		return exec.Random(
			r.Execution, a)
	},
	"setseed":                  setSeed,
	"pg_backend_pid":           plain(func(r *execution) value.Value { return value.Int(r.ses.ID) }),
	"pg_cancel_backend":        cancelBackend,
	"pg_terminate_backend":     terminateBackend,
	"pg_client_encoding":       gives(value.Str("UTF8")),
	"getdatabaseencoding":      gives(value.Str("UTF8")),
	"pg_postmaster_start_time": plain(func(r *execution) value.Value { return value.Time(r.engine.started) }),
	"pg_is_in_recovery":        plain(func(r *execution) value.Value { return value.Bool(r.Store.ReadOnly()) }),
	"pg_advisory_unlock_all":   gives(value.Str("")),
	"txid_current": plain(func(r *execution) value.Value {
		return value.Int(int64(r.Store.CatalogVersion() + r.Snapshot.Version() + 1))
	}),
	"inet_server_addr": plain(func(r *execution) value.Value { return hostOf(r.ses.Server) }),
	"inet_server_port": plain(func(r *execution) value.Value { return portOf(r.ses.Server) }),
	"inet_client_addr": plain(func(r *execution) value.Value { return hostOf(r.ses.Client) }),
	"inet_client_port": plain(func(r *execution) value.Value { return portOf(r.ses.Client) }),
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

// ServerVersion is the version of PostgreSQL whose catalog and protocol the program follows, and its own version.
func ServerVersion(program string) string { return "15.0 (Parlance " + program + ")" }

func hostOf(address string) value.Value {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return value.Value{}
	}
	return value.Str(host)
}

func portOf(address string) value.Value {
	_, port, err := net.SplitHostPort(address)
	n, notNumber := strconv.ParseInt(port, 10, 64)
	if err != nil || notNumber != nil {
		return value.Value{}
	}
	return value.Int(n)
}

// DatabaseName is the name of the database in a file: the file name without its extension.
func DatabaseName(path string) string {
	name := filepath.Base(path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

func currentSchema(r *execution) value.Value {
	path := r.schemas()
	if len(path) == 0 {
		return value.Value{}
	}
	return value.Str(path[0])
}

func currentSchemas(r *execution, a []value.Value) (value.Value, error) {
	path := r.schemas()
	if a[0].Bool() {
		path = append([]string{"pg_catalog"}, path...)
	}
	items := make([]value.Value, len(path))
	for i, s := range path {
		items[i] = value.Str(s)
	}
	return jsonfn.Array(items)
}

// setSeed is the function setseed, which sets the setting seed.
func setSeed(r *execution, a []value.Value) (value.Value, error) {
	err := r.setTo(ast.Pos{}, "seed", option.Arg{Value: a[0]}, false)
	r.Random = nil
	return value.Str(""), err
}
