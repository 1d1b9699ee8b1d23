package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parlance/db"
)

// Bounds of an iteration with two workers, in seconds, by data, rank and types.
var iterationBounds = map[string]float64{"kinship 50": 0.003, "FB15k-237 100": 0.3, "FB15k-237 300": 3,
	"FB15k-237 100 typed": 1.2}

// kbSpeed measures decompositions: an iteration by rank, by types and by the number of triples, and
// completion through the language.
func (b *bench) kbSpeed() error {
	t := b.table("Decomposition: seconds an iteration", "data", "rank", "types", "processor, 1 worker", "wall, 1 worker",
		"wall, 2 workers", "heap, MB")
	for _, c := range []struct {
		data  string
		ranks []int
		typed bool
	}{{"kinship", []int{50}, false}, {"kinship", []int{50}, true}, {"WN18RR", []int{100}, false},
		{"FB15k-237", []int{25, 50, 100, 200, 300}, false}, {"FB15k-237", b.typedRanks(), true}} {
		p, err := tensorOf(b.file("kb", c.data, "train.txt"), 1, c.typed)
		if err != nil {
			return err
		}
		for _, rank := range c.ranks {
			if err := b.iterationRow(t, c.data, rank, c.typed,
				func(workers, n int) (cost, error) { return b.iteration(p, rank, workers, n) }); err != nil {
				return err
			}
		}
	}
	if err := b.kbGrowth(); err != nil {
		return err
	}
	if err := b.kbDense(); err != nil {
		return err
	}
	return b.kbQueries()
}

func (b *bench) typedRanks() []int {
	if b.Large {
		return []int{25, 50, 100, 200, 300}
	}
	return []int{25, 50, 100}
}

// iterationRow measures with one worker and with two.
func (b *bench) iterationRow(t *table, data string, rank int, typed bool,
	measure func(workers, n int) (cost, error)) error {
	n := 3
	if rank <= 50 {
		n = 9
	}
	one, err := measure(1, n)
	if err != nil {
		return err
	}
	two, err := measure(2, n)
	if err != nil {
		return err
	}
	name, types := fmt.Sprintf("%s %d", data, rank), "none"
	if typed {
		name, types = name+" typed", "by side"
	}
	t.add(data, fmt.Sprint(rank), types, fmt.Sprintf("%.4f", one.processor), fmt.Sprintf("%.4f", one.wall),
		fmt.Sprintf("%.4f", two.wall), fmt.Sprintf("%.0f", one.heap))
	fmt.Fprintf(b.log, "  %s: %.4f s on one processor, %.4f s with two workers\n", name, one.processor, two.wall)
	if bound, ok := iterationBounds[name]; ok {
		b.bounded("iteration, "+name, "%.4f s", two.wall, atMost(bound), "2 workers")
	}
	return nil
}

// kbGrowth measures an iteration by the number of triples.
func (b *bench) kbGrowth() error {
	t := b.table("Decomposition of FB15k-237 at rank 100: processor seconds an iteration by triples", "triples",
		"none", "by side")
	for _, every := range []int{8, 4, 2, 1} {
		row := make([]string, 3)
		for i, typed := range []bool{false, true} {
			p, err := tensorOf(b.file("kb", "FB15k-237", "train.txt"), every, typed)
			if err != nil {
				return err
			}
			n := 0
			for _, r := range p.Relations {
				n += len(r.Subjects)
			}
			c, err := b.iteration(p, 100, 1, 3)
			if err != nil {
				return err
			}
			row[0], row[i+1] = fmt.Sprint(n), fmt.Sprintf("%.3f", c.processor)
		}
		t.add(row...)
	}
	return nil
}

// kbDense compares with all rows in every product, which is what the paper's figures compare types
// with.
func (b *bench) kbDense() error {
	ranks := []int{50}
	if b.Large {
		ranks = []int{50, 100}
	}
	t := b.table("FB15k-237: processor seconds an iteration, rows that a relation lacks computed or left out", "rank",
		"all rows", "none", "by side", "all rows / none", "all rows / by side", "start")
	plain, err := tensorOf(b.file("kb", "FB15k-237", "train.txt"), 1, false)
	if err != nil {
		return err
	}
	typed, err := tensorOf(b.file("kb", "FB15k-237", "train.txt"), 1, true)
	if err != nil {
		return err
	}
	for _, rank := range ranks {
		all, err := b.denseIteration(plain, rank)
		if err != nil {
			return err
		}
		none, err := b.iteration(plain, rank, 1, 5)
		if err != nil {
			return err
		}
		sides, err := b.iteration(typed, rank, 1, 3)
		if err != nil {
			return err
		}
		start, err := b.started(plain, rank)
		if err != nil {
			return err
		}
		t.add(fmt.Sprint(rank), fmt.Sprintf("%.2f", all), fmt.Sprintf("%.3f", none.processor),
			fmt.Sprintf("%.3f", sides.processor),
			fmt.Sprintf("%.0f", all/none.processor), fmt.Sprintf("%.1f", all/sides.processor), fmt.Sprintf("%.2f", start))
	}
	return nil
}

