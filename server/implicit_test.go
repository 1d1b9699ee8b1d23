package server

import "testing"

// TestGroups compares what statements that are sent in one piece leave behind with what PostgreSQL leaves.
func TestGroups(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"script", "Q:INSERT_INTO_l_VALUES_('a');_DELETE_FROM_m;_SELECT_k_FROM_l;_INSERT_INTO_l_VALUES_('b')",
			"INSERT_0_1 DELETE_1 (k) a SELECT_1 INSERT_0_1 I (k) a b SELECT_2 I (k) SELECT_0 I"},
		{"script with an error", "Q:INSERT_INTO_l_VALUES_('a');_DELETE_FROM_m;_SELECT_1_/_0_FROM_l",
			"INSERT_0_1 DELETE_1 22012 I (k) SELECT_0 I (k) m SELECT_1 I"},
		{"script with COMMIT", "Q:INSERT_INTO_l_VALUES_('a');_COMMIT;_DELETE_FROM_m;_SELECT_1_/_0_FROM_l",
			"INSERT_0_1 COMMIT DELETE_1 22012 I (k) a SELECT_1 I (k) m SELECT_1 I"},
		{"script with ROLLBACK", "Q:INSERT_INTO_l_VALUES_('a');_ROLLBACK;_DELETE_FROM_m",
			"INSERT_0_1 ROLLBACK DELETE_1 I (k) SELECT_0 I (k) SELECT_0 I"},
		{"script that opens a block", "Q:INSERT_INTO_l_VALUES_('a');_BEGIN;_DELETE_FROM_m Q:ROLLBACK",
			"INSERT_0_1 BEGIN DELETE_1 T ROLLBACK I (k) SELECT_0 I (k) m SELECT_1 I"},
		{"script that goes back to a savepoint",
			"Q:INSERT_INTO_l_VALUES_('a');_BEGIN;_SAVEPOINT_s;_DELETE_FROM_m;_ROLLBACK_TO_s;_COMMIT",
			"INSERT_0_1 BEGIN SAVEPOINT DELETE_1 ROLLBACK COMMIT I (k) a SELECT_1 I (k) m SELECT_1 I"},
		{"what cannot be undone publishes", "Q:INSERT_INTO_l_VALUES_('a');_COMPACT;_DELETE_FROM_m;_SELECT_1_/_0_FROM_l",
			"INSERT_0_1 COMPACT DELETE_1 22012 I (k) a SELECT_1 I (k) m SELECT_1 I"},
		{"script that makes objects",
			"Q:CREATE_LEXICON_n_(k_TEXT);_INSERT_INTO_n_VALUES_('a');_DROP_LEXICON_m;_SELECT_1_/_0_FROM_n Q:SELECT_k_FROM_n",
			"CREATE_LEXICON INSERT_0_1 DROP_LEXICON 22012 I 42P01 I (k) SELECT_0 I (k) m SELECT_1 I"},
		{"script that alters", "Q:ALTER_LEXICON_m_ADD_COLUMN_n_INT;_CREATE_INDEX_ON_m_(n);_INSERT_INTO_m_VALUES_('b'," +
			"_2);_ALTER_LEXICON_l_RENAME_TO_o;_SELECT_k_FROM_m_WHERE_n_=_2;_SELECT_1_/_0_FROM_m",
			"ALTER_LEXICON CREATE_INDEX INSERT_0_1 ALTER_LEXICON (k) b SELECT_1 22012 I (k) SELECT_0 I (k) m SELECT_1 I"},
		{"pipeline that alters", "P::ALTER_LEXICON_m_ADD_COLUMN_n_INT B:: E:: P::CREATE_INDEX_ON_m_(n) B:: E:: " +
			"P::INSERT_INTO_m_VALUES_('b',_2) B:: E:: S P::ALTER_LEXICON_m_RENAME_COLUMN_k_TO_q B:: E:: P::SELEC S",
			"parsed bound ALTER_LEXICON parsed bound CREATE_INDEX parsed bound INSERT_0_1 I parsed bound ALTER_LEXICON 42601 " +
				"I (k) SELECT_0 I (k) m b SELECT_2 I"},
		{"pipeline", "P::INSERT_INTO_l_VALUES_('a') B:: E:: P::DELETE_FROM_m B:: E:: S",
			"parsed bound INSERT_0_1 parsed bound DELETE_1 I (k) a SELECT_1 I (k) SELECT_0 I"},
		{"pipeline with an error",
			"P::INSERT_INTO_l_VALUES_('a') B:: E:: P::SELECT_1_/_0_FROM_l B:: E:: P::DELETE_FROM_m B:: E:: S",
			"parsed bound INSERT_0_1 22012 I (k) SELECT_0 I (k) m SELECT_1 I"},
		{"pipeline with an error of syntax", "P::INSERT_INTO_l_VALUES_('a') B:: E:: P::SELEC S",
			"parsed bound INSERT_0_1 42601 I (k) SELECT_0 I (k) m SELECT_1 I"},
		{"pipeline with COMMIT",
			"P::INSERT_INTO_l_VALUES_('a') B:: E:: P::COMMIT B:: E:: P::DELETE_FROM_m B:: E:: P::SELEC S",
			"parsed bound INSERT_0_1 parsed bound COMMIT parsed bound DELETE_1 42601 I (k) a SELECT_1 I (k) m SELECT_1 I"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, addr := start(t, Options{})
			pg := connect(t, addr, "").PgConn()
			speak(t, pg.Frontend(), "Q:CREATE_LEXICON_l_(k_TEXT) Q:CREATE_LEXICON_m_(k_TEXT) Q:INSERT_INTO_m_VALUES_('m')")
			if got := speak(t, pg.Frontend(), c.script+" Q:SELECT_k_FROM_l Q:SELECT_k_FROM_m"); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestGroupsOfKnowledgeBases: changes of knowledge bases in one piece are one transaction.
func TestGroupsOfKnowledgeBases(t *testing.T) {
	_, _, addr := start(t, Options{})
	r := loginRaw(t, addr)
	const insert = "INSERT INTO f.triples (subject, relation, object) VALUES "
	for _, step := range []struct{ query, want string }{
		{"CREATE KB f", "CREATE_KB I"},
		{insert + "('a', 'r', 'b'); " + insert + "('a', 'r', 'c'); SELECT 1 / 0 FROM f.triples",
			"INSERT_0_1 INSERT_0_1 ERROR_22012 I"},
		{"SELECT object FROM f.triples ORDER BY object", "(object) SELECT_0 I"},
		{insert + "('a', 'r', 'b'); DELETE FROM f.triples; " + insert + "('a', 'r', 'c')",
			"INSERT_0_1 DELETE_1 INSERT_0_1 I"},
		{"SELECT object FROM f.triples ORDER BY object", "(object) c SELECT_1 I"},
	} {
		if got := r.query(step.query); got != step.want {
			t.Errorf("%s: %s, want %s", step.query, got, step.want)
		}
	}
}

// TestPortalsOfBlocks: portals end where their transaction block ends or goes back to a savepoint before them.
func TestPortalsOfBlocks(t *testing.T) {
	const open = "P::SELECT_i_FROM_(VALUES_(1),_(2),_(3))_AS_g_(i) B:q: "
	for _, c := range []struct{ name, script, want string }{
		{"end of the block", "Q:BEGIN " + open + "E:q:1 S Q:ROLLBACK E:q:1 S",
			"BEGIN T parsed bound 1 suspended T ROLLBACK I 34000 I"},
		{"another block", "Q:BEGIN " + open + "E:q:1 S Q:COMMIT_AND_CHAIN " + open + "E:q:1 S",
			"BEGIN T parsed bound 1 suspended T COMMIT T parsed bound 1 suspended T"},
		{"failed block", "Q:BEGIN " + open + "E:q:1 S Q:SELEC E:q:1 S", "BEGIN T parsed bound 1 suspended T 42601 E 25P02 E"},
		{"after its savepoint", "Q:BEGIN;_SAVEPOINT_s " + open + "E:q:1 S Q:SELEC Q:ROLLBACK_TO_s E:q:1 S",
			"BEGIN SAVEPOINT T parsed bound 1 suspended T 42601 E ROLLBACK T 34000 E"},
		{"before its savepoint", "Q:BEGIN " + open + "E:q:1 S Q:SAVEPOINT_s Q:SELEC Q:ROLLBACK_TO_s E:q:1 S",
			"BEGIN T parsed bound 1 suspended T SAVEPOINT T 42601 E ROLLBACK T 2 suspended T"},
		{"after a savepoint that was released",
			"Q:BEGIN;_SAVEPOINT_r;_SAVEPOINT_s " + open +
				"E:q:1 S Q:RELEASE_s;_SAVEPOINT_t;_ROLLBACK_TO_t E:q:1 S Q:ROLLBACK_TO_r E:q:1 S",
			"BEGIN SAVEPOINT SAVEPOINT T parsed bound 1 suspended T RELEASE SAVEPOINT ROLLBACK T 2 suspended T " +
				"ROLLBACK T 34000 E"},
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

// TestFailedBlocksHoldNothing: what a failed block has changed is undone at once, so that nobody waits for it.
func TestFailedBlocksHoldNothing(t *testing.T) {
	_, _, addr := start(t, Options{})
	one, other := loginRaw(t, addr), loginRaw(t, addr)
	for _, step := range []struct {
		who         *raw
		query, want string
	}{
		{one, "CREATE LEXICON l (k TEXT)", "CREATE_LEXICON I"},
		{one, "BEGIN; INSERT INTO l VALUES ('a'); SELEC", "ERROR_42601 I"},
		{one, "BEGIN; INSERT INTO l VALUES ('a')", "BEGIN INSERT_0_1 T"},
		{one, "SELECT 1 / 0 FROM l", "ERROR_22012 E"},
		{other, "SET lock_timeout = 10000", "SET I"},
		{other, "INSERT INTO l VALUES ('b')", "INSERT_0_1 I"},
		{one, "COMMIT", "ROLLBACK I"},
		{one, "SELECT k FROM l", "(k) b SELECT_1 I"},
	} {
		if got := step.who.query(step.query); got != step.want {
			t.Errorf("%s: %s, want %s", step.query, got, step.want)
		}
	}
}
