package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"parlance/db"
)

// repeated writes a CoNLL-U file n times with document ids of its own each time.
func (b *bench) repeated(n int) (path string, size int64, err error) {
	raw, err := os.ReadFile(b.file("ud", "en_ewt.train.conllu"))
	if err != nil {
		return "", 0, err
	}
	path = filepath.Join(b.Dir, "repeated.conllu")
	f, err := os.Create(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	for i := range n {
		if _, err := f.Write(bytes.ReplaceAll(raw, []byte("# newdoc id = "),
			fmt.Appendf(nil, "# newdoc id = r%d-", i))); err != nil {
			return "", 0, err
		}
	}
	info, err := f.Stat()
	if err != nil {
		return "", 0, err
	}
	return path, info.Size(), nil
}

// load measures LOAD with all layers, and the size of a backup beside gzip.
func (b *bench) load() error {
	path, _, err := b.repeated(10)
	if err != nil {
		return err
	}
	run := 0
	var tokens int64
	sec, err := b.median(3, func() (float64, error) {
		run++
		d, c, err := b.session(fmt.Sprint("load", run))
		if err != nil {
			return 0, err
		}
		defer d.Close()
		if err := b.script(c, "CREATE CORPUS ewt"); err != nil {
			return 0, err
		}
		s, err := b.timed(c, "LOAD '"+path+"' INTO ewt FORMAT conllu")
		if err == nil {
			err = b.one(c, "SELECT tokens FROM system.corpora", &tokens)
		}
		return s, err
	})
	if err != nil {
		return err
	}
	b.add("LOAD of CoNLL-U with all layers", fmt.Sprintf("%.2f M tokens/s", float64(tokens)/sec/1e6), "≥ 1.0",
		fmt.Sprintf("%d tokens", tokens))
	return b.backup()
}

func (b *bench) backup() error {
	d, c, err := b.session("backup")
	if err != nil {
		return err
	}
	defer d.Close()
	file := b.file("ud", "en_ewt.train.conllu")
	out := filepath.Join(b.Dir, "copy.parlance")
	if err := b.script(c, "CREATE CORPUS ewt; LOAD '"+file+"' INTO ewt FORMAT conllu; BACKUP TO '"+out+"'"); err != nil {
		return err
	}
	info, err := os.Stat(out)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var z counter
	g := gzip.NewWriter(&z)
	if _, err := g.Write(raw); err != nil {
		return err
	}
	if err := g.Close(); err != nil {
		return err
	}
	b.add("BACKUP of EWT with all layers", fmt.Sprintf("%.2f × gzip", float64(info.Size())/float64(z)), "≤ 1.3",
		fmt.Sprintf("%d and %d bytes", info.Size(), int64(z)))
	return nil
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// spans groups a million stored spans, beside SQLite on the same rows.
func (b *bench) spans() error {
	d, c, err := b.session("spans")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := b.script(c, "CREATE CORPUS c; SET cache = off"); err != nil {
		return err
	}
	if err := b.loadSpans(c); err != nil {
		return err
	}
	if err := b.groupSpans(c); err != nil {
		return err
	}
	id := "part7:4711"
	point, err := b.median(21, func() (float64, error) { return b.timed(c, "SELECT text FROM c WHERE id = '"+id+"'") })
	if err != nil {
		return err
	}
	b.add("point query by id", fmt.Sprintf("%.3f ms", point*1e3), "< 1 ms", "")
	return nil
}

// loadSpans loads ten copies of the training data of CoNLL-2000.
func (b *bench) loadSpans(c *db.Conn) error {
	raw, err := os.ReadFile(b.file("chunk", "conll2000.train"))
	if err != nil {
		return err
	}
	copies := filepath.Join(b.Dir, "spans")
	if err := os.MkdirAll(copies, 0o755); err != nil {
		return err
	}
	for i := range 10 {
		if err := os.WriteFile(filepath.Join(copies, fmt.Sprintf("part%d", i)), raw, 0o644); err != nil {
			return err
		}
	}
	return b.script(c, "LOAD '"+copies+"/*' INTO c FORMAT conll2000")
}

// groupSpans times queries over all spans, here and in SQLite.
func (b *bench) groupSpans(c *db.Conn) error {
	var n int64
	if err := b.one(c, "SELECT count(*) FROM c.chunks", &n); err != nil {
		return err
	}
	queries := []struct {
		name, own, other string
		bound            string
	}{
		{"GROUP BY label", "SELECT label, count(*) FROM c.chunks GROUP BY label",
			"SELECT label, count(*) FROM spans GROUP BY label", "≥ 10 × SQLite"},
		{"top 5 texts", "SELECT text, count(*) FROM c.chunks GROUP BY text ORDER BY 2 DESC LIMIT 5",
			"SELECT text, count(*) FROM spans GROUP BY text ORDER BY 2 DESC LIMIT 5", "≥ 3 × SQLite"},
	}
	lite, err := b.sqlite(c)
	if err != nil {
		return err
	}
	for _, q := range queries {
		if err := b.script(c, q.own); err != nil {
			return err
		}
		own, err := b.median(7, func() (float64, error) { return b.timed(c, q.own) })
		if err != nil {
			return err
		}
		note := fmt.Sprintf("%d spans", n)
		if lite != "" {
			other, err := b.median(5, func() (float64, error) {
				return liteTime(lite, filepath.Join(b.Dir, "spans.sqlite"), q.other)
			})
			if err != nil {
				return err
			}
			note += fmt.Sprintf("; SQLite %.1f ms, %.1f ×", other*1e3, other/own)
		}
		b.add(q.name, fmt.Sprintf("%.1f ms", own*1e3), q.bound, note)
	}
	return nil
}

// sqlite fills a table with the spans; "" without sqlite3 on PATH.
func (b *bench) sqlite(c *db.Conn) (string, error) {
	lite := b.peer("sqlite3")
	if lite == "" {
		return "", nil
	}
	csv := filepath.Join(b.Dir, "spans.csv")
	if err := b.script(c,
		"COPY (SELECT doc, sent, char_start, char_end, tok_start, tok_end, label, text FROM c.chunks) TO '"+csv+
			"' FORMAT csv WITH (header = false, columns = (doc))"); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(b.ctx, lite, filepath.Join(b.Dir, "spans.sqlite"))
	cmd.Stdin = strings.NewReader("CREATE TABLE spans (doc TEXT, sent INTEGER, char_start INTEGER, char_end INTEGER, " +
		"tok_start INTEGER, tok_end INTEGER, label TEXT, text TEXT);\n.mode csv\n.import " + csv + " spans\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("sqlite3: %w: %s", err, out)
	}
	return lite, nil
}

// liteTime runs a query in sqlite3 and returns the seconds that it reports, without the start
// of the process.
func liteTime(lite, path, q string, args ...string) (float64, error) {
	cmd := exec.Command(lite, append(args, path)...)
	cmd.Stdin = strings.NewReader(q + ";\n.timer on\n" + q + ";\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("sqlite3: %w: %s", err, out)
	}
	_, rest, ok := strings.Cut(string(out), "real ")
	var sec float64
	if _, err := fmt.Sscan(rest, &sec); !ok || err != nil {
		return 0, fmt.Errorf("sqlite3 reports no time: %s", out)
	}
	return sec, nil
}

// child runs the program and returns seconds and the most memory it used, in MB. The system's
// own account begins with the memory of the parent, so the child's is read while it runs.
func (b *bench) child(args ...string) (sec, mb float64, err error) {
	program, err := b.program()
	if err != nil {
		return 0, 0, err
	}
	cmd := exec.CommandContext(b.ctx, program, args...)
	cmd.Stdout, cmd.Stderr = io.Discard, b.log
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-over:
			return time.Since(start).Seconds(), mb, err
		case <-tick.C:
			mb = max(mb, peak(cmd.Process.Pid))
		}
	}
}

