package db_test

import "testing"

// TestSourceHashOfStoredHashes: what a training has read has the same hash whether the documents store nothing else, so
// that the hashes stored with them serve, or a layer more, so that they are hashed anew; and another one where a
// document has changed.
func TestSourceHashOfStoredHashes(t *testing.T) {
	c := open(t, "").Conn()
	run := func(statements string) {
		t.Helper()
		script(t, c, statements)
	}
	source := func() string {
		t.Helper()
		run("TRAIN svm AS m ON p WITH (layer = labels, calibration = none)")
		return text(t, c, "SELECT source FROM m.versions ORDER BY version DESC LIMIT 1")
	}
	run(`CREATE CORPUS p; INSERT INTO p (id, text) VALUES ('1', 'a b c'), ('2', 'b c d'), ('3', 'e');
		INSERT INTO p.labels (doc, label) VALUES ('1', 'u'), ('2', 'v'), ('3', 'v'); DELETE FROM p WHERE id = '3'`)
	stored := source()
	run("INSERT INTO p.entities (doc, sent, tok_start, tok_end, label) VALUES ('1', 1, 1, 2, 'X')")
	if anew := source(); anew != stored {
		t.Errorf("with a layer more that is not read the source is %s, want %s", anew, stored)
	}
	run("DELETE FROM p.entities")
	if again := source(); again != stored {
		t.Errorf("without the layer the source is %s, want %s", again, stored)
	}
	run("UPDATE p.labels SET label = 'u' WHERE doc = '2'; INSERT INTO p (id, text) VALUES ('4', 'f'); " +
		"INSERT INTO p.labels (doc, label) VALUES ('4', 'v')")
	if other := source(); other == stored {
		t.Error("with another label the source is the same")
	}
}
