package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"parlance/algo/kind"
	"parlance/db"
)

// training is the driver of a training.
type training struct {
	o      *options
	work   string
	shards []string
	model  db.ShardedTraining
	tasks  int
}

// train trains a model over shards and writes it.
func train(ctx context.Context, o *options) (err error) {
	if o.out == "" {
		return errors.New("--out is missing: the file that the model is written to")
	}
	if o.parts < 1 {
		return fmt.Errorf("--parts %d: at least 1 is wanted", o.parts)
	}
	if o.elements < 1 {
		return fmt.Errorf("--elements %d: at least 1 is wanted", o.elements)
	}
	if err := absolute(&o.db, &o.work, &o.out); err != nil {
		return err
	}
	t := &training{o: o, model: db.ShardedTraining{Kind: o.kind, With: o.with, Seed: o.seed}}
	if !o.learnsFromRows() && o.using == "" {
		t.model.Tokenizer = o.tokenizer
	}
	if err := t.model.Check(); err != nil {
		return err
	}
	if t.shards, err = o.shards(); err != nil {
		return err
	}
	if err := writable(o.out); err != nil {
		return err
	}
	if t.shards, err = dealt(t.shards, o.elements); err != nil {
		return err
	}
	if t.work, err = os.MkdirTemp(o.work, "parlance-beam-*"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(t.work)) }()
	defer closeDatabases()
	table, err := t.table(ctx)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := t.model.Train(ctx, table, o.parts, t.run, &out, t.progress(), t.notice); err != nil {
		return err
	}
	if err := writeWhole(o.out, out.Bytes()); err != nil {
		return err
	}
	fmt.Printf("%s: LOAD %s INTO MODEL name FORMAT trained\n", o.out, quoted(o.out))
	return nil
}

// writable tells before a training whether its model can be written: over nothing, or a model that was trained over
// shards, and no other file.
func writable(out string) error {
	begins := make([]byte, len(modelFile))
	switch f, err := os.Open(out); {
	case err == nil:
		_, read := io.ReadFull(f, begins)
		if err := f.Close(); err != nil {
			return err
		}
		if read != nil || string(begins) != modelFile {
			return fmt.Errorf("--out %s is there already and is no trained model: name another file, or remove it", out)
		}
	case !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("--out: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(out), ".part-*")
	if err != nil {
		return fmt.Errorf("--out %s cannot be written: %w", out, err)
	}
	return errors.Join(tmp.Close(), os.Remove(tmp.Name()))
}

// modelFile begins a model that was trained over shards.
const modelFile = "parlance trained "

// table is the rows of kinds that learn from a table, nil for others.
func (t *training) table(ctx context.Context) (kind.Input, error) {
	reads := t.o.learnsFromRows()
	switch {
	case reads && (t.o.query == "" || t.o.db == ""):
		return nil, fmt.Errorf("--kind %s learns from rows: --db FILE --query 'SELECT …'", t.o.kind)
	case reads && len(t.shards) > 0:
		return nil, fmt.Errorf("--kind %s learns from the rows of --query, not from %s", t.o.kind, t.shards[0])
	case !reads && t.o.query != "":
		return nil, fmt.Errorf("--query: --kind %s learns from documents, which are named as arguments", t.o.kind)
	case !reads && len(t.shards) == 0:
		return nil, errors.New("no shard is named: files of documents, or patterns such as 'corpus/*.jsonl'")
	case !reads:
		return nil, nil
	}
	d, err := database(t.o.db)
	if err != nil {
		return nil, err
	}
	return t.model.Table(ctx, d, t.o.query)
}

// run does a task on the shards of the input, or on items.
func (t *training) run(ctx context.Context, task kind.Task) ([][]byte, error) {
	t.tasks++
	folder := filepath.Join(t.work, strconv.Itoa(t.tasks))
	sums := filepath.Join(folder, "sums")
	if err := os.MkdirAll(sums, 0o755); err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // train removes what is left
	m := &mapShard{Training: t.model, Task: task.Name, Items: task.Items != nil, Parts: t.o.parts, Database: t.o.db,
		Models: t.o.models(), Source: t.o.source("")}
	if m.Source.Paths = nil; len(m.Models) > 0 {
		m.Source.Tokenizer = "" // models are chosen by what a document has
	}
	if task.Shared != nil {
		m.Shared = filepath.Join(folder, "shared")
		if err := writeWhole(m.Shared, task.Shared); err != nil {
			return nil, err
		}
	}
	paths, parts := t.shards, t.o.parts
	if m.Items {
		paths = nil
		for i, item := range task.Items {
			path := filepath.Join(folder, "item-"+strconv.Itoa(i))
			if err := writeWhole(path, item); err != nil {
				return nil, err
			}
			paths = append(paths, path)
		}
		parts = 1 + len(paths)
	}
	if err := runTask(ctx, m, paths, sums); err != nil {
		return nil, err
	}
	return readParts(sums, parts)
}

// readParts reads the sums of at most n parts; parts that nobody found are nil.
func readParts(folder string, n int) ([][]byte, error) {
	out, last := make([][]byte, n), 0
	for k := range n {
		p, err := os.ReadFile(filepath.Join(folder, strconv.Itoa(k)))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out[k], last = p, k+1
	}
	return out[:last], nil
}

// progress reports at most once a second.
func (t *training) progress() func(kind.Progress) {
	last, begun := time.Time{}, time.Now()
	return func(p kind.Progress) {
		if t.o.silent || time.Since(last) < time.Second && p.Step != p.Of {
			return
		}
		last = time.Now()
		fmt.Fprintf(os.Stderr, "step %d of %d, %.6g %s, %.0f s\n", p.Step, p.Of, p.Objective, p.Note,
			time.Since(begun).Seconds())
	}
}

func (t *training) notice(s string) {
	if !t.o.silent {
		fmt.Fprintln(os.Stderr, "notice:", s)
	}
}
