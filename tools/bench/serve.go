package main

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgproto3"
)

// Statements that serve measures.
const (
	selectOne = "SELECT 1"
	entities  = "SELECT text, label FROM entities(TEXT $1) USING ner"
	withProb  = "SELECT text, label, prob FROM entities(TEXT $1) USING ner"
)

// textWords is the number of words of a text that is annotated.
const textWords = 20

// seconds is how long a row is measured.
func (b *bench) seconds() int { return cmp.Or(b.Seconds, 5) }

// serve measures statements of clients: SELECT 1 beside PostgreSQL, texts annotated by a model
// that was trained on WNUT-17, and whether anything grows.
func (b *bench) serve() error {
	file, words, err := b.wnut()
	if err != nil {
		return err
	}
	s, err := b.server(file)
	if err != nil {
		return err
	}
	err = b.serveRows(s, words)
	return errors.Join(err, s.stop())
}

func (b *bench) serveRows(s *served, words []string) error {
	theirs, err := b.selectOne(s)
	if err != nil {
		return err
	}
	if err := b.ceiling(words); err != nil {
		return err
	}
	if err := b.annotated(s, words, theirs); err != nil {
		return err
	}
	return b.growth(s, words)
}

// wnut makes a database with the model ner and returns the words of its training data.
func (b *bench) wnut() (string, []string, error) {
	d, c, err := b.session("serve")
	if err != nil {
		return "", nil, err
	}
	if err := b.script(c, `CREATE CORPUS x;
LOAD '$DATA/ner/wnut17.train' INTO x FORMAT conll WITH (columns = (form, entities));
TRAIN crf AS ner ON x WITH (l2 = 0.2);`); err != nil {
		return "", nil, errors.Join(err, d.Close())
	}
	words, err := b.words(c)
	return d.Path(), words, errors.Join(err, d.Close())
}

// words are the forms of the corpus, but for what pgbench would read as its own.
func (b *bench) words(c *db.Conn) ([]string, error) {
	rows, err := c.Query(b.ctx, "SELECT DISTINCT form FROM x.tokens ORDER BY form")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var w string
		if err := rows.Scan(&w); err != nil {
			return nil, err
		}
		if !strings.ContainsAny(w, `'":;\ `) {
			out = append(out, w)
		}
	}
	return out, rows.Err()
}

// sentence is a text of random words.
func sentence(words []string, r *rand.Rand) string {
	list := make([]string, textWords)
	for i := range list {
		list[i] = words[r.IntN(len(words))]
	}
	return strings.Join(list, " ")
}

// measured is a run of statements with the computing time of the server.
func measured(pid int, run func() (load, error)) (load, error) {
	before, known := computed(pid)
	l, err := run()
	after, _ := computed(pid)
	if l.cpu = after - before; !known {
		l.cpu = -1
	}
	return l, err
}

