package main

import (
	"fmt"
	"os"
	"path"
	"strings"

	"parlance/db"
)

// completer is a kind that completes knowledge bases, with the settings among which the validation
// triples choose.
type completer struct {
	name, kind string
	settings   []string
	large      []string // for data of more than 10,000 entities
}

// completers are those that are compared.
var completers = []completer{
	{"rescal", "trescal", grid("types = none, iterations = 20", []int{25, 50, 80}, []float64{0.1, 1, 10, 30}),
		grid("types = none", []int{50, 100, 200}, []float64{1, 5, 10})},
	{"trescal", "trescal", grid("types = induced, iterations = 20", []int{25, 50, 80}, []float64{0.1, 1, 10, 30}),
		grid("types = induced", []int{50, 100}, []float64{1, 5, 10})},
	{"transe", "transe",
		[]string{translation("margin = 1, rate = 0.01, dim = 50"), translation("margin = 2, rate = 0.01, dim = 50"),
			translation("margin = 4, rate = 0.01, dim = 100"), translation("margin = 2, rate = 0.03, dim = 100")},
		[]string{"dim = 100, margin = 4, epochs = 60, corruption = bernoulli, corruptions = 5, filtered = true",
			"norm = l2, dim = 100, epochs = 60, corruption = bernoulli, corruptions = 5, filtered = true"}},
	{"universal_schema", "universal_schema", []string{"l2 = 0.03, epochs = 50", "l2 = 0.1, epochs = 50"},
		[]string{"model = e, epochs = 20"}},
}

// translation is a setting of transe for small data.
func translation(s string) string {
	return "norm = l1, " + s + ", batches = 20, corruptions = 4, filtered = true, epochs = 80"
}

// grid combines ranks with penalties.
func grid(fixed string, ranks []int, penalties []float64) []string {
	var out []string
	for _, r := range ranks {
		for _, l := range penalties {
			out = append(out, fmt.Sprintf("%s, rank = %d, l2 = %g", fixed, r, l))
		}
	}
	return out
}

// kbData are the knowledge bases by folder; large ones take minutes.
var kbData = []struct {
	folder string
	large  bool
}{{"kinship", false}, {"umls", false}, {"nations", false}, {"countries/countries_S1", false},
	{"countries/countries_S2", false}, {"countries/countries_S3", false}, {"WN18RR", true}, {"FB15k-237", true}}

// Protocols of the tables beside filtered ranks; types are checked in the second of each pair.
var kbTasks = []struct{ name, task, check string }{
	{"entity retrieval", "entity_retrieval", "false"}, {"entity retrieval, types checked", "entity_retrieval", "true"},
	{"relation retrieval", "relation_retrieval", "false"},
	{"relation retrieval, types checked", "relation_retrieval", "true"},
}

// kb compares kinds on small knowledge bases, kbLarge on those that take minutes, which it does only
// if asked: settings are chosen by the mean reciprocal rank of the validation triples, the test
// triples are read once.
func (b *bench) kb() error { return b.kbAll(false) }

func (b *bench) kbLarge() error {
	if !b.Large && b.Only != "kb-large" {
		return nil
	}
	return b.kbAll(true)
}

func (b *bench) kbAll(large bool) error {
	size := "small"
	if large {
		size = "large"
	}
	ranks := b.table("Completion of "+size+" knowledge bases: filtered ranks of test triples, both sides", "data", "kind",
		"mrr", "hits@1", "hits@3", "hits@10", "mrr without types", "settings, chosen on valid")
	columns := []string{"data", "kind"}
	for _, t := range kbTasks {
		columns = append(columns, t.name)
	}
	maps := b.table("Completion of "+size+
		" knowledge bases: mean average precision, 100 negatives a query, equal numbers for relations", columns...)
	for _, data := range kbData {
		if data.large != large {
			continue
		}
		if err := b.kbCompared(ranks, maps, data.folder, data.large); err != nil {
			return fmt.Errorf("%s: %w", data.folder, err)
		}
	}
	return nil
}

func (b *bench) kbCompared(ranks, maps *table, folder string, large bool) error {
	d, c, err := b.kbSession(strings.Split(folder, "/")...)
	if err != nil {
		return err
	}
	defer os.Remove(d.Path())
	defer d.Close()
	for _, k := range completers {
		if err := b.kbRow(c, ranks, maps, path.Base(folder), k, large); err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
	}
	return nil
}

// kbRow chooses settings, and scores the model of the best ones on the test triples.
func (b *bench) kbRow(c *db.Conn, ranks, maps *table, data string, k completer, large bool) error {
	settings := k.settings
	if large {
		settings = k.large
	}
	best, chosen, model := -1.0, "", ""
	for i, s := range settings {
		name := fmt.Sprintf("%s%d", k.name, i)
		if err := b.script(c, fmt.Sprintf("TRAIN %s AS %s ON train WITH (%s)", k.kind, name, s)); err != nil {
			return err
		}
		v, err := b.kbScores(c, name, "", "valid", "mrr")
		if err != nil {
			return err
		}
		fmt.Fprintf(b.log, "  %s, %s, %s: mrr %.4f on valid\n", data, k.name, s, v[0])
		if v[0] > best {
			best, chosen, model = v[0], s, name
		}
	}
	v, err := b.kbScores(c, model, "", "test, valid AS known", "mrr", "hits@1", "hits@3", "hits@10")
	if err != nil {
		return err
	}
	unchecked, err := b.kbScores(c, model, "WITH (type_check = 'false')", "test, valid AS known", "mrr")
	if err != nil {
		return err
	}
	cells := []string{data, k.name}
	for _, x := range append(v, unchecked...) {
		cells = append(cells, fmt.Sprintf("%.3f", x))
	}
	ranks.add(append(cells, chosen)...)
	return b.kbMaps(c, maps, data, k.name, model, strings.Contains(chosen, "types = induced"))
}

// kbMaps adds the row of mean average precisions.
func (b *bench) kbMaps(c *db.Conn, maps *table, data, name, model string, typed bool) error {
	cells := []string{data, name}
	for _, t := range kbTasks {
		if t.check == "true" && !typed {
			cells = append(cells, "")
			continue
		}
		v, err := b.kbScores(c, model, fmt.Sprintf("WITH (task = '%s', type_check = '%s')", t.task, t.check),
			"test, valid AS known", "map")
		if err != nil {
			return err
		}
		cells = append(cells, fmt.Sprintf("%.3f", v[0]))
	}
	maps.add(cells...)
	return nil
}

// kbScores are metrics of a model over all queries.
func (b *bench) kbScores(c *db.Conn, model, with, on string, metrics ...string) ([]float64, error) {
	var out []float64
	rows, err := c.Query(b.ctx,
		fmt.Sprintf("SELECT metric, value FROM (EVALUATE %s %s ON %s WITH (samples = 0)) AS e WHERE label = 'ALL'",
			model, with, on))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	values := map[string]float64{}
	for rows.Next() {
		var name string
		var v float64
		if err := rows.Scan(&name, &v); err != nil {
			return nil, err
		}
		values[name] = v
	}
	for _, m := range metrics {
		v, ok := values[m]
		if !ok && rows.Err() == nil {
			return nil, fmt.Errorf("EVALUATE gives no %s", m)
		}
		out = append(out, v)
	}
	return out, rows.Err()
}
