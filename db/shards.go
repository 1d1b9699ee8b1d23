package db

import (
	"context"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"strings"

	"parlance/algo"
	"parlance/algo/foreign/trained"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/optarg"
	"parlance/query/parse"
	"parlance/storage/value"
)

// ShardedTraining is a training over shards of its input, which processes that share nothing read. A program that runs
// it in its own way, such as parlance-beam on Apache Beam, has three calls: Train is the driver, on one machine, and
// asks the program to run tasks; for each task, the program calls Map for every shard, anywhere, and Merge for what the
// shards have found, part by part, in any order and grouping. The model is the same to the last byte as that of TRAIN
// with the documents of all shards in one process.
//
// Kinds: contexts, ngrams, brown and hmm (with states) read documents in shards; latent_classes and entity_resolver
// (with model = layered) read rows in the driver, and send shards of them out in each of their rounds.
type ShardedTraining struct {
	Kind    string // of model
	With    string // options as within the parentheses of WITH: contexts = window, window = 3; "" for none
	Seed    uint64 // of what is drawn at random; that of TRAIN without the option seed is 1
	Workers int    // goroutines of Map and Train; 0 for as many as there are processors
	// the tokenizer that the documents were cut with, as in Source: the model records it, and texts that it reads are cut
	// so
	Tokenizer string
}

// model is an untrained model with the options, and these.
func (s *ShardedTraining) model() (kind.Model, []option.Arg, error) {
	kinds := algo.Kinds()
	i := slices.IndexFunc(kinds, func(k kind.Kind) bool { return k.Name == s.Kind })
	var m kind.Model
	if i >= 0 {
		m = kinds[i].New()
		if _, ok := kind.Unwrap(m).(kind.Sharded); !ok {
			m = nil
		}
	}
	if m == nil {
		var names []string
		for _, k := range kinds {
			if _, ok := kind.Unwrap(k.New()).(kind.Sharded); ok {
				names = append(names, k.Name)
			}
		}
		return nil, nil, fmt.Errorf("the kind %q is not learned over shards; those that are: %s", s.Kind,
			strings.Join(names, ", "))
	}
	set := &option.Set{}
	m.Options(set)
	list, err := parse.Options(s.With)
	if err != nil {
		return nil, nil, wrap(err)
	}
	args, err := optarg.Args(list, nil)
	if err == nil {
		err = set.Apply(args)
	}
	if err != nil {
		return nil, nil, wrap(optarg.AtOption(err, list))
	}
	return m, args, nil
}

// Check returns what is wrong with the kind or its options.
func (s *ShardedTraining) Check() error {
	_, _, err := s.model()
	return err
}

func (s *ShardedTraining) workers() int {
	if s.Workers > 0 {
		return s.Workers
	}
	return runtime.GOMAXPROCS(0)
}

func (s *ShardedTraining) training(on kind.Input, shards *kind.Shards) *kind.Training {
	return &kind.Training{On: on, Seed: s.Seed, Workers: s.workers(), Shards: shards, Report: func(kind.Progress) {},
		Notice: func(string) {}}
}

// Map does a task on the documents of a shard, or on one of the task's Items. It returns what was found by parts, nil
// for parts of which nothing was; without Items there are at most so many as parts says. Documents need tokens, and the
// layers that the kind reads: those of DB.Documents, through DB.Annotate if models give them layers.
func (s *ShardedTraining) Map(ctx context.Context, docs iter.Seq2[*text.Document, error], task kind.Task, item []byte,
	parts int) ([][]byte, error) {
	m, _, err := s.model()
	if err != nil {
		return nil, err
	}
	t := s.training(streamed{docs}, &kind.Shards{Parts: parts})
	found, err := kind.Unwrap(m).(kind.Sharded).MapShard(ctx, t, task, item)
	return found, wrap(err)
}

// Merge adds up what shards found for one part of a task. What it returns can be merged again.
func (s *ShardedTraining) Merge(ctx context.Context, task string, found [][]byte) ([]byte, error) {
	m, _, err := s.model()
	if err != nil {
		return nil, err
	}
	sum, err := kind.Unwrap(m).(kind.Sharded).MergeShards(ctx, task, found)
	return sum, wrap(err)
}

// Train is the driver. run does a task on all shards and returns the merged parts; parts is in how many large answers
// are cut. Rows of kinds that learn from a table come from table, which is nil for the others. The model is written as
// LOAD … INTO MODEL … FORMAT trained reads it. progress and notice may be nil.
func (s *ShardedTraining) Train(ctx context.Context, table kind.Input, parts int,
	run func(context.Context, kind.Task) ([][]byte, error), to io.Writer, progress func(kind.Progress),
	notice func(string)) error {
	m, args, err := s.model()
	if err != nil {
		return err
	}
	if table == nil {
		table = kind.Documents(nil)
	}
	t := s.training(table, &kind.Shards{Parts: parts, Run: run})
	if progress != nil {
		t.Report = progress
	}
	if notice != nil {
		t.Notice = notice
	}
	if err := m.Train(ctx, t); err != nil {
		return wrap(err)
	}
	return wrap(trained.Write(to, s.Kind, s.Tokenizer, args, m))
}

// streamed is documents that pass by.
type streamed struct {
	docs iter.Seq2[*text.Document, error]
}

// Documents yields them.
func (s streamed) Documents(ctx context.Context) iter.Seq2[*text.Document, error] {
	return func(yield func(*text.Document, error) bool) {
		if s.docs == nil {
			return
		}
		for d, err := range s.docs {
			if err == nil {
				err = ctx.Err()
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// Count is not known.
func (s streamed) Count() int { return 0 }

// Table has none.
func (s streamed) Table(string) (kind.Table, bool) { return nil, false }

// Table runs a query whose rows a kind learns from, such as SELECT word, context, count FROM contexts.pairs; its
// columns go by the names that the kind reads. All rows are in memory.
func (s *ShardedTraining) Table(ctx context.Context, d *DB, query string) (kind.Input, error) {
	m, _, err := s.model()
	if err != nil {
		return nil, err
	}
	uses := m.Schema().Tables
	if len(uses) == 0 {
		return nil, fmt.Errorf("the kind %s learns from documents, not from rows", s.Kind)
	}
	c := d.Conn()
	rows, err := c.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for _, col := range rows.Columns() {
		names = append(names, col.Name)
	}
	at := make([]int, len(uses[0].Columns))
	for i, col := range uses[0].Columns {
		at[i] = slices.Index(names, col.Name)
		if at[i] < 0 && !col.Optional {
			return nil, fmt.Errorf("the query has no column %s: %s; it has %s", col.Name, col.Doc, strings.Join(names, ", "))
		}
	}
	var list [][]value.Value
	for rows.Next() {
		from, row := rows.Values(), make([]value.Value, len(at))
		for i, k := range at {
			if k < 0 || from[k].IsNull() {
				continue
			}
			if row[i], err = value.Cast(from[k], uses[0].Columns[i].Type); err != nil {
				return nil, fmt.Errorf("row %d: column %s: %w", len(list)+1, names[k], err)
			}
		}
		list = append(list, row)
	}
	return kind.Tables{uses[0].Name: list}, rows.Err()
}
