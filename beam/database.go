package main

import (
	"sync"

	"parlance/db"
)

// Bundles of a worker run at once, and each has a Setup of its own: they share the databases of their process.
var databases struct {
	sync.Mutex
	open map[string]*db.DB
}

// database opens a file read-only, "" for an empty database, once in a process. It stays open to its end.
func database(path string) (*db.DB, error) {
	databases.Lock()
	defer databases.Unlock()
	if d := databases.open[path]; d != nil {
		return d, nil
	}
	d, err := db.Open(path, db.Options{ReadOnly: path != ""})
	if err != nil {
		return nil, err
	}
	if databases.open == nil {
		databases.open = map[string]*db.DB{}
	}
	databases.open[path] = d
	return d, nil
}

// closeDatabases closes them, for the driver.
func closeDatabases() {
	databases.Lock()
	defer databases.Unlock()
	for _, d := range databases.open {
		_ = d.Close() // nothing was written
	}
	databases.open = nil
}
