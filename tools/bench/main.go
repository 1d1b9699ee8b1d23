// Bench measures Parlance on the real corpora in a folder, beside the tools that are found on PATH, and prints a table
// in Markdown:
//
//	PARLANCE_DATA=folder go run ./tools/bench
//	PARLANCE_DATA=folder go run ./tools/bench --large serve
//
// What runs in processes of their own is the program that --program names; without it, one that go build makes of this
// module.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// command is the flags of the program.
type command struct {
	Name    string `arg:"" optional:"" help:"Measure what begins so: ${benches}."`
	Data    string `env:"PARLANCE_DATA" help:"Folder with the corpora." placeholder:"FOLDER"`
	Large   bool   `help:"Also what needs a file of 1 GB or takes long."`
	Program string `type:"existingfile" help:"Program that is measured; without it one that is built." placeholder:"FILE"`

	Rows []string `help:"Rows of peers that are measured, by their keys; without it all." placeholder:"KEY"`

	Seconds int `default:"5" help:"How long each row of serve is measured."`
	Soak    int `help:"How long serve looks whether memory grows, in seconds; without it twice --seconds."`
	Epochs  int `help:"Epochs of the parsers that parse trains; without it those that their kinds choose."`

	SVG string `name:"svg" type:"path" help:"Folder where parse-growth puts its plots." placeholder:"FOLDER"`
}

func main() {
	debug.SetGCPercent(50) // as the program has it
	var c command
	k := kong.Parse(&c, kong.Name("bench"), kong.Vars{"benches": strings.Join(names(), ", ")},
		kong.Description("Measures Parlance on the corpora in a folder, beside other tools."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	k.FatalIfErrorf(run(ctx, os.Stdout, os.Stderr, options{Data: c.Data, Only: c.Name, Large: c.Large, Seconds: c.Seconds,
		Soak: c.Soak, Rows: c.Rows, Program: c.Program, Epochs: c.Epochs, SVG: c.SVG}))
}