// note describes a run.
func (l load) note() string {
	return fmt.Sprintf("%s of CPU a statement; p50 %.2f ms, p99 %.2f ms", l.micros(), ms(l.percentile(0.5)),
		ms(l.percentile(0.99)))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// middle is the run of median rate.
func middle(all []load) load {
	slices.SortFunc(all, func(a, b load) int { return cmp.Compare(a.rate(), b.rate()) })
	return all[len(all)/2]
}

// selectOne measures the smallest statement in turn with PostgreSQL, and returns the rate of
// PostgreSQL with pgbench, 0 if it is unknown.
func (b *bench) selectOne(s *served) (float64, error) {
	pg, why, err := b.startPostgres()
	if err != nil {
		return 0, err
	}
	if pg == nil {
		b.add("PostgreSQL", "skipped", "", why)
	} else {
		defer pg.stop()
	}
	theirs := 0.0
	if tool("pgbench") == "" {
		b.add(selectOne+", pgbench", "skipped", "", "pgbench is not installed")
	} else {
		run := func(address string, seconds int) (load, error) {
			return b.pgbench(address, "prepared", []string{selectOne + ";\n"}, seconds)
		}
		if theirs, err = b.rounds("pgbench -M prepared", s, pg, tcp, run); err != nil {
			return 0, err
		}
		if _, err = b.rounds("pgbench -M prepared through a socket", s, pg, local, run); err != nil {
			return 0, err
		}
	}
	_, err = b.rounds("own generator", s, pg, tcp, func(address string, seconds int) (load, error) {
		return generate(b.ctx, address, seconds, selectOne, func(*rand.Rand) string { return "" })
	})
	return theirs, err
}

// transport is how a client reaches a server.
type transport int

const (
	tcp   transport = iota
	local           // a Unix-domain socket
)

func (via transport) of(address, socket string) string {
	if via == local {
		return socket
	}
	return address
}

// turnsEach is the number of rounds in which two servers take turns. The speed of a shared machine
// wanders within seconds, so that the ratio of a pair says more than that of two long runs.
const turnsEach = 9

// rounds measures a statement in turn with PostgreSQL, and returns PostgreSQL's median rate.
func (b *bench) rounds(name string, s *served, pg *postgres, via transport,
	run func(address string, seconds int) (load, error)) (float64, error) {
	var own, theirs []load
	var ratios []float64
	seconds := max(1, b.seconds()/3)
	for range turnsEach {
		l, err := measured(s.cmd.Process.Pid, func() (load, error) { return run(via.of(s.address, s.local), seconds) })
		if err != nil {
			return 0, err
		}
		own = append(own, l)
		if pg == nil {
			continue
		}
		p, err := measured(pg.pid, func() (load, error) { return run(via.of(pg.address, pg.local), seconds) })
		if err != nil {
			return 0, err
		}
		theirs, ratios = append(theirs, p), append(ratios, l.rate()/p.rate())
	}
	m := middle(own)
	bound, rate := "", 0.0
	if pg != nil {
		p := middle(theirs)
		rate = p.rate()
		b.add(fmt.Sprintf("%s of PostgreSQL, %s, %d clients", selectOne, name, clients), fmt.Sprintf("%.0f/s", rate),
			"", p.note())
		slices.Sort(ratios)
		bound = fmt.Sprintf("%.2f × PostgreSQL (%.2f to %.2f)", ratios[len(ratios)/2], ratios[0], ratios[len(ratios)-1])
	}
	b.add(fmt.Sprintf("%s, %s, %d clients", selectOne, name, clients), fmt.Sprintf("%.0f/s", m.rate()), bound, m.note())
	return rate, nil
}

// annotated measures texts of 20 words, beside theirs, the rate of SELECT 1 in PostgreSQL, which
// says how fast the machine is at the time; 0 if it is unknown.
func (b *bench) annotated(s *served, words []string, theirs float64) error {
	different := func(r *rand.Rand) string { return sentence(words, r) }
	r := rand.New(rand.NewPCG(1, 1))
	known := make([]string, 1000)
	for i := range known {
		known[i] = sentence(words, r)
	}
	again := func(r *rand.Rand) string { return known[r.IntN(len(known))] }
	rows := []struct {
		name, bound string
		run         func() (load, error)
	}{
		{"entities of different texts, own generator", "",
			func() (load, error) { return generate(b.ctx, s.address, b.seconds(), entities, different) }},
		{"the same with prob", "",
			func() (load, error) { return generate(b.ctx, s.address, b.seconds(), withProb, different) }},
		{"entities of the same 1,000 texts, own generator", "",
			func() (load, error) { return generate(b.ctx, s.address, b.seconds(), entities, again) }},
	}
	if tool("pgbench") == "" {
		b.add("entities, pgbench", "skipped", "", "not installed")
	} else {
		for _, row := range []struct {
			texts, mode, through, address, bound string
			scripts                              []string
		}{
			{"different texts", "prepared", "", s.address, "≥ 25,000/s, p99 < 10 ms", scripts(words, r)},
			{"different texts", "prepared", " through a socket", s.local, "≥ 25,000/s, p99 < 10 ms", scripts(words, r)},
			{"different texts", "simple", "", s.address, "", scripts(words, r)},
			{"the same 1,000 texts", "prepared", "", s.address, "≥ 50,000/s", repeated(words, r)},
			{"the same 1,000 texts", "prepared", " through a socket", s.local, "≥ 50,000/s", repeated(words, r)},
		} {
			rows = append(rows, struct {
				name, bound string
				run         func() (load, error)
			}{"entities of " + row.texts + ", pgbench -M " + row.mode + row.through, row.bound,
				func() (load, error) { return b.pgbench(row.address, row.mode, row.scripts, b.seconds()) }})
		}
	}
	for _, row := range rows {
		l, err := measured(s.cmd.Process.Pid, row.run)
		if err != nil {
			return fmt.Errorf("%s: %w", row.name, err)
		}
		note := l.note()
		if theirs > 0 {
			note += fmt.Sprintf("; %.2f × SELECT 1 of PostgreSQL", l.rate()/theirs)
		}
		b.add(fmt.Sprintf("%s, %d clients", row.name, clients), fmt.Sprintf("%.0f/s", l.rate()), row.bound, note)
	}
	return nil
}

// scripts are statements of pgbench whose texts are different each time: random numbers stand
// between random words.
func scripts(words []string, r *rand.Rand) []string {
	out := make([]string, 100)
	for i := range out {
		w := strings.Fields(sentence(words, r))
		at := func(from, to int) string { return "'" + strings.Join(w[from:to], " ") + " '" }
		out[i] = `\set a random(1, 1000000000)
\set b random(1, 1000000000)
SELECT text, label FROM entities(TEXT ` + at(0, 6) + " || :a || ' ' || " + at(6, 12) + " || :b || ' ' || " + at(12, 18) + `) USING ner;
`
	}
	return out
}

// repeated are statements of pgbench with ten times a hundred texts.
func repeated(words []string, r *rand.Rand) []string {
	out := make([]string, 10)
	for i := range out {
		w := strings.Fields(sentence(words, r))
		out[i] = `\set a random(1, 100)
SELECT text, label FROM entities(TEXT '` + strings.Join(w[:10], " ") + " ' || :a || ' " + strings.Join(w[10:19], " ") + `') USING ner;
`
	}
	return out
}

// growth sends statements of all sorts for a while and compares goroutines and heap of the server
// at a fifth of the time and at its end.
func (b *bench) growth(s *served, words []string) error {
	span := 2 * b.seconds()
	if b.Soak > 0 {
		span = b.Soak
	}
	if err := say(s.address, "ALTER SYSTEM SET cache_size = 16"); err != nil { // its bound must be reached soon
		return err
	}
	var goroutines, heap [2]float64
	r := rand.New(rand.NewPCG(2, 2))
	for i, part := range []int{max(1, span/5), max(1, span-span/5)} {
		end := time.Now().Add(time.Duration(part) * time.Second)
		for time.Now().Before(end) {
			for _, sql := range []string{entities, "SELECT upper($1)", "SELECT form FROM x.tokens WHERE form = $1 LIMIT 5"} {
				if _, err := generate(b.ctx, s.address, 1, sql, func(*rand.Rand) string { return sentence(words, r) }); err != nil {
					return err
				}
			}
		}
		m, err := b.settled(s)
		if err != nil {
			return err
		}
		goroutines[i], heap[i] = m["go_goroutines"], m["go_memstats_heap_alloc_bytes"]
	}
	b.add(fmt.Sprintf("goroutines after %d s", span), fmt.Sprint(goroutines[1]),
		fmt.Sprintf("%v after a fifth of it", goroutines[0]), "connections come and go all the time")
	b.add(fmt.Sprintf("heap after %d s", span), fmt.Sprintf("%.0f MB", heap[1]/1e6),
		fmt.Sprintf("%.0f MB after a fifth of it", heap[0]/1e6), "after garbage collection; cache_size = 16")
	return nil
}

// say runs a statement on a connection of its own.
func say(address, sql string) error {
	c, err := greet(address)
	if err != nil {
		return err
	}
	defer c.net.Close()
	return c.ask(&pgproto3.Query{String: sql})
}

// settled reads goroutines and heap until no client is left, the least of some samples.
func (b *bench) settled(s *served) (map[string]float64, error) {
	least := map[string]float64{}
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for i := range 10 {
		m, err := s.gauges(b.ctx, "go_goroutines", "go_memstats_heap_alloc_bytes")
		if err != nil {
			return nil, err
		}
		for name, v := range m {
			if old, ok := least[name]; !ok || v < old {
				least[name] = v
			}
		}
		if i == 9 {
			break
		}
		select {
		case <-tick.C:
		case <-b.ctx.Done():
			return nil, b.ctx.Err()
		}
	}
	return least, nil
}