// peak reads the peak of a process's resident memory in MB, 0 where the system does not tell.
func peak(pid int) float64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, ok := strings.Cut(string(raw), "VmHWM:")
	var kb float64
	if _, err := fmt.Sscan(rest, &kb); !ok || err != nil {
		return 0
	}
	return kb / 1024
}

// large measures memory and opening on a file of 1 GB.
func (b *bench) large() error {
	path, size, err := b.repeated(80)
	if err != nil {
		return err
	}
	file := filepath.Join(b.Dir, "large.parlance")
	sec, mb, err := b.child("exec", "--db", file, "-c", "CREATE CORPUS ewt; LOAD '"+path+"' INTO ewt FORMAT conllu;")
	if err != nil {
		return err
	}
	b.add(fmt.Sprintf("LOAD of %.2f GB", float64(size)/1e9), fmt.Sprintf("%.0f MB of memory", mb), "< 300 MB",
		fmt.Sprintf("%.1f s", sec))
	if _, mb, err = b.child("exec", "-c", strings.ReplaceAll(chunkCorpus, "$DATA", b.Data)+"TRAIN crf AS chunker ON c "+
		"WHERE split = 'train' WITH (layer = 'chunks', features = 'chunk', l2 = 2.0, iterations = 30);"); err != nil {
		return err
	}
	b.add("CRF training of the chunker", fmt.Sprintf("%.0f MB of memory", mb), "< 400 MB", "")
	start := time.Now()
	d, err := db.Open(file, db.Options{})
	if err != nil {
		return err
	}
	sec = time.Since(start).Seconds()
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	b.add(fmt.Sprintf("opening a file of %.2f GB", float64(info.Size())/1e9), fmt.Sprintf("%.0f ms", sec*1e3), "< 100 ms",
		"the page cache may hold it")
	return d.Close()
}
