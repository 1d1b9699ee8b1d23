package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"parlance/algo/kind"
	"parlance/db"
)

// A task of a training is a pipeline. Its elements are few and large: a shard each, then, for each shard, the parts of
// what it found, then the parts of the sums.
//
//	paths → mapShard → (part, found) → GroupByKey → mergeShards → a file for each part
//
// What all shards are told, items and sums are files in the folder that driver and workers share.

func init() {
	register.DoFn3x1[context.Context, string, func(int, []byte), error](&mapShard{})
	register.DoFn4x1[context.Context, int, func(*[]byte) bool, func(string), error](&mergeShards{})
	register.Emitter2[int, []byte]()
	register.Emitter1[string]()
	register.Iter1[[]byte]()
}

// atWork bounds the shards that a process has at work at once: a runner may hand it all bundles together, and each
// takes memory of its own.
var atWork = make(chan struct{}, runtime.GOMAXPROCS(0))

// mapShard does a task on shards.
type mapShard struct {
	Training db.ShardedTraining
	Task     string
	Shared   string // file, "" for none
	Items    bool   // paths are those of items
	Parts    int
	Database string
	Models   []string
	Source   db.Source // but for its path
}

// ProcessElement does the task on a shard, some files with a line each, or on the item at a path.
func (f *mapShard) ProcessElement(ctx context.Context, path string, emit func(int, []byte)) error {
	select {
	case atWork <- struct{}{}:
		defer func() { <-atWork }()
	case <-ctx.Done():
		return ctx.Err()
	}
	task, item := kind.Task{Name: f.Task}, []byte(nil)
	var err error
	if f.Shared != "" {
		if task.Shared, err = os.ReadFile(f.Shared); err != nil {
			return err
		}
	}
	d, err := database(f.Database)
	if err != nil {
		return err
	}
	source := f.Source
	source.Paths = strings.Split(path, "\n")
	docs := d.Documents(ctx, source)
	if len(f.Models) > 0 {
		docs = d.Annotate(ctx, f.Models, docs)
	}
	if f.Items {
		docs = nil
		if item, err = os.ReadFile(path); err != nil {
			return err
		}
	}
	found, err := f.Training.Map(ctx, docs, task, item, f.Parts)
	if err != nil {
		return fmt.Errorf("shard %s: %w", strings.ReplaceAll(path, "\n", ", "), err)
	}
	for k, p := range found {
		if p != nil {
			emit(k, p)
		}
	}
	return nil
}

// mergeShards adds up what was found of a part.
type mergeShards struct {
	Training db.ShardedTraining
	Task     string
	Folder   string // of the sums
}

// mergedBytes is how much of a part is added up at once, so that not all of it need be in memory.
const mergedBytes = 256 << 20

// ProcessElement writes the sum of a part into its file and returns the path.
func (f *mergeShards) ProcessElement(ctx context.Context, part int, values func(*[]byte) bool,
	emit func(string)) error {
	var list [][]byte
	size := 0
	merge := func() error {
		sum, err := f.Training.Merge(ctx, f.Task, list)
		list, size = [][]byte{sum}, 0
		return err
	}
	var next []byte
	for values(&next) {
		list = append(list, append([]byte{}, next...))
		if size += len(next); size > mergedBytes {
			if err := merge(); err != nil {
				return err
			}
		}
	}
	if err := merge(); err != nil {
		return err
	}
	path := filepath.Join(f.Folder, strconv.Itoa(part))
	if err := writeWhole(path, list[0]); err != nil {
		return err
	}
	emit(path)
	return nil
}

// writeWhole writes a file that appears whole or not at all, also where a step is done twice at once.
func writeWhole(path string, p []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".part-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(p)
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return err
}

// runTask runs the pipeline of a task over paths.
func runTask(ctx context.Context, m *mapShard, paths []string, folder string) error {
	if len(paths) == 0 {
		return nil
	}
	p, s := beam.NewPipelineWithRoot()
	shards := beam.Reshuffle(s, beam.CreateList(s, paths)) // each is a bundle of its own
	found := beam.ParDo(s, m, shards)
	beam.ParDo(s, &mergeShards{Training: m.Training, Task: m.Task, Folder: folder}, beam.GroupByKey(s, found))
	return beamx.Run(ctx, p)
}
