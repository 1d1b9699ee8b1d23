package server

import (
	"os"
	"path/filepath"
	"testing"

	"parlance/db"
)

// folderOf opens a folder for files.
func folderOf(t *testing.T, dir string) *db.Folder {
	t.Helper()
	f, err := db.DataDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestBackupsHaveTheirOwnFolder makes backups over the server, with and without a folder for them.
func TestBackupsHaveTheirOwnFolder(t *testing.T) {
	data, backups := t.TempDir(), t.TempDir()
	for _, c := range []struct {
		name, user, statement, want string
		options                     Options
	}{
		{"no folder", "root", "BACKUP TO 'a.parlance'", "42501", Options{Files: folderOf(t, data)}},
		{"of files", "root", "BACKUP TO '" + data + "/a.parlance'", "42501",
			Options{Files: folderOf(t, data), Backups: folderOf(t, backups)}},
		{"no admin", "ann", "BACKUP TO 'a.parlance'", "42501",
			Options{Files: folderOf(t, data), Backups: folderOf(t, backups)}},
		{"own folder", "root", "BACKUP TO 'a.parlance'", "",
			Options{Files: folderOf(t, data), Backups: folderOf(t, backups)}},
		{"taken", "root", "BACKUP TO 'a.parlance'", "58P02", Options{Backups: folderOf(t, backups)}},
		{"readers of files", "ann", "LOAD '" + backups + "/a.parlance' INTO docs FORMAT lines", "42501",
			Options{Files: folderOf(t, data), Backups: folderOf(t, backups)}},
		{"writers of files", "ann", "COPY docs TO '" + backups + "/a.parlance' FORMAT lines", "42501",
			Options{Files: folderOf(t, data), Backups: folderOf(t, backups)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _, addr := start(t, c.options)
			if err := d.Conn().Script(t.Context(), `CREATE USER root PASSWORD 'root' ROLE admin;
CREATE USER ann PASSWORD 'ann' ROLE writer; CREATE CORPUS docs;
INSERT INTO docs (id, text) VALUES ('a', 'x')`, nil); err != nil {
				t.Fatal(err)
			}
			_, err := connectAs(t, addr, c.user, c.user).Exec(t.Context(), c.statement)
			if got := codeOf(err); got != c.want {
				t.Errorf("%s: %v, want %q", c.statement, err, c.want)
			}
		})
	}
	if list, err := filepath.Glob(data + "/*"); err != nil || len(list) > 0 {
		t.Errorf("the folder of files holds %v, %v", list, err)
	}
	if info, err := os.Stat(backups + "/a.parlance"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup: %v, %v", info, err)
	}
}
