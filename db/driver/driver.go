// Package driver is Parlance for database/sql, under the name parlance:
//
//	pool, err := sql.Open("parlance", "news.parlance?read_only=true&cache=off")
//
// The data source name is the path of a file, or :memory: for a temporary database of the pool
// alone, and after a question mark options in the form of a URL query: read_only (true or false)
// and the settings of sessions. Pools of one process that name the same file share it; it is
// closed with the last of them.
//
// Parameters are $1, $2, …; slices are arrays: id = ANY ($1). Errors are *db.Error, for errors.As;
// a statement whose context ends fails with code 57014, or, while its rows are read, with the error
// of the context.
//
// A text without parameters may hold several statements. Exec runs them all; Query gives a set of
// rows for each (NextResultSet) and runs what is left when the rows are closed. Each is a
// transaction of its own, and nothing runs after an error.
//
// Columns are int64, float64, bool, string, time.Time, []byte (bytes and JSON) or []float32
// (vectors); they are nil for NULL. A connection that is taken from the pool has the settings of
// the data source name again.
package driver

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/db"
)

func init() { sql.Register("parlance", Driver{}) }

// Driver opens databases by data source names.
type Driver struct{}

// Open returns a connection. The file is closed with its last connection.
func (d Driver) Open(name string) (driver.Conn, error) {
	c, err := d.OpenConnector(name)
	if err != nil {
		return nil, err
	}
	return c.(*connector).alone()
}

// OpenConnector checks a data source name; the file is opened by the first connection.
func (d Driver) OpenConnector(name string) (driver.Connector, error) {
	return parseName(name)
}

// OpenDB returns a pool over a database that is open already, and stays open when the pool is
// closed.
func OpenDB(d *db.DB) *sql.DB {
	return sql.OpenDB(&connector{open: func() (*db.DB, error) { return d, nil }, release: func() error { return nil }})
}

// parseName reads a data source name.
func parseName(name string) (*connector, error) {
	path, query, _ := strings.Cut(name, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, wrong("22023", "", "the data source name %q: %v", name, err)
	}
	readOnly := false
	settings := map[string]string{}
	for key, v := range values {
		if len(v) > 1 {
			return nil, wrong("22023", "", "option %s is given twice", key)
		}
		if key != "read_only" {
			settings[key] = v[0]
			continue
		}
		if readOnly, err = strconv.ParseBool(v[0]); err != nil {
			return nil, wrong("22023", "", "option read_only: %q is neither true nor false", v[0])
		}
	}
	if err := checkSettings(settings); err != nil {
		return nil, err
	}
	if path == "" || path == ":memory:" {
		if readOnly {
			return nil, wrong("22023", "give the path of a file, or leave read_only out",
				"a temporary database cannot be read-only")
		}
		return temporary(settings), nil
	}
	return file(path, readOnly, settings)
}

// checkSettings returns the first fault, in the order of names.
func checkSettings(settings map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		err := db.CheckSettings(map[string]string{name: settings[name]})
		var e *db.Error
		if errors.As(err, &e) && e.Code == "42704" {
			known := append([]string{"read_only"}, db.SettingNames()...)
			return wrong(e.Code, "options: "+strings.Join(known, ", "), "the data source name has an unknown option %s%s", name,
				option.DidYouMean(name, known))
		}
		if err != nil {
			return err
		}
	}
	return db.CheckSettings(settings)
}
