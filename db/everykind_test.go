package db_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parlance/algo"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	doctext "parlance/algo/text"
	"parlance/db"
	"parlance/storage/value"
)

// goldRows inserts gold of a layer for document %[1]d of a corpus %[2]s, which has four tokens: an article, a noun, a
// verb and a noun. The documents with odd numbers differ from the others in the first noun and in labels, %[3]s.
var goldRows = map[string]string{
	"chunks":   "(doc, sent, tok_start, tok_end, label) VALUES ('%[1]d', 1, 1, 2, '%[3]s')",
	"entities": "(doc, sent, tok_start, tok_end, label) VALUES ('%[1]d', 1, 2, 2, '%[3]s')",
	"segments": "(doc, sent, tok_start, tok_end, label)" +
		" VALUES ('%[1]d', 1, 1, 2, '%[3]s'), ('%[1]d', 1, 3, 4, 'rest')",
	"dependencies": "(doc, sent, tok, head, deprel)" +
		" VALUES ('%[1]d', 1, 1, 2, 'det'), ('%[1]d', 1, 2, 3, 'nsubj'), ('%[1]d', 1, 3, 0, 'root'), " +
		"('%[1]d', 1, 4, 3, 'obj')",
	"constituents": "(doc, sent, node, parent, label, tok_start, tok_end)" +
		" VALUES ('%[1]d', 1, 1, 0, 'S', 1, 4), ('%[1]d', 1, 2, 1, 'NP', 1, 2), ('%[1]d', 1, 3, 1, 'VP', 3, 4)",
	"mentions": "(doc, mention, cluster, sent, tok_start, tok_end, kind)" +
		" VALUES ('%[1]d', 1, 'a', 1, 1, 2, '%[3]s'), ('%[1]d', 2, 'a', 1, 4, 4, '%[3]s')",
	"roles": "(doc, sent, predicate, sense, label, tok_start, tok_end)" +
		" VALUES ('%[1]d', 1, 3, 's', 'V', 3, 3), ('%[1]d', 1, 3, 's', 'A0', 1, 2)",
	"edits": "(doc, sent, char_start, char_end, correction, type) VALUES ('%[1]d', 1, 0, 3, 'a', '%[3]s')",
	"relations": "(doc, sent, label, subject_start, subject_end, object_start, object_end)" +
		" VALUES ('%[1]d', 1, '%[3]s', 4, 7, 8, 11)",
	"alignments": "(doc, sent, tok, other_doc, other_sent, other_tok, label) SELECT '%[1]d', 1, tok, '%[4]d', 1, " +
		"tok, 'sure'" +
		" FROM %[2]s.tokens WHERE doc = '%[1]d' AND %[4]d < %[1]d",
	"labels": "(doc, label) VALUES ('%[1]d', '%[3]s')",
}

// goldTokens is what columns of tokens hold.
var goldTokens = map[string]string{
	"lemma": "form",
	"upos":  "CASE form WHEN 'the' THEN 'DET' WHEN 'saw' THEN 'VERB' ELSE 'NOUN' END",
	"xpos":  "CASE form WHEN 'the' THEN 'DT' WHEN 'saw' THEN 'VBD' ELSE 'NN' END",
	"feats": "'A=b'",
	"misc":  "'M=c'",
}

// TestGoldForEveryLayer: a new layer has gold for the kinds that learn it.
func TestGoldForEveryLayer(t *testing.T) {
	for _, l := range doctext.Builtin {
		_, ok := goldRows[l.Name]
		if own := l == doctext.Sentences || l == doctext.Tokens || l == doctext.Words; ok == own {
			t.Errorf("gold of layer %s: %v", l.Name, ok)
		}
	}
}

// inPairs reports whether a kind takes documents in pairs.
func inPairs(s *kind.Schema) bool { return slices.Contains(s.DocumentFields(), "pair") }

