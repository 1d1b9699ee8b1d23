package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"parlance/db"
)

// parser is a parser that is measured.
type parser struct {
	name, kind string
	options    []string // of TRAIN
	heads      bool     // it finds heads only
	large      bool     // measured with Large only

	epoch          float64 // seconds at most, 0 for no bound
	rate, uas, las float64 // at least, 0 for no bound
	bytes          float64 // MB of the stored model at most
	parallel       bool    // two workers must learn it faster
}

// Bounds of all parsers: memory of a training and size of a model in MB, seconds until a model that
// was not loaded has answered, and how much faster two workers learn.
const (
	parserMemory  = 500
	parserBytes   = 200
	parserLoad    = 0.3
	parserWorkers = 1.6
)

// parsers are those that are measured on EWT, with the bounds.
var parsers = []parser{
	{name: "transition_parser", kind: "transition_parser", rate: 250_000, uas: 85.5, bytes: parserBytes},
	{name: "transition_parser, heads only", kind: "transition_parser", options: []string{"labelled = false"}, heads: true,
		rate: 500_000, uas: 85.5, bytes: parserBytes},
	{name: "depparser arc", kind: "depparser", options: []string{"factorization = 'arc'"}, epoch: 5, rate: 100_000,
		uas: 87.2, las: 85, bytes: 25, parallel: true},
	{name: "depparser carreras", kind: "depparser", options: []string{"factorization = 'carreras'"}, epoch: 5,
		rate: 60_000, uas: 89.6, las: 87.7, bytes: parserBytes, parallel: true},
	{name: "depparser model1", kind: "depparser", options: []string{"factorization = 'model1'"}, rate: 35_000,
		bytes: parserBytes, parallel: true},
	{name: "depparser arc, nonprojective", kind: "depparser",
		options: []string{"factorization = 'arc'", "trees = 'nonprojective'"}, large: true, bytes: 25, parallel: true},
	{name: "depparser head_automata, nonprojective", kind: "depparser",
		options: []string{"factorization = 'head_automata'", "trees = 'nonprojective'"}, large: true, bytes: parserBytes,
		parallel: true},
}

// turbo are figures of TurboParser 2.3 on the same data in another run: seconds an epoch, tokens a
// second, UAS, LAS and MB of the model.
var turbo = [][]string{
	{"TurboParser, arc (reference)", "", "49.3", "", "86.25", "84.52", "7568", "", "", "", "", ""},
	{"TurboParser, second order (reference)", "", "440", "4440", "89.78", "87.75", "800", "", "674", "", "4000", ""},
}

// trained is what the measurements of a parser give.
type trained struct {
	parser
	epochCPU, epochWall float64 // seconds an epoch of the parser's own, one worker
	seconds             float64 // of the whole training, one worker
	uas, las            float64 // in percent
	rate, clock         float64 // tokens a second of processor time and by the clock
	bytes, load         float64 // MB, seconds
	memory              float64 // MB at most of a process that trains with two workers
	faster              float64 // with two workers, by the clock; 0 with one core
	same                bool    // two workers learned the same weights
}

// train writes the statement that trains the parser.
func (b *bench) train(p parser, name, on string) string {
	options := append([]string(nil), p.options...)
	if b.Epochs > 0 {
		options = append(options, fmt.Sprintf("epochs = %d", b.Epochs))
	}
	if b.Bits > 0 {
		options = append(options, fmt.Sprintf("bits = %d", b.Bits))
	}
	s := fmt.Sprintf("TRAIN %s AS %s ON %s", p.kind, name, on)
	if len(options) > 0 {
		s += " WITH (" + strings.Join(options, ", ") + ")"
	}
	return s
}

// parseEWT measures parsers on English EWT with gold tags. Each is trained with one worker here, and
// with two in a process of its own, whose memory counts.
func (b *bench) parseEWT() error {
	t := b.table("Parsers on EWT, dev, gold tags", "parser", "s an epoch, CPU", "s an epoch", "s of training", "UAS",
		"LAS", "tokens/s, one core", "the same by the clock", "MB of model", "s to the first answer", "MB of training",
		"two workers")
	byName := map[string]trained{}
	for i, p := range parsers {
		if p.large && !b.Large {
			continue
		}
		r, err := b.parserEWT(p, fmt.Sprintf("parse%d", i))
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		note := ""
		if p.name == "depparser model1" {
			r.parser.uas, note = byName["depparser carreras"].uas, "the bound is the UAS of carreras"
		}
		byName[p.name] = r
		b.parserBounds(r, note)
		t.add(r.cells()...)
	}
	t.rows = append(t.rows, turbo...)
	return nil
}

