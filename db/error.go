package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"parlance/algo/kind"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/fn"
	"parlance/query/fn/textfn"
	"parlance/query/operator"
	"parlance/storage"
	"parlance/storage/dbfile"
	"parlance/storage/guard"
	"parlance/storage/registry"
	"parlance/storage/value"
)

// Error is every error that leaves this package. Codes are PostgreSQL's where one fits: 42601 syntax, 42P01 and 42703
// an unknown table and column, 42704 another unknown object, 42702 an ambiguous name, 42804 a type, 42809 an object of
// another kind than is wanted, 22023 a value or an option, 0A000 what there is not, 55000 something that must be done
// before, 42710 and 23505 what exists, 2BP01 what others need, 25006 read-only, 40001, 40P01 and 55P03 what may be run
// again, 53200 and 53100 no memory and no space, 57014 cancelled, 58P01 a file, XX001 a damaged file.
type Error struct {
	Code         string // SQLSTATE
	Message      string // what is wrong
	Hint         string // what would be right; may be empty
	Line, Column int    // in the statement, from 1; 0 without a place
	Offset       int    // in bytes of the statement, from 0
	err          error
}

// Error returns message, place and hint.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Message)
	if e.Line > 0 {
		fmt.Fprintf(&b, " (line %d, column %d)", e.Line, e.Column)
	}
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.err }

// codes are the codes of causes, the first that matches counts.
var codes = []struct {
	err  error
	code string
	hint string
}{
	{context.Canceled, "57014", ""},
	{context.DeadlineExceeded, "57014", ""},
	{ErrClosed, "08003", ""},
	{fn.ErrDivision, "22012", ""},
	{value.ErrRange, "22003", ""},
	{value.ErrMalformed, "22P02", ""},
	{value.ErrNoTime, "22007", ""},
	{value.ErrNoCast, "42846", ""},
	{textfn.ErrEscape, "22025", ""},
	{fn.ErrTooLong, "54000", ""},
	{fn.ErrItems, "54000", ""},
	{fn.ErrArgument, "22023", ""},
	{operator.ErrMemory, "53200", "SET work_memory = 1024 allows 1 GB, if statement_memory does"},
	{expr.ErrMemory, "53200", "ask for fewer rows or shorter texts at once; an administrator allows 4 GB: ALTER SYSTEM " +
		"SET statement_memory = 4096"},
	{expr.ErrPool, "53200", "run it again when others have ended: SHOW ACTIVITY lists them; an administrator allows 8 " +
		"GB: ALTER SYSTEM SET memory_limit = 8192"},
	{expr.ErrRows, "21000", "add LIMIT 1, or an aggregate"},
	{storage.ErrInUse, "2BP01", "DROP INDEX first"},
	{storage.ErrChanged, "40001", "run the statement again"},
	{storage.ErrLockTimeout, "55P03", "SHOW lock_timeout tells how long it waited; system.activity lists what runs"},
	{storage.ErrDeadlock, "40P01", "ROLLBACK, and run the transaction again"},
	{storage.ErrConcurrent, "40001", "ROLLBACK, and run the block again"},
	{storage.ErrDependent, "40001", "ROLLBACK, and run the block again"},
	{storage.ErrReadOnly, "25006", fault.WhereToWrite},
	{dbfile.ErrUnwritable, "42501", "open it read-only: --read-only, or db.Options.ReadOnly"},
	{dbfile.ErrOpen, "55006", "take a connection of the database that is open: its Conn gives as many as are wanted"},
	{dbfile.ErrLocked, "55006", "close the other process, or open both read-only"},
	{dbfile.ErrNotDatabase, "58P01", ""},
	{dbfile.ErrEmptyFile, "58P01", "remove it, or ask for a database in it: --empty, or db.Options.Empty"},
	{dbfile.ErrOlder, "58P01", "with the version that wrote it, write what it has to files (COPY … TO, COPY MODEL … " +
		"TO), and load them into a new database"},
	{dbfile.ErrNewer, "58P01", "use a newer parlance"},
	{storage.ErrCorrupt, "XX001", "CHECK DATABASE tells more; restore a backup"},
	{kind.ErrOlder, "58P01", "train it again by the statement that DESCRIBE MODEL shows; REPLAY tells whether that " +
		"reads the same data"},
	{kind.ErrNewer, "58P01", "use a newer parlance"},
	{kind.ErrCorrupt, "XX001", "train or load the model again, or restore a backup"},
	{storage.ErrTemporary, "42710", fault.TemporaryTaken},
	{storage.ErrExists, "42710", ""},
	{storage.ErrNamePending, "55006", "run it again when that has ended, or choose another name"},
	{registry.ErrAliasChanged, "40001", "run it again"},
	{dbfile.ErrFileMoved, "58P01", "move it back, or keep what it holds: BACKUP TO another path"},
	{storage.ErrNotFound, "42704", ""},
	{syscall.ENOSPC, "53100", "free space on the disk; nothing of the statement stays"},
	{fs.ErrNotExist, "58P01", ""},
	{fs.ErrExist, "58P02", "choose another path"},
	{fs.ErrPermission, "42501", ""},
	{syscall.EROFS, "42501", ""},
}

