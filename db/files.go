package db

import "parlance/storage/files"

// Files is where the paths in statements lead: a file system, or a store of objects (see the example of Conn.Files).
type Files = files.Files

// File is a file that a statement reads.
type File = files.File

// NewFile is a file that a statement writes.
type NewFile = files.NewFile

// Folder is the files below one folder.
type Folder = files.Folder

// AllFiles is the file system of the process.
var AllFiles = files.Anywhere

// NoFiles refuses every path, for servers without a folder for files; the code is 42501.
var NoFiles = files.Nowhere("statements have no access to the server's files",
	"start the server with --data-dir, or send the data: LOAD STDIN, COPY … FROM STDIN, COPY … TO STDOUT")

// NoBackups refuses every path, for servers without a folder for backups; the code is 42501.
var NoBackups = files.Nowhere("backups have no folder on the server",
	"start the server with --backup-dir, a folder apart from --data-dir, which users who are no admins read and write")

// DataDir opens the folder that statements may read and write, or that of backups, to be closed after its sessions.
// Relative paths start there, absolute ones must lie below it; neither .. nor links lead out, and
// what is no regular file is refused, with code 42501.
func DataDir(dir string) (*Folder, error) {
	f, err := files.Below(dir)
	return f, wrap(err)
}

// Files sets where the paths in statements lead; nil is the whole file system, which is what a
// session starts with. The database file is refused in any case. It is set while no statement
// runs.
func (c *Conn) Files(f Files) { c.ses.Files = f }

// Backups sets where the path of BACKUP leads; until then it leads where Files does.
func (c *Conn) Backups(f Files) { c.ses.Backups = f }
