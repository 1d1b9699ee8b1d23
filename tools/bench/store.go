package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// storeRows is the number of rows that store loads.
const storeRows = 1_000_000

// storeRounds is how often each side runs all steps, on fresh files.
const storeRounds = 5

// storeStep is a piece of work on a table, for both programs.
type storeStep struct {
	name  string
	own   string // statements
	other string // for sqlite3
	goal  string // ratio of processor time, ours to that of SQLite
	sized bool   // the size of the file is told after it
}

// usage is what a process took.
type usage struct {
	seconds float64 // of its processors
	memory  float64 // peak of anonymous memory, in MB
}

// store measures tables beside SQLite: each step is a process of its own on either side, in turn.
func (b *bench) store() error {
	lite := b.peer("sqlite3")
	if lite == "" {
		return nil
	}
	steps, err := b.storeSteps()
	if err != nil {
		return err
	}
	own, other := make([][]usage, len(steps)), make([][]usage, len(steps))
	sizes := map[string][2]int64{}
	for range storeRounds {
		mine, theirs := filepath.Join(b.Dir, "store.parlance"), filepath.Join(b.Dir, "store.sqlite")
		for i, s := range steps {
			x, err := b.ownProcess(mine, s.own)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			y, err := process(exec.CommandContext(b.ctx, lite, theirs), s.other)
			if err != nil {
				return fmt.Errorf("%s: sqlite3: %w", s.name, err)
			}
			own[i], other[i] = append(own[i], x), append(other[i], y)
			if s.sized {
				if sizes[s.name], err = b.sizes(mine, theirs); err != nil {
					return err
				}
			}
		}
		for _, f := range []string{mine, theirs} {
			if err := os.Remove(f); err != nil {
				return err
			}
		}
	}
	for i, s := range steps {
		x, y := medianUsage(own[i]), medianUsage(other[i])
		note := fmt.Sprintf("%.2f s and %.0f MB; SQLite %.2f s and %.0f MB", x.seconds, x.memory, y.seconds, y.memory)
		b.add(s.name, fmt.Sprintf("%.2f ×", x.seconds/y.seconds), s.goal, note)
		if n, ok := sizes[s.name]; ok {
			b.add("file after: "+s.name, fmt.Sprintf("%.2f ×", float64(n[0])/float64(n[1])), "",
				fmt.Sprintf("%.1f MB after COMPACT; SQLite %.1f MB after VACUUM", float64(n[0])/1e6, float64(n[1])/1e6))
		}
	}
	return b.storeWordNet()
}

// storeWordNet measures the load of WordNet where it is installed. SQLite has no reader of its files.
func (b *bench) storeWordNet() error {
	if _, err := os.Stat(filepath.Join(wordnetFolder, "data.noun")); err != nil {
		b.add("load of WordNet", "skipped", "", "not in "+wordnetFolder)
		return nil
	}
	var all []usage
	for range storeRounds {
		file := filepath.Join(b.Dir, "wordnet.parlance")
		c, err := b.ownProcess(file, "CREATE KB wn; LOAD '"+wordnetFolder+"' INTO wn FORMAT wordnet")
		if err != nil {
			return err
		}
		if err := os.Remove(file); err != nil {
			return err
		}
		all = append(all, c)
	}
	c := medianUsage(all)
	b.add("load of WordNet", fmt.Sprintf("%.2f s", c.seconds), "≤ 5.25 s", fmt.Sprintf("%.0f MB", c.memory))
	return nil
}

