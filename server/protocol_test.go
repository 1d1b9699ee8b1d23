package server

import (
	"testing"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgproto3"
)

// TestMessages compares answers with what PostgreSQL gives for the same messages.
func TestMessages(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"empty", "Q: Q:; P:: D:S: B:: E:: S", "empty I empty I parsed params0 nodata bound empty I"},
		{"script", "Q:SELECT_1;_SELECT_2", "(column) 1 SELECT_1 (column) 2 SELECT_1 I"},
		{"script stops", "Q:SELECT_1;_SELECT_nix;_SELECT_2", "(column) 1 SELECT_1 42703 I"},
		{"script with a syntax error runs nothing", "Q:SELECT_1;_SELEC", "42601 I"},
		{"pipeline", "P::SELECT_1 B:: D:P: E:: S P::SELECT_2 B:: E:: S",
			"parsed bound (column) 1 SELECT_1 I parsed bound 2 SELECT_1 I"},
		{"several in a group", "P:a:SELECT_1 B::a E:: P:b:SELECT_2 B::b E:: S",
			"parsed bound 1 SELECT_1 parsed bound 2 SELECT_1 I"},
		{"error skips to sync", "P::SELEC B:: E:: P::SELECT_1 S P::SELECT_1 B:: E:: S", "42601 I parsed bound 1 SELECT_1 I"},
		{"unknown statement", "B::no E:: S", "26000 I"},
		{"unknown portal", "E:no: S", "34000 I"},
		{"names are taken", "P:p:SELECT_1 S P:p:SELECT_2 S C:S:p P:p:SELECT_2 B::p E:: S",
			"parsed I 42P05 I closed parsed bound 2 SELECT_1 I"},
		{"portal names are taken", "P:q:SELECT_1 B:x:q B:x:q S", "parsed bound 42P03 I"},
		{"unnamed ones are replaced", "P::SELECT_1 P::SELECT_2 B:: B:: E:: S", "parsed parsed bound bound 2 SELECT_1 I"},
		{"two statements", "P::SELECT_1;SELECT_2 S", "42601 I"},
		{"portal at its end", "P::SELECT_1 B:: E:: E:: S", "parsed bound 1 SELECT_1 SELECT_0 I"},
		{"portal at its end in parts", "P::VALUES_(1),_(2) B:: E::2 E::2 E::2 S",
			"parsed bound 1 2 suspended SELECT_0 SELECT_0 I"},
		{"portal without rows runs once", "P::CREATE_CORPUS_c B:: E:: E:: S", "parsed bound CREATE_CORPUS 55000 I"},
		{"closing the unnamed statement keeps others", "P:a:SELECT_1 C:S: S B::a E:: S",
			"parsed closed I bound 1 SELECT_1 I"},
		{"neither statement nor portal", "P::SELECT_1 D:X: S C:X: S", "parsed 08P01 I 08P01 I"},
		{"portal in parts of other sizes than the rows come in", "P::VALUES_(1),_(2),_(3) B:: E::2 E::1 E::2 S",
			"parsed bound 1 2 suspended 3 suspended SELECT_0 I"},
		{"a script ends the unnamed statement", "P::SELECT_1 S Q:SELECT_2 B:: S", "parsed I (column) 2 SELECT_1 I 26000 I"},
		{"a script ends the unnamed portal", "Q:BEGIN P::SELECT_1 B:: Q:SELECT_2 E:: S",
			"BEGIN T parsed bound (column) 2 SELECT_1 T 34000 E"},
		{"closed portals", "P::SELECT_1 B:x: C:P:x E:x: S", "parsed bound closed 34000 I"},
		{"function call", "Q:BEGIN F Q:ROLLBACK", "BEGIN T 0A000 E ROLLBACK I"},
		{"tags", "Q:VALUES_(1) Q:TABLE_system.users", "(column1) 1 SELECT_1 I (name,role,created) SELECT_0 I"},
		{"describe", "P::SELECT_$1_||_'x'_AS_a D:S: S", "parsed params1 (a) I"},
		{"describe a recursive select", "P::WITH_RECURSIVE_t_(w)_AS_(SELECT_$1_UNION_SELECT_w_FROM_t)_SELECT_w_FROM_t D:S: S",
			"parsed params1 (w) I"},
		{"wrong count", "P:w:SELECT_$1 B::w S", "parsed 08P01 I"},
		{"statements without rows", "P::CREATE_CORPUS_c D:S: B:: D:P: E:: S Q:DROP_CORPUS_c",
			"parsed params0 nodata bound nodata CREATE_CORPUS I DROP_CORPUS I"},
		{"block", "Q:BEGIN Q:SELECT_1 Q:COMMIT", "BEGIN T (column) 1 SELECT_1 T COMMIT I"},
		{"failed block", "Q:BEGIN Q:SELEC Q:SELECT_1 Q:COMMIT", "BEGIN T 42601 E 25P02 E ROLLBACK I"},
		{"failed block, extended", "Q:BEGIN P::SELEC S P::SELECT_1 S P::ROLLBACK B:: E:: S",
			"BEGIN T 42601 E 25P02 E parsed bound ROLLBACK I"},
		{"what cannot be undone, in a block", "Q:BEGIN Q:COMPACT Q:ROLLBACK", "BEGIN T 25001 E ROLLBACK I"},
		{"error in rows", "Q:SELECT_1_/_(n_-_1)_FROM_(SELECT_1_AS_n)_AS_t", "(column) 22012 I"},
		{"copy out of an unknown corpus", "Q:COPY_nix_TO_STDOUT_FORMAT_csv", "42704 I"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, addr := start(t, Options{})
			pg := connect(t, addr, "").PgConn()
			if got := speak(t, pg.Frontend(), c.script); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestResultFormats binds formats for columns that a statement may not have.
func TestResultFormats(t *testing.T) {
	_, _, addr := start(t, Options{})
	r := loginRaw(t, addr)
	for _, c := range []struct {
		statement string
		formats   []int16
		want      string
	}{
		{"SET TimeZone = 'UTC'", []int16{0, 1}, "parsed bound SET I"},
		{"SELECT 1, 2", []int16{0, 0}, "parsed bound 1,2 SELECT_1 I"},
		{"SELECT 1, 2", []int16{0, 0, 0}, "parsed ERROR_08P01 I"},
		{"SELECT 1, 2", []int16{2}, "parsed ERROR_22023 I"},
	} {
		r.send(&pgproto3.Parse{Query: c.statement}, &pgproto3.Bind{ResultFormatCodes: c.formats}, &pgproto3.Execute{},
			&pgproto3.Sync{})
		if got := r.until("Z"); got != c.want {
			t.Errorf("%s with %v: %s, want %s", c.statement, c.formats, got, c.want)
		}
	}
}

// TestTooManyColumns refuses results of which a client could not be told.
func TestTooManyColumns(t *testing.T) {
	if _, err := newLayout(make([]db.Column, maxColumns), nil); err != nil {
		t.Error(err)
	}
	if _, err := newLayout(make([]db.Column, maxColumns+1), nil); sqlstate(err) != "54011" {
		t.Error(err)
	}
}
