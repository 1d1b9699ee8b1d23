package exec

import "parlance/storage/files"

// Backups opens the file of a backup, never the database itself: where Files leads, unless the session says otherwise.
func (r *Execution) Backups() files.Files {
	if f := r.Session.Backups; f != nil {
		return files.Except(f, r.Store.Path())
	}
	return r.Files()
}
