package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string), error](&annotateShard{})
}

// annotateShard annotates files, each into a file of its own.
type annotateShard struct {
	Database string
	Rest     string // of the statement, behind the paths
	Input    string // FORMAT … WITH (…) of the shards
	Using    string
	Folder   string
	Ending   string
}

// outputOf is the file that a shard becomes.
func (f *annotateShard) outputOf(shard string) string {
	base := filepath.Base(shard)
	for _, ending := range []string{".gz", ".zst"} {
		base = strings.TrimSuffix(base, ending)
	}
	return filepath.Join(f.Folder, strings.TrimSuffix(base, filepath.Ext(base))+f.Ending)
}

// ProcessElement annotates a shard. Its file appears whole or not at all.
func (f *annotateShard) ProcessElement(ctx context.Context, shard string, emit func(string)) error {
	d, err := database(f.Database)
	if err != nil {
		return err
	}
	out := f.outputOf(shard)
	_, err = d.Conn().Exec(ctx, "ANNOTATE "+quoted(shard)+f.Input+f.Using+" TO "+quoted(out)+f.Rest)
	if err != nil {
		return fmt.Errorf("shard %s: %w", shard, err)
	}
	emit(out)
	return nil
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// clause is FORMAT … WITH (…), "" for no format.
func clause(format, with string) string {
	if format == "" {
		return ""
	}
	if with != "" {
		with = " WITH (" + with + ")"
	}
	return " FORMAT " + format + with
}

// annotate annotates shards.
func annotate(ctx context.Context, o *options) error {
	switch {
	case o.db == "":
		return errors.New("--db is missing: the database file with the models")
	case o.out == "":
		return errors.New("--out is missing: the folder for the annotated files")
	case o.format == "":
		return errors.New("--format is missing: the format of the annotated files, such as jsonl")
	case len(o.inputs) == 0:
		return errors.New("no shard is named: files of documents, or patterns such as 'corpus/*.jsonl'")
	}
	if err := absolute(&o.db, &o.out); err != nil {
		return err
	}
	shards, err := o.shards()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	defer closeDatabases()
	if _, err := database(o.db); err != nil { // before a pipeline is made
		return err
	}
	f := &annotateShard{Database: o.db, Input: clause(o.input, o.inputWith), Rest: clause(o.format, o.formatWith),
		Folder: o.out, Ending: "." + o.format}
	if models := o.models(); len(models) > 0 {
		f.Using = " USING " + strings.Join(models, ", ")
	}
	todo, of := []string{}, map[string]string{}
	for _, s := range shards {
		out := f.outputOf(s)
		if other, ok := of[out]; ok {
			return fmt.Errorf("%s and %s would both become %s", other, s, out)
		}
		if of[out] = s; out == s {
			return fmt.Errorf("%s would be written over itself: name another folder after --out", s)
		}
		if _, err := os.Stat(out); err != nil || o.overwrite {
			todo = append(todo, s)
		}
	}
	if len(todo) > 0 {
		p, s := beam.NewPipelineWithRoot()
		beam.ParDo(s, f, beam.Reshuffle(s, beam.CreateList(s, todo)))
		if err := beamx.Run(ctx, p); err != nil {
			return err
		}
	}
	fmt.Printf("{\"shards\": %d, \"done\": %d, \"skipped\": %d}\n", len(shards), len(todo), len(shards)-len(todo))
	return nil
}
