package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parlance/db"
)

// options are the flags.
type options struct {
	kind, with        string
	seed              uint64
	db, query, using  string
	format            string // of what is written
	formatWith        string
	input, inputWith  string // format of the shards
	tokenizer         string
	out, work         string
	parts, elements   int
	overwrite, silent bool
	beamLog           string
	inputs            []string // files and patterns
}

func (o *options) declare(f *flag.FlagSet) {
	f.StringVar(&o.kind, "kind", "", "kind of model that is trained")
	f.StringVar(&o.with, "with", "", "options of the model, as within WITH (…): 'contexts = window, window = 3'")
	f.Uint64Var(&o.seed, "seed", 1, "seed of what is drawn at random")
	f.StringVar(&o.db, "db", "", "database file with the models of --using and the tables of --query; opened read-only")
	f.StringVar(&o.query, "query", "", "SELECT whose rows latent_classes and entity_resolver learn from")
	f.StringVar(&o.using, "using", "", "models of the database that annotate the documents, separated by commas")
	f.StringVar(&o.format, "format", "", "annotate: format of what is written, such as jsonl or conllu")
	f.StringVar(&o.formatWith, "format-with", "", "annotate: options of that format, as within WITH (…)")
	f.StringVar(&o.input, "input-format", "", "format of the shards; by default each is recognised")
	f.StringVar(&o.inputWith, "input-with", "", "options of the format of the shards, as within WITH (…)")
	f.StringVar(&o.tokenizer, "tokenizer", "unicode", "what cuts texts without tokens; with --using it is what the "+
		"models were trained with")
	f.StringVar(&o.out, "out", "", "file of the trained model; annotate: folder")
	f.StringVar(&o.work, "work", "", "folder that driver and workers share, for what goes from one to the other; by "+
		"default a temporary one, which is enough where workers are processes of this machine")
	f.IntVar(&o.parts, "parts", 8, "in how many parts counts are cut, which are added up at once")
	f.IntVar(&o.elements, "elements", 8, "in how many elements the shards of a training are dealt at most: what an "+
		"element counts is added up at once where it is read; some for each worker")
	f.BoolVar(&o.overwrite, "overwrite", false, "annotate shards again whose file is in the folder")
	f.StringVar(&o.beamLog, "beam-log", quiet, "what of Beam's log is shown: off, error, warn, info or debug")
	f.BoolVar(&o.silent, "silent", false, "report no progress")
}

// learnsFromRows reports whether the kind learns from the rows of --query, and not from documents.
func (o *options) learnsFromRows() bool {
	return o.kind == "latent_classes" || o.kind == "entity_resolver"
}

// source is the files of a shard as the database reads them.
func (o *options) source(path string) db.Source {
	return db.Source{Paths: []string{path}, Format: o.input, With: o.inputWith, Tokenizer: o.tokenizer}
}

// shards are the files of the inputs, each once, in order.
func (o *options) shards() ([]string, error) {
	var out []string
	for _, in := range o.inputs {
		found, err := filepath.Glob(in)
		if err != nil {
			return nil, fmt.Errorf("the pattern %q: %w", in, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: there is no such file", in)
		}
		for _, f := range found {
			if f, err = filepath.Abs(f); err == nil { // workers start elsewhere
				f, err = filepath.EvalSymlinks(f) // a file and a link to it are one shard
			}
			if err != nil {
				return nil, err
			}
			if s, err := os.Stat(f); err != nil {
				return nil, err
			} else if s.IsDir() {
				return nil, fmt.Errorf("%s is a folder; its files are named by a pattern: %s", f, filepath.Join(in, "*"))
			}
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// dealt are the shards in at most n elements, about equal in size, with the paths of each a line.
func dealt(shards []string, n int) ([]string, error) {
	sizes := map[string]int64{}
	for _, s := range shards {
		i, err := os.Stat(s)
		if err != nil {
			return nil, err
		}
		sizes[s] = i.Size()
	}
	shards = slices.Clone(shards)
	slices.SortStableFunc(shards, func(a, b string) int { return cmp.Compare(sizes[b], sizes[a]) })
	lists, loads := make([][]string, min(n, len(shards))), make([]int64, min(n, len(shards)))
	for _, s := range shards {
		least := 0
		for k := range loads {
			if loads[k] < loads[least] {
				least = k
			}
		}
		lists[least], loads[least] = append(lists[least], s), loads[least]+sizes[s]+1
	}
	var out []string
	for _, l := range lists {
		out = append(out, strings.Join(l, "\n"))
	}
	return out, nil
}

// models are the names after --using.
func (o *options) models() []string {
	var out []string
	for _, m := range strings.Split(o.using, ",") {
		if m = strings.TrimSpace(m); m != "" {
			out = append(out, m)
		}
	}
	return out
}

// absolute makes paths that workers can use.
func absolute(paths ...*string) error {
	for _, p := range paths {
		if *p == "" {
			continue
		}
		var err error
		if *p, err = filepath.Abs(*p); err != nil {
			return err
		}
	}
	return nil
}