// storeSteps writes the inputs and returns what is done with them.
func (b *bench) storeSteps() ([]storeStep, error) {
	rows, words := storeInput(storeRows)
	file, five := filepath.Join(b.Dir, "rows.tsv"), filepath.Join(b.Dir, "five.tsv")
	triples := b.file("kb", "FB15k-237", "train.txt")
	if err := os.WriteFile(file, rows, 0o600); err != nil {
		return nil, err
	}
	rows, _ = storeInput(5 * storeRows)
	if err := os.WriteFile(five, rows, 0o600); err != nil {
		return nil, err
	}
	var ask, add, change strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&ask, "SELECT n FROM t WHERE word = '%s';\n", words[i])
	}
	for i := range 1000 {
		fmt.Fprintf(&add, "INSERT INTO t VALUES ('new%d', 'NOUN', %d);\n", i, i)
		fmt.Fprintf(&change, "UPDATE t SET n = %d WHERE word = '%s';\n", i, words[i])
	}
	return []storeStep{
		{"load of 1 M rows", "CREATE LEXICON t (word TEXT, tag TEXT, n INTEGER); LOAD '" + file + "' INTO t FORMAT tsv",
			"CREATE TABLE t (word TEXT, tag TEXT, n INTEGER);\n.mode tabs\n.import --skip 1 " + file + " t", "≤ 0.6 ×", true},
		{"GROUP BY tag, count and sum", "SELECT tag, count(*), sum(n) FROM t GROUP BY tag",
			"SELECT tag, count(*), sum(n) FROM t GROUP BY tag;", "≤ 0.4 ×", false},
		{"count(*) WHERE n = 500, no index", "SELECT count(*) FROM t WHERE n = 500",
			"SELECT count(*) FROM t WHERE n = 500;", "≤ 1.5 ×", false},
		{"change a quarter, no index", "UPDATE t SET n = n + 1 WHERE n % 4 = 0",
			"UPDATE t SET n = n + 1 WHERE n % 4 = 0;", "≤ 1.0 ×", false},
		{"index on the number", "CREATE INDEX ON t (n)", "CREATE INDEX tn ON t (n);", "≤ 0.5 ×", false},
		{"index on the word", "CREATE INDEX ON t (word)", "CREATE INDEX tw ON t (word);", "≤ 0.8 ×", true},
		{"10,000 rows by their word", ask.String(), ask.String(), "≤ 1.0 ×", false},
		{"change a quarter, indexed", "UPDATE t SET n = n + 2 WHERE n % 4 = 1",
			"UPDATE t SET n = n + 2 WHERE n % 4 = 1;", "≤ 1.0 ×", true},
		{"1,000 one-row INSERT", add.String(), add.String(), "≤ 1.2 ×", false},
		{"1,000 one-row UPDATE", change.String(), change.String(), "≤ 1.2 ×", false},
		{"delete half, indexed", "DELETE FROM t WHERE n % 2 = 1", "DELETE FROM t WHERE n % 2 = 1;", "≤ 1.0 ×", false},
		{"load of 5 M rows", "CREATE LEXICON five (word TEXT, tag TEXT, n INTEGER); LOAD '" + five + "' INTO five FORMAT tsv",
			"CREATE TABLE five (word TEXT, tag TEXT, n INTEGER);\n.mode tabs\n.import --skip 1 " + five + " five", "≤ 0.6 ×",
			false},
		{"load of FB15k-237", "CREATE KB fb; LOAD '" + triples + "' INTO fb FORMAT triples",
			"CREATE TABLE f (s TEXT, r TEXT, o TEXT);\n.mode tabs\n.import " + triples + " f\n" +
				"CREATE INDEX f1 ON f (s, r, o); CREATE INDEX f2 ON f (r, o); CREATE INDEX f3 ON f (o, s);", "≤ 0.6 ×", false},
	}, nil
}

// storeInput makes n rows of word, tag and number, and words of some of them.
func storeInput(n int) (tsv []byte, words []string) {
	r := rand.New(rand.NewPCG(1, 2))
	out := bytes.NewBufferString("word\ttag\tn\n")
	tags := []string{"NOUN", "VERB", "ADJ", "ADV", "PRON", "DET", "ADP", "NUM", "CONJ", "PRT", "X", "PUNCT", "PROPN"}
	for range n {
		word := fmt.Sprintf("%s%d", tags[r.IntN(len(tags))][:1], r.IntN(1_000_000))
		fmt.Fprintf(out, "%s\t%s\t%d\n", word, tags[r.IntN(len(tags))], r.IntN(1_000_000))
		if len(words) < 10_000 && r.IntN(50) == 0 {
			words = append(words, word)
		}
	}
	return out.Bytes(), words
}

// ownProcess runs statements in a process of the program.
func (b *bench) ownProcess(file, statements string) (usage, error) {
	program, err := b.program()
	if err != nil {
		return usage{}, err
	}
	return process(exec.CommandContext(b.ctx, program, "exec", "--db", file, "--quiet"), statements)
}

// process runs a command with an input and returns its cost.
func process(cmd *exec.Cmd, input string) (usage, error) {
	cmd.Stdin = strings.NewReader(input)
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Start(); err != nil {
		return usage{}, err
	}
	ended, peak := make(chan struct{}), make(chan float64, 1)
	go func() { peak <- watchMemory(cmd.Process.Pid, ended) }()
	err := cmd.Wait()
	close(ended)
	c := usage{memory: <-peak}
	if err != nil {
		return usage{}, fmt.Errorf("%w: %s", err, out.Bytes()[:min(out.Len(), 500)])
	}
	c.seconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	return c, nil
}

// watchMemory returns the peak of the anonymous memory of a process in MB, without pages of files that it maps, as far
// as it was seen every few milliseconds; 0 on systems without /proc.
func watchMemory(pid int, ended <-chan struct{}) float64 {
	peak := 0.0
	tick := time.NewTicker(3 * time.Millisecond)
	defer tick.Stop()
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if _, rest, ok := bytes.Cut(status, []byte("RssAnon:")); ok {
			var kb float64
			if _, err := fmt.Sscan(string(rest), &kb); err == nil {
				peak = max(peak, kb/1024)
			}
		}
		select {
		case <-ended:
			return peak
		case <-tick.C:
		}
	}
}

// sizes are those of both files without free pages.
func (b *bench) sizes(mine, theirs string) (out [2]int64, err error) {
	if _, err := b.ownProcess(mine, "COMPACT"); err != nil {
		return out, err
	}
	if _, err := process(exec.CommandContext(b.ctx, "sqlite3", theirs), "VACUUM;"); err != nil {
		return out, err
	}
	for i, f := range []string{mine, theirs} {
		info, err := os.Stat(f)
		if err != nil {
			return out, err
		}
		out[i] = info.Size()
	}
	return out, nil
}

// medianUsage is the median of costs, of time and memory apart.
func medianUsage(list []usage) usage {
	var seconds, memory []float64
	for _, c := range list {
		seconds, memory = append(seconds, c.seconds), append(memory, c.memory)
	}
	slices.Sort(seconds)
	slices.Sort(memory)
	return usage{seconds[len(seconds)/2], memory[len(memory)/2]}
}
