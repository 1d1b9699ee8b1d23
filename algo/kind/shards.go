package kind

import (
	"context"
	"errors"
)

// ErrOneProcess is wrapped by errors of Train of a Sharded model whose options ask for what shards cannot give.
var ErrOneProcess = errors.New("learned in one process")

// Shards is the input of a training in parts that the training does not read itself: goroutines, processes or machines
// that share nothing do, each a shard. What they find adds up:
//
//	map      each shard alone: Sharded.MapShard of the shard, and of what all shards are told
//	merge    what the shards found, part by part: Sharded.MergeShards
//
// Train calls Run once for each step of its own that goes through the input, and does the rest itself. The model is
// the same to the last byte as that of one process, however the input is cut and in whatever order parts are merged.
type Shards struct {
	Parts int // in how many parts large answers are cut, so that as many processes can add them up; at least 1
	// Run does a task on all shards and returns the merged parts, Parts of them at most; nil is a part that nobody found.
	Run func(ctx context.Context, t Task) ([][]byte, error)
}

// Task is a map over shards and the sum of what they find.
type Task struct {
	Name   string   // what MapShard and MergeShards are to do
	Shared []byte   // what all shards are told
	Items  [][]byte // what MapShard gets, one each, in place of the shards of the input; nil for these
}

// Sharded is a model whose Train can learn from Training.Shards. MapShard and MergeShards are called on models that
// have the options and nothing else; they change nothing of the model, and may run at once.
type Sharded interface {
	Model
	// MapShard does a task on a shard, which is Training.On, or on an item. What it finds depends on these, on the
	// options and the seed alone. It returns parts, of which Training.Shards.Parts is the most; nil is none. A shard
	// without anything to learn from is no error.
	MapShard(ctx context.Context, t *Training, task Task, item []byte) ([][]byte, error)
	// MergeShards adds up what shards found for one part. It is associative and commutative to the last byte:
	// merging what was merged before, in any order and grouping, gives the same.
	MergeShards(ctx context.Context, task string, found [][]byte) ([]byte, error)
}

// Unwrap is a model as it is without what is around it, such as calibration.
func Unwrap(m Model) Model {
	for {
		u, ok := m.(interface{ Unwrap() Model })
		if !ok {
			return m
		}
		m = u.Unwrap()
	}
}
