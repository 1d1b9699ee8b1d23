package dbfile

import (
	"errors"

	"parlance/storage/relation"
)

// Errors of the file and of what is in it.
var (
	ErrNotFound = errors.New("not found")
	ErrExists   = errors.New("already exists")
	ErrCorrupt  = relation.ErrDamaged // a checksum or an encoding is wrong

	ErrReadOnly    = errors.New("database is read-only")     // writes to a read-only database
	ErrUnwritable  = errors.New("no permission to write it") // Open of a file with read permission only
	ErrLocked      = errors.New("database is in use by another process")
	ErrFileMoved   = errors.New("the file of the database was moved, removed or replaced while it was open")
	ErrNotDatabase = errors.New("not a parlance database")
	ErrEmptyFile   = errors.New("the file is empty and no parlance database") // and Options do not ask for one
	ErrOlder       = errors.New("database was written by a version of parlance that is too old")
	ErrNewer       = errors.New("database was written by a newer version of parlance")
)

// ErrOpen is ErrLocked for a file that is open in this process.
var ErrOpen error = openHere{}

type openHere struct{}

func (openHere) Error() string { return "database is open already in this process" }

func (openHere) Unwrap() error { return ErrLocked }