// corpusOf makes a corpus with what a schema reads and learns: its layers, its metadata columns, and nothing else.
func corpusOf(t *testing.T, c *db.Conn, name string, s *kind.Schema, more []kind.LayerUse) {
	t.Helper()
	var columns []string
	for _, f := range s.DocumentFields() {
		columns = append(columns, fmt.Sprintf("%q text", f))
	}
	create := "CREATE CORPUS " + name
	if len(columns) > 0 {
		create += " (" + strings.Join(columns, ", ") + ")"
	}
	script(t, c, create)
	for i := range 12 {
		noun, label := [2]string{"dog", "cat"}[i%2], [2]string{"D", "C"}[i%2]
		if inPairs(s) {
			noun = [2]string{"dog", "cat"}[i/2%2]
		}
		script(t, c, fmt.Sprintf("INSERT INTO %s (id, text) VALUES ('%d', 'the %s saw mice')", name, i, noun))
		for _, f := range s.DocumentFields() {
			value := label
			switch {
			case f == "pair":
				value = fmt.Sprint(i / 2)
			case f == "label":
				value = [2]string{"true", "false"}[i%2]
			case f == "term", f == "title":
				value = "mice"
			case inPairs(s):
				value = [2]string{"target", "source"}[i%2]
			}
			script(t, c, fmt.Sprintf("UPDATE %s SET %q = '%s' WHERE id = '%d'", name, f, value, i))
		}
		done := map[string]bool{}
		for _, u := range slices.Concat(s.Reads, s.Learns, more) {
			rows := goldRows[u.Layer]
			if done[u.Layer] || rows == "" {
				continue
			}
			done[u.Layer] = true
			script(t, c, fmt.Sprintf("INSERT INTO %[2]s."+u.Layer+" "+rows, i, name, label, i^1))
		}
	}
	for _, u := range slices.Concat(s.Reads, s.Learns, more) {
		for _, column := range u.Columns {
			if x, ok := goldTokens[column]; ok && u.Layer == doctext.Tokens.Name {
				script(t, c, fmt.Sprintf("UPDATE %s.tokens SET %s = %s", name, column, x))
			}
		}
	}
}

// tableOf makes a lexicon with the columns of a table that a role takes.
func tableOf(t *testing.T, c *db.Conn, name string, u kind.TableUse) {
	t.Helper()
	var columns, values []string
	for i, x := range u.Columns {
		columns = append(columns, fmt.Sprintf("%q %s", x.Name, x.Type))
		v := "1"
		switch {
		case x.Type == value.Text && i == 0:
			v = "'dog'"
		case x.Type == value.Text:
			v = "'D'"
		case x.Type == value.Boolean:
			v = "true"
		}
		values = append(values, v)
	}
	script(t, c, fmt.Sprintf("CREATE LEXICON %s (%s); INSERT INTO %[1]s VALUES (%[3]s)", name, strings.Join(columns,
		", "), strings.Join(values, ", ")))
}

// TestEveryKindTunes searches with every kind that learns from documents and writes a layer, on what its schema asks
// for, by the main metric of the layer, and reads the trace of the model that is kept.
func TestEveryKindTunes(t *testing.T) {
	toys := []kind.Kind{kindtest.GroupKind(), kindtest.CorpusKind(), kindtest.ParserKind(), kindtest.RolesKind(),
		kindtest.RankedKind(),
		kindtest.FieldsKind(), kindtest.EntitiesKind()}
	d, err := db.Open("", db.Options{Kinds: toys})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	for i, k := range slices.Concat(algo.Kinds(), toys) {
		m := k.New()
		m.Options(&option.Set{})
		s := m.Schema()
		if len(s.Tables) > 0 || len(s.Writes) == 0 || k.Name == "translator" || // which scores itself, as TUNE cannot
			k.Name == "relation_acquirer" { // which wants trees with the paths of its first stage
			continue
		}
		corpus := fmt.Sprintf("docs%d", i)
		corpusOf(t, c, corpus, &s, s.Writes)
		on := corpus
		for _, r := range s.Roles {
			switch role := fmt.Sprintf("%s_%s", corpus, r.Name); {
			case r.Optional:
			case len(r.Tables) > 0:
				tableOf(t, c, role, r.Tables[0])
				on += fmt.Sprintf(", %s AS %s", role, r.Name)
			default:
				corpusOf(t, c, role, &kind.Schema{Reads: slices.Concat(r.Reads, r.Learns)}, nil)
				on += fmt.Sprintf(", %s AS %s", role, r.Name)
			}
		}
		how, scores := "FOLDS 2", 4
		if s.Unit == kind.PerCorpus { // folds would cut it
			corpusOf(t, c, corpus+"_dev", &s, s.Writes)
			how, scores = "VALIDATE ON "+corpus+"_dev", 2
		}
		tunes(t, c, k.Name, on, corpus, how, scores)
		if got := text(t, c, fmt.Sprintf("SELECT min(score) FROM %s.tuning WHERE score <= 0.2",
			k.Name)); i < len(algo.Kinds()) && got != "min\n∅\n" {
			t.Errorf("%s learns next to nothing: %s", k.Name, got)
		}
	}
}