// cells are the columns of the table.
func (r trained) cells() []string {
	las, two := fmt.Sprintf("%.2f", r.las), ""
	if r.heads {
		las = ""
	}
	if r.faster > 0 {
		two = fmt.Sprintf("%.2f ×, %s", r.faster, r.bits())
	}
	f := func(format string, v float64) string { return fmt.Sprintf(format, v) }
	return []string{r.name, f("%.2f", r.epochCPU), f("%.2f", r.epochWall), f("%.1f", r.seconds), f("%.2f", r.uas), las,
		f("%.0f", r.rate), f("%.0f", r.clock), f("%.1f", r.bytes), f("%.3f", r.load), f("%.0f", r.memory), two}
}

func (r trained) bits() string {
	if r.same {
		return "the same weights"
	}
	return "other weights"
}

// parserBounds adds the figures that have bounds. The note is on that of UAS.
func (b *bench) parserBounds(r trained, note string) {
	if r.epoch > 0 {
		b.bounded(r.name+": an epoch, CPU", "%.2f s", r.epochCPU, atMost(r.epoch),
			fmt.Sprintf("%.2f s by the clock", r.epochWall))
	}
	if r.parser.rate > 0 {
		b.bounded(r.name+": parsing through SELECT, one core, uncached", "%.0f tokens/s", r.rate, atLeast(r.parser.rate),
			fmt.Sprintf("of processor time; %.0f by the clock", r.clock))
	}
	if r.parser.uas > 0 {
		b.bounded(r.name+": UAS", "%.2f", r.uas, atLeast(r.parser.uas), note)
	}
	if r.parser.las > 0 {
		b.bounded(r.name+": LAS", "%.2f", r.las, atLeast(r.parser.las), "")
	}
	b.bounded(r.name+": memory of training", "%.0f MB", r.memory, atMost(parserMemory), "two workers")
	b.bounded(r.name+": model", "%.1f MB", r.bytes, atMost(r.parser.bytes), "")
	b.bounded(r.name+": first answer of a reopened file", "%.3f s", r.load, atMost(parserLoad), "")
	if r.faster > 0 && r.parallel {
		b.bounded(r.name+": two workers", "%.2f ×", r.faster, atLeast(parserWorkers), r.bits())
	}
}

const ewtCorpus = `CREATE CORPUS train; CREATE CORPUS dev; CREATE CORPUS one;
LOAD '$DATA/ud/en_ewt.train.conllu' INTO train FORMAT conllu;
LOAD '$DATA/ud/en_ewt.dev.conllu' INTO dev FORMAT conllu;
LOAD '$ONE' INTO one FORMAT conllu;`

// oneSentence is what a model that was not loaded parses first.
const oneSentence = "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n" +
	"2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n" +
	"3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n"

// parserEWT measures one parser in a database of its own.
func (b *bench) parserEWT(p parser, name string) (trained, error) {
	r := trained{parser: p}
	one := filepath.Join(b.Dir, "one.conllu")
	if err := os.WriteFile(one, []byte(oneSentence), 0o600); err != nil {
		return r, err
	}
	d, c, err := b.session(name)
	if err != nil {
		return r, err
	}
	path := d.Path()
	defer os.Remove(path)
	err = b.script(c, strings.ReplaceAll(ewtCorpus, "$ONE", one))
	if e := d.Close(); err == nil {
		err = e
	}
	if err != nil {
		return r, err
	}
	if _, r.memory, err = b.child("exec", "--db", path, "--set", "workers=2", "-c",
		b.train(p, "two", "train")); err != nil {
		return r, err
	}
	if d, err = db.Open(path, db.Options{}); err != nil {
		return r, err
	}
	defer func() { d.Close() }()
	c = d.Conn()
	if err := b.learned(c, &r); err != nil {
		return r, err
	}
	if err := b.parsed(c, &r); err != nil {
		return r, err
	}
	if err := d.Close(); err != nil {
		return r, err
	}
	r.load, err = b.median(3, func() (float64, error) { return b.firstAnswer(path) })
	return r, err
}

