package db_test

import (
	"fmt"
	"testing"
	"time"

	"parlance/db"
)

func TestBlockGrowthProbe(t *testing.T) {
	for _, mk := range []struct{ name, create, ins, upd string }{
		{"table", "CREATE TABLE t (id INTEGER, v TEXT); CREATE INDEX ON t (id)", "INSERT INTO t VALUES (%d, 'a b c')", "UPDATE t SET v = 'x' WHERE id = %d"},
		{"corpus", "CREATE CORPUS t", "INSERT INTO t (id, text) VALUES ('%d', 'a b c')", ""},
	} {
		d, err := db.Open(t.TempDir()+"/x.db", db.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := d.Conn()
		script(t, c, mk.create+"; BEGIN")
		t0 := time.Now()
		for i := range 4001 {
			if i == 250 || i == 1000 || i == 2000 || i == 4000 {
				t.Logf("%s insert %d: %v", mk.name, i, time.Since(t0))
			}
			script(t, c, fmt.Sprintf(mk.ins, i))
		}
		if mk.upd != "" {
			t0 = time.Now()
			for i := range 2001 {
				if i == 250 || i == 500 || i == 1000 || i == 2000 {
					t.Logf("%s update %d: %v", mk.name, i, time.Since(t0))
				}
				script(t, c, fmt.Sprintf(mk.upd, i))
			}
		}
		script(t, c, "COMMIT")
		d.Close()
	}
}