// Codes lists the codes that errors may have, with what they mean.
func Codes() [][2]string {
	out := [][2]string{
		{"02000", "nothing to learn from or to explain"}, {"08001", "a server cannot be reached"},
		{"08003", "the database is closed"}, {"08006", "the connection to a server is lost"},
		{"08P01", "a parameter is missing or too many are given"},
		{"0A000", "not supported"}, {"21000", "a subselect gave more than one row"}, {"22003", "a number is out of range"},
		{"22004", "an argument is NULL that cannot be"}, {"22007", "a text is no time"},
		{"22008", "there is no such day or time, or it is outside the years 1 to 9999"},
		{"22011", "the length of a substring is negative"}, {"22012", "division by zero"},
		{"22013", "a distance of a window frame is negative or NULL"}, {"22014", "ntile takes at least one bucket"},
		{"22016", "nth_value counts from 1"}, {"2201B", "a malformed regular expression"},
		{"2201E", "a number without a logarithm"}, {"2201F", "a number without such a root or power"},
		{"2201G", "the intervals of width_bucket are wrong"},
		{"22021", "text that is not UTF-8, or has the character 0 in it"}, {"22023", "a value or option is wrong"},
		{"22025", "a pattern of LIKE ends with its escape"}, {"2202E", "an array has fewer members than are wanted"},
		{"22P02", "a text is no value of a type"}, {"22P04", "a file is malformed"},
		{"22P05", "an encoding has not a character of a text"}, {"23502", "a value is missing"},
		{"23503", "a row refers to nothing"}, {"23505", "an id or a row is taken"},
		{"23514", "a row breaks a rule of its layer"},
		{"24000", "there is no row to scan"},
		{"25001", "a statement that cannot be undone stands in a transaction block"},
		{"25006", "the database or the transaction is read-only"}, {"25P01", "a transaction block is needed"},
		{"25P02", "an earlier statement of the transaction block failed"},
		{"25P03", "a transaction block was left alone for idle_in_transaction_session_timeout"},
		{"26000", "there is no such prepared statement"}, {"28000", "this user may not connect"},
		{"28P01", "a wrong password"}, {"2BP01", "something depends on it"}, {"34000", "there is no such cursor"},
		{"3B001", "there is no such savepoint"}, {"3F000", "unknown schema"},
		{"40001", "something changed under the statement"}, {"40P01", "two transactions would wait for each other"},
		{"42501", "no permission"}, {"42601", "syntax"},
		{"42701", "a column is named twice"}, {"42702", "ambiguous"}, {"42703", "unknown column"},
		{"42704", "unknown object"}, {"42710", "the name is taken"}, {"42712", "a table name stands twice"},
		{"42803", "grouping"}, {"42804", "types do not fit"}, {"42809", "the wrong kind of object"},
		{"42846", "there is no such cast"}, {"42883", "unknown function"}, {"42939", "a reserved name"},
		{"42P01", "unknown table or layer"}, {"42P03", "the cursor or portal exists already"},
		{"42P05", "the prepared statement exists already"},
		{"42P10", "ORDER BY or GROUP BY names a column that is not there, or what DISTINCT left out"},
		{"42P19", "a recursive select names itself where it cannot"}, {"42P20", "a window function stands where none can"},
		{"53100", "the disk is full"}, {"53200", "too little memory is allowed"}, {"53300", "too many connections"},
		{"53400", "too many trainings wait"}, {"54000", "the statement is too long, or makes too many rows"},
		{"54001", "the statement is too complex"}, {"54011", "a result, or CUBE, has too many columns"},
		{"54P01", "the text of a document is too long"}, {"54P02", "the result has too many rows"},
		{"55000", "not in this state"}, {"55006", "another process has the database open"},
		{"55P02", "the setting cannot be set"}, {"55P03", "others write the object for longer than lock_timeout"},
		{"57014", "cancelled, or longer than statement_timeout"}, {"57P01", "the database is closing"},
		{"57P05", "a connection without statements for idle_timeout"},
		{"58000", "an error of the system"}, {"58P01", "a file is not there or no database"},
		{"58P02", "a file exists already"}, {"XX000", "a fault of the program"}, {"XX001", "damaged data"},
	}
	return out
}

// wrap makes an *Error of any error; what it quotes is shortened.
func wrap(err error) error {
	if err == nil {
		return nil
	}
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	e := described(err)
	e.Message, e.Hint = shortened(e.Message), shortened(e.Hint)
	return e
}

// described gives an error its code, its hint and its place.
func described(err error) *Error {
	e := &Error{Message: err.Error(), Code: "58000", err: err}
	var a *ast.Error
	var p *guard.Panic
	var f *fn.Fault
	switch {
	case errors.As(err, &a):
		// What was added around the error stays, the place has its own fields.
		e.Code, e.Hint, e.Message = a.Code, a.Hint, strings.Replace(err.Error(), a.Error(), a.Msg, 1)
		e.Line, e.Column, e.Offset = a.Pos.Line, a.Pos.Col, a.Pos.Offset
		return e
	case errors.As(err, &p):
		e.Code, e.Hint = "XX000", "please report it with the statement"
		return e
	case errors.As(err, &f):
		e.Code, e.Hint = f.Code, f.Hint
		return e
	}
	for _, c := range codes {
		if errors.Is(err, c.err) {
			e.Code, e.Hint = c.code, c.hint
			if c.code == "57014" {
				e.Message = "the statement was cancelled"
			}
			break
		}
	}
	return e
}