const kbLoad = `CREATE KB train; LOAD '$FILES/train.txt' INTO train FORMAT triples;
CREATE KB valid; LOAD '$FILES/valid.txt' INTO valid FORMAT triples;
CREATE KB test; LOAD '$FILES/test.txt' INTO test FORMAT triples;`

// kbSession opens a database with the knowledge bases train, valid and test.
func (b *bench) kbSession(data ...string) (*db.DB, *db.Conn, error) {
	d, c, err := b.session("kb-" + strings.Join(data, "-"))
	if err != nil {
		return nil, nil, err
	}
	if err := b.script(c, strings.ReplaceAll(kbLoad, "$FILES", b.file(append([]string{"kb"}, data...)...))); err != nil {
		d.Close()
		return nil, nil, err
	}
	return d, c, nil
}

// kbQueries measures training, completion and ranking by statements.
func (b *bench) kbQueries() error {
	d, c, err := b.kbSession("FB15k-237")
	if err != nil {
		return err
	}
	defer os.Remove(d.Path())
	defer d.Close()
	sec, err := b.timed(c, "TRAIN trescal AS m ON train WITH (rank = 100, types = none, tolerance = 0)")
	if err != nil {
		return err
	}
	b.add("TRAIN trescal, FB15k-237, rank 100, 10 iterations", fmt.Sprintf("%.1f s", sec), "",
		"start and reading included")
	if sec, err = b.timed(c, "EVALUATE m ON test, valid AS known WITH (samples = 0)"); err != nil {
		return err
	}
	b.bounded("EVALUATE, filtered ranks of 40,932 queries", "%.1f s", sec, atMost(7), "")
	times, err := b.completions(c, 300)
	if err != nil {
		return err
	}
	b.bounded("ten best completions, statement to rows, median", "%.3f ms", 1000*times[len(times)/2], atMost(1),
		fmt.Sprintf("%.3f ms at the 95th percentile", 1000*times[len(times)*95/100]))
	if err := d.Close(); err != nil {
		return err
	}
	return b.kbOpened(filepath.Join(b.Dir, "kb-FB15k-237.parlance"))
}

// kbOpened times the first answer of a fresh session.
func (b *bench) kbOpened(path string) error {
	start := time.Now()
	d, err := db.Open(path, db.Options{})
	if err != nil {
		return err
	}
	defer d.Close()
	times, err := b.completions(d.Conn(), 1)
	if err != nil {
		return err
	}
	b.add("opening the file and the first completion", fmt.Sprintf("%.0f ms", 1000*time.Since(start).Seconds()), "",
		fmt.Sprintf("%.0f ms of it the statement", 1000*times[0]))
	return nil
}

// completions times the ten best objects of subjects and relations of the test triples, sorted.
func (b *bench) completions(c *db.Conn, n int) ([]float64, error) {
	rows, err := c.Query(b.ctx, fmt.Sprintf("SELECT subject, relation FROM test.triples LIMIT %d", n))
	if err != nil {
		return nil, err
	}
	var pairs [][2]string
	for rows.Next() {
		var p [2]string
		if err := rows.Scan(&p[0], &p[1]); err != nil {
			return nil, err
		}
		pairs = append(pairs, p)
	}
	rows.Close()
	if err := rows.Err(); err != nil {
		return nil, err
	}
	var times []float64
	for _, p := range pairs {
		start := time.Now()
		rows, err := c.Query(b.ctx, "SELECT object, score FROM m.complete(subject => $1, relation => $2) LIMIT 10",
			p[0], p[1])
		if err != nil {
			return nil, err
		}
		for rows.Next() {
			var object string
			var score float64
			if err := rows.Scan(&object, &score); err != nil {
				return nil, err
			}
		}
		rows.Close()
		if err := rows.Err(); err != nil && !strings.Contains(err.Error(), "knows no") {
			return nil, err
		}
		times = append(times, time.Since(start).Seconds())
	}
	slices.Sort(times)
	return times, nil
}
