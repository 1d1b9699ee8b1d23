package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"parlance/db"
)

// options of run.
type options struct {
	Data  string // folder with the corpora
	Only  string // names that begin so are measured; "" for all
	Large bool   // also what needs a file of 1 GB or takes long
	Dir   string // folder for temporary databases

	Seconds int    // that each row of serve takes, 0 for 5
	Soak    int    // seconds over which serve looks whether memory grows, 0 for twice Seconds
	Program string // that runs in processes of its own, "" for one that is built
	Rows    string // of peers, those whose work contains it are measured; "" for all

	Epochs int    // of parsers, 0 for those that their kinds choose
	SVG    string // folder for plots, "" for none

	Bits    int   // of the tables of parsers, 0 for those that their kinds choose
	Lengths []int // of sentences that parse-growth times, nil for 10, 20, 40 and 80
}

// bench is a run of the benchmarks.
type bench struct {
	options
	ctx context.Context
	log io.Writer

	rows   []row
	tables []*table
}

// parts are the benchmarks by name.
var parts = []struct {
	name string
	run  func(*bench) error
}{
	{"crf", (*bench).crf},
	{"tagging", (*bench).tagging},
	{"classify", (*bench).classify},
	{"tag-growth", (*bench).tagGrowth},
	{"splitting", (*bench).splitting},
	{"load", (*bench).load},
	{"spans", (*bench).spans},
	{"index", (*bench).index},
	{"store", (*bench).store},
	{"relational", (*bench).relational},
	{"fulltext", (*bench).fulltext},
	{"accuracy", (*bench).accuracy},
	{"serve", (*bench).serve},
	{"parse-ewt", (*bench).parseEWT},
	{"parse-crossing", (*bench).parseCrossing},
	{"parse-growth", (*bench).parseGrowth},
	{"kb-store", (*bench).kbStore},
	{"kb-speed", (*bench).kbSpeed},
	{"kb-accuracy", (*bench).kb},
	{"kb-large", (*bench).kbLarge},
	{"words", (*bench).wordRelations},
	{"similarity", (*bench).similarity},
	{"peers", (*bench).peers},
	{"large", (*bench).large},
}

// names lists what options.Only chooses among.
func names() []string {
	var out []string
	for _, p := range parts {
		out = append(out, p.name)
	}
	return out
}

// run measures and writes a table in Markdown; progress goes to log.
func run(ctx context.Context, w, log io.Writer, o options) error {
	if !slices.ContainsFunc(names(), func(name string) bool { return strings.HasPrefix(name, o.Only) }) {
		return fmt.Errorf("no part begins with %s; parts are %s", o.Only, strings.Join(names(), ", "))
	}
	if o.Data == "" {
		return fmt.Errorf("PARLANCE_DATA names no folder with the corpora")
	}
	dir, err := os.MkdirTemp(o.Dir, "parlance-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	o.Dir = dir
	b := &bench{options: o, ctx: ctx, log: log}
	for _, s := range parts {
		if !strings.HasPrefix(s.name, o.Only) || s.name == "large" && !o.Large ||
			s.name == "peers" && s.name != o.Only { // it needs peers that have no packages

			continue
		}
		fmt.Fprintln(log, "measuring", s.name)
		if err := s.run(b); err != nil {
			b.print(w) // what was measured until then
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	b.print(w)
	return nil
}

func (b *bench) add(name, figure, bound, note string) {
	fmt.Fprintf(b.log, "  %s: %s %s\n", name, figure, note)
	b.rows = append(b.rows, row{name, figure, bound, note})
}

func (b *bench) file(parts ...string) string {
	return filepath.Join(append([]string{b.Data}, parts...)...)
}

// session opens a fresh database.
func (b *bench) session(name string) (*db.DB, *db.Conn, error) {
	d, err := db.Open(filepath.Join(b.Dir, name+".parlance"), db.Options{})
	if err != nil {
		return nil, nil, err
	}
	return d, d.Conn(), nil
}

// script runs statements, $DATA being the folder of the corpora.
func (b *bench) script(c *db.Conn, s string) error {
	return c.Script(b.ctx, strings.ReplaceAll(s, "$DATA", b.Data), nil)
}

// timed runs a statement and returns its seconds.
func (b *bench) timed(c *db.Conn, statement string) (float64, error) {
	start := time.Now()
	err := b.script(c, statement)
	return time.Since(start).Seconds(), err
}

// median is that of n runs of a statement, in seconds.
func (b *bench) median(n int, f func() (float64, error)) (float64, error) {
	var all []float64
	for range n {
		s, err := f()
		if err != nil {
			return 0, err
		}
		all = append(all, s)
	}
	sort.Float64s(all)
	return all[len(all)/2], nil
}

// taken is what a statement took, in seconds by the clock and of the processor. On a machine that
// others share the latter tells two revisions apart where the former cannot.
type taken struct{ clock, processor float64 }

// measure returns the medians of n runs.
func (b *bench) measure(n int, f func() error) (taken, error) {
	var clock, used []float64
	for range n {
		start, before := time.Now(), processor()
		if err := f(); err != nil {
			return taken{}, err
		}
		used = append(used, processor()-before)
		clock = append(clock, time.Since(start).Seconds())
	}
	sort.Float64s(clock)
	sort.Float64s(used)
	return taken{clock[n/2], used[n/2]}, nil
}

// statement returns the median cost of n runs of a statement.
func (b *bench) statement(n int, c *db.Conn, statement string) (taken, error) {
	return b.measure(n, func() error { return b.script(c, statement) })
}

// note says what a row used of the processor, before what else there is to say.
func (t taken) note(more string) string {
	s := fmt.Sprintf("%.3g ms of processor time", t.processor*1e3)
	if more != "" {
		s += "; " + more
	}
	return s
}

// one returns the single value of a query.
func (b *bench) one(c *db.Conn, q string, dst any) error {
	rows, err := c.Query(b.ctx, q)
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		return fmt.Errorf("%s gives no row: %w", q, rows.Err())
	}
	return rows.Scan(dst)
}

// peer returns the path of a tool, or notes that it is skipped.
func (b *bench) peer(name string) string {
	p, err := exec.LookPath(name)
	if err != nil {
		b.add(name, "skipped", "", "not on PATH")
		return ""
	}
	return p
}

const chunkCorpus = `CREATE CORPUS c (split TEXT);
LOAD '$DATA/chunk/conll2000.train' INTO c FORMAT conll2000 SET split = 'train';
LOAD '$DATA/chunk/conll2000.test' INTO c FORMAT conll2000 SET split = 'test';`
