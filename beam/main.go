// Command parlance-beam trains models and annotates documents over shards on Apache Beam: on Prism within the process
// by default, on Flink, Spark or Dataflow by Beam's own flags.
//
//	parlance-beam count    --kind contexts --with 'contexts = window' --out c.trained 'corpus/*.jsonl'
//	parlance-beam em       --kind hmm --with 'states = 20' --out h.trained 'corpus/*.conllu'
//	parlance-beam em       --kind latent_classes --db counts.parlance --query 'SELECT word, context, count FROM c.counts'
//	parlance-beam resolve  --kind entity_resolver --with '…' --db people.parlance --query 'SELECT * FROM people' …
//	parlance-beam annotate --db models.parlance --using pos,ner --format jsonl --out annotated 'corpus/*.jsonl'
//
// A trained model is loaded into a database by LOAD 'c.trained' INTO MODEL c FORMAT trained.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
)

// commands are what the program can do, with the kinds that each trains.
var commands = map[string]struct {
	kinds []string
	run   func(context.Context, *options) error
}{
	"count":    {[]string{"contexts", "ngrams", "brown"}, train},
	"em":       {[]string{"hmm", "latent_classes"}, train},
	"resolve":  {[]string{"entity_resolver"}, train},
	"annotate": {nil, annotate},
}

func main() {
	name := ""
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") { // a worker is started with flags alone
		name = os.Args[1]
		os.Args = slices.Delete(os.Args, 1, 2)
	}
	o := &options{}
	o.declare(flag.CommandLine)
	flag.Usage = usage
	flag.Parse()
	if o.beamLog != quiet {
		log.LogLevel = o.beamLog
	}
	beam.Init() // a worker works here and does not come back
	if o.beamLog == quiet {
		slog.SetDefault(slog.New(slog.DiscardHandler))
	}
	o.inputs = flag.Args()
	if *jobopts.WorkerBinary == "" { // else Beam compiles the program anew for workers
		*jobopts.WorkerBinary, _ = os.Executable()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, name, o); err != nil {
		fmt.Fprintln(os.Stderr, "parlance-beam:", err)
		os.Exit(1)
	}
}

// run runs a command.
func run(ctx context.Context, name string, o *options) error {
	c, ok := commands[name]
	if !ok {
		return fmt.Errorf("%q is no command; the commands: count, em, resolve, annotate (--help tells their flags)", name)
	}
	if c.kinds != nil {
		if o.kind == "" && len(c.kinds) == 1 {
			o.kind = c.kinds[0]
		}
		if !slices.Contains(c.kinds, o.kind) {
			return fmt.Errorf("--kind %q: %s trains %s", o.kind, name, strings.Join(c.kinds, ", "))
		}
	}
	err := reason(c.run(ctx, o))
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted; %s", left(o))
	}
	return err
}

// quiet shows nothing of Beam's log: what went wrong is told at the end.
const quiet = "off"

// reason is an error of a pipeline without the path that it took through Beam: what a step said is behind the last
// "failed:".
func reason(err error) error {
	if err == nil {
		return nil
	}
	const last = " failed:\n"
	if i := strings.LastIndex(err.Error(), last); i >= 0 && strings.Contains(err.Error(), "DoFn[") {
		return errors.New(strings.TrimSpace(err.Error()[i+len(last):]))
	}
	return err
}

// left tells what an interrupted run leaves.
func left(o *options) string {
	if o.kind == "" {
		return "files that are finished stay, and are skipped by the next run"
	}
	return "no model was written"
}

func usage() {
	fmt.Fprint(os.Stderr, `parlance-beam trains models and annotates documents over shards on Apache Beam.

  parlance-beam count    --kind contexts|ngrams|brown --out FILE SHARD…
  parlance-beam em       --kind hmm --with 'states = N' --out FILE SHARD…
  parlance-beam em       --kind latent_classes --db FILE --query SELECT… --out FILE
  parlance-beam resolve  --with OPTIONS --db FILE --query SELECT… --out FILE
  parlance-beam annotate --db FILE --using MODEL,… --format FORMAT --out FOLDER SHARD…

A SHARD is a file of documents or a pattern, such as 'corpus/*.jsonl.gz'. Models are loaded into a database by
LOAD 'FILE' INTO MODEL name FORMAT trained. Flags, those of Beam among them:

`)
	flag.PrintDefaults()
}
