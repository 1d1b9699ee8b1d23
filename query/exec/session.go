package exec

import (
	"io"
	"sync/atomic"
	"time"

	"parlance/algo/kind"
	"parlance/query/jobs"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/query/setting"
	"parlance/storage"
	"parlance/storage/files"
	"parlance/storage/value"
)

// Session is what statements know of the session that runs them.
type Session struct {
	User        string
	Client      string // its address, empty within the process
	Application string // as the client names itself
	Database    string // as the client calls the database, empty for the name of the file
	ID          int64  // of the connection, 0 within the process
	Server      string // address that the client has connected to, empty within the process
	Settings    *setting.Settings

	Temporary uint64 // number of the session in its temporary objects, 0 before the first

	Transaction *storage.Transaction // the changes of the block, nil before the first
	Frozen      *storage.Frozen      // the state that the statements of the block see, nil if each sees the newest
	Began       time.Time            // when the last statement began

	RandomSequences  uint64        // how many sequences of random numbers statements took since SET seed
	Literals         []value.Value // values of the next statement's parameters that are literals in its text
	LiteralsCompared bool          // some of them are compared with columns, so that their types matter

	Notice   func(msg string)    // never nil
	Progress func(kind.Progress) // never nil
	Stdin    io.Reader           // of LOAD STDIN, may be nil
	Stdout   io.Writer           // of COPY TO STDOUT, may be nil
	Files    files.Files         // where paths lead, nil for anywhere
	Backups  files.Files         // where those of BACKUP lead, nil for where Files leads
}

// Host is the engine of a session: what depends on sessions, and the tables and functions of its catalogs.
type Host interface {
	// Function computes a function that depends on the session.
	Function(name string, args []value.Value) (value.Value, error)
	// OpenSystem opens a catalog table.
	OpenSystem(r *Execution, n *plan.Relation) (operator.Operator, error)
	// CatalogRows computes a function of the catalog that gives rows.
	CatalogRows(r *Execution, function string, args []value.Value) ([][]value.Value, error)
}

// Status is what other sessions see of a statement while it runs.
type Status struct {
	Recursive atomic.Pointer[string]      // name of the recursive select whose steps are running, nil if none
	Waiter    atomic.Pointer[jobs.Waiter] // set while the statement waits for its turn to train
	Notices   notices
}