func tunes(t *testing.T, c *db.Conn, name, on, corpus, how string, scores int) {
	t.Helper()
	with := ""
	if name == "depparser" {
		with = " WITH (bits = 10)" // a table of weights as small as the sentences
	}
	if name == "definition" {
		with = " WITH (min_surface = 2)" // patterns of few sentences
	}
	if name == "boost_reranker" || name == "hidden_reranker" { // they choose among the trees of another model
		script(t, c, fmt.Sprintf("TRAIN pcfg AS %s_trees ON %s", corpus, corpus))
		with = fmt.Sprintf(" WITH (base = '%s_trees', rounds = 10)", corpus)
	}
	probe := fmt.Sprintf("TRAIN %s AS probe ON %s%s", name, on, with)
	if _, err := c.Exec(context.Background(), probe); err != nil {
		t.Errorf("%s: %v", probe, err)
		return
	}
	movesAndReplays(t, c, name)
	metric := strings.Split(text(t, c,
		"SELECT metric FROM (EVALUATE probe ON "+corpus+" WITH (samples = 0)) e LIMIT 1"), "\n")[1]
	script(t, c, "DROP MODEL probe")
	if _, err := c.Exec(context.Background(), fmt.Sprintf("TUNE %s ON %s %s OVER (seed = (1, 2)) METRIC '%s'%s", name,
		on, how, metric, with)); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if got := text(t, c, fmt.Sprintf("SELECT count(*) FROM %s.tuning WHERE score IS NOT NULL",
		name)); got != fmt.Sprintf("count\n%d\n", scores) {
		t.Errorf("%s: %s", name, got)
	}
	script(t, c, fmt.Sprintf("COPY (SELECT step, objective FROM %s.trace) TO '%s' FORMAT svg", name,
		filepath.Join(t.TempDir(), "trace.svg")))
}

// movesAndReplays: the model probe can be copied to a file and loaded again, and its training gives the same weights
// again.
func movesAndReplays(t *testing.T, c *db.Conn, name string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "probe.model")
	for _, s := range []string{"COPY MODEL probe TO '" + file + "'", "LOAD '" + file + "' INTO MODEL moved",
		"DROP MODEL moved"} {
		if _, err := c.Exec(context.Background(), s); err != nil {
			t.Errorf("%s: %s: %v", name, s, err)
			return
		}
	}
	if got := record(t, c, "REPLAY probe"); got["equal"] != "true" {
		t.Errorf("%s: REPLAY: %v", name, got)
	}
}

// TestKindsAreShown: SHOW KINDS and the catalog list every kind with what it says of itself.
func TestKindsAreShown(t *testing.T) {
	c := open(t, "").Conn()
	for _, statement := range []string{"SHOW KINDS", "SELECT name, doc FROM system.kinds"} {
		got := text(t, c, statement)
		for _, k := range algo.Kinds() {
			if !strings.Contains(got, "\n"+k.Name+"\t"+k.Doc) {
				t.Errorf("%s lacks %s", statement, k.Name)
			}
		}
	}
}