// learned trains with one worker and compares with the model that two workers trained.
func (b *bench) learned(c *db.Conn, r *trained) error {
	cpu := &epochs{}
	c.OnProgress(func(p db.Progress) { cpu.see(p) })
	defer c.OnProgress(func(db.Progress) {})
	statement := "SET workers = 1; " + b.train(r.parser, "m", "train")
	var err error
	cpu.last = processor()
	if r.seconds, err = b.timed(c, statement); err != nil {
		return err
	}
	r.epochCPU = cpu.mean()
	var two float64
	if r.epochWall, err = b.epochSeconds(c, "m"); err != nil {
		return err
	}
	if two, err = b.epochSeconds(c, "two"); err != nil {
		return err
	}
	var bytes int
	var ours, theirs string
	if err := b.one(c, "SELECT bytes FROM m.versions", &bytes); err != nil {
		return err
	}
	r.bytes = float64(bytes) / 1e6
	if err := b.one(c, "SELECT weights FROM m.versions", &ours); err != nil {
		return err
	}
	if err := b.one(c, "SELECT weights FROM two.versions", &theirs); err != nil {
		return err
	}
	r.same = ours == theirs
	if runtime.NumCPU() > 1 && two > 0 {
		r.faster = r.epochWall / two
	}
	return nil
}

// own are the conditions on rows of a trace that are epochs of the parser itself.
const own = "(note IS NULL OR note NOT IN ('pruner', 'labels'))"

// epochSeconds returns the seconds of an epoch by the trace: the mean without the first, which makes
// tables besides, where there are more.
func (b *bench) epochSeconds(c *db.Conn, model string) (float64, error) {
	var n int
	var first, last float64
	if err := b.one(c, "SELECT count(*) FROM "+model+".trace WHERE "+own, &n); err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, fmt.Errorf("the trace of %s has no epoch", model)
	}
	if err := b.one(c, "SELECT min(seconds) FROM "+model+".trace WHERE "+own, &first); err != nil {
		return 0, err
	}
	if err := b.one(c, "SELECT max(seconds) FROM "+model+".trace WHERE "+own, &last); err != nil {
		return 0, err
	}
	if n == 1 {
		return last, nil
	}
	return (last - first) / float64(n-1), nil
}

// epochs adds up the processor time of the epochs of a parser itself.
type epochs struct {
	last, first, sum float64
	n                int
}

// see is called at the end of an epoch.
func (e *epochs) see(p db.Progress) {
	now := processor()
	used := now - e.last
	e.last = now
	if p.Note == "pruner" || p.Note == "labels" {
		return
	}
	if e.n++; e.n == 1 {
		e.first = used
	} else {
		e.sum += used
	}
}

// mean is the time of an epoch, without the first where there are more.
func (e *epochs) mean() float64 {
	if e.n < 2 {
		return e.first
	}
	return e.sum / float64(e.n-1)
}

// evaluated returns the scores over all labels of EVALUATE, by metric.
func (b *bench) evaluated(c *db.Conn, models, on string) (map[string]float64, error) {
	rows, err := c.Query(b.ctx, "SELECT metric, value FROM (EVALUATE "+models+" ON "+on+
		" WITH (samples = 0)) e WHERE label = 'ALL'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]float64{}
	for rows.Next() {
		var metric string
		var v float64
		if err := rows.Scan(&metric, &v); err != nil {
			return nil, err
		}
		out[metric] = v
	}
	return out, rows.Err()
}

// parsed scores the model and measures how fast it parses, on one core.
func (b *bench) parsed(c *db.Conn, r *trained) error {
	scores, err := b.evaluated(c, "m", "dev")
	if err != nil {
		return err
	}
	r.uas, r.las = 100*scores["uas"], 100*scores["las"]
	var tokens int
	if err := b.one(c, "SELECT count(*) FROM dev.tokens", &tokens); err != nil {
		return err
	}
	cpu, wall, err := b.oneCore(c, "SELECT sum(head), count(deprel) FROM dev.dependencies USING m", 5)
	r.rate, r.clock = float64(tokens)/cpu, float64(tokens)/wall
	return err
}

// oneCore runs a query without the cache, on one core, and returns the median of seconds of
// processor time and by the clock. What it reads is in memory by then.
func (b *bench) oneCore(c *db.Conn, query string, times int) (cpu, wall float64, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if err := b.script(c, "SET cache = off; SET workers = 1; "+query); err != nil {
		return 0, 0, err
	}
	var clock []float64
	cpu, err = b.median(times, func() (float64, error) {
		start := processor()
		sec, err := b.timed(c, query)
		clock = append(clock, sec)
		return max(1e-6, processor()-start), err
	})
	slices.Sort(clock)
	return cpu, max(1e-6, clock[len(clock)/2]), err
}

// firstAnswer opens a file and returns the seconds until the model m has parsed a sentence.
func (b *bench) firstAnswer(path string) (float64, error) {
	start := time.Now()
	d, err := db.Open(path, db.Options{})
	if err != nil {
		return 0, err
	}
	err = b.script(d.Conn(), "SET cache = off; SELECT head FROM one.dependencies USING m")
	sec := time.Since(start).Seconds()
	if e := d.Close(); err == nil {
		err = e
	}
	return sec, err
}
