package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/repl"
)

// TestMain lets the benchmarks start this program as parlance.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "exec" {
		os.Exit(repl.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// treebank writes sentences whose words each have the one before or the one behind as their head.
func treebank(t *testing.T, sentences int, path ...string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	var s strings.Builder
	for range sentences {
		n := 3 + rng.IntN(6)
		root := 1 + rng.IntN(n)
		for i := 1; i <= n; i++ {
			tag, head, label := "NN", i+1, "nmod"
			switch {
			case i == root:
				tag, head, label = "VB", 0, "root"
			case i > root:
				tag, head, label = "RB", i-1, "advmod"
			}
			fmt.Fprintf(&s, "%d\tw%d\t_\t%s\t%s\t_\t%d\t%s\t_\t_\n", i, rng.IntN(20), tag, tag, head, label)
		}
		s.WriteString("\n")
	}
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(s.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestParse runs the benchmark of parsing on small treebanks.
func TestParse(t *testing.T) {
	if testing.Short() {
		t.Skip("trains many parsers: left out by -short")
	}
	data, pictures := t.TempDir(), t.TempDir()
	for _, f := range []string{"ud/en_ewt.train.conllu", "ud/en_ewt.dev.conllu", "ud/tr_imst.train.conllu",
		"ud/tr_imst.test.conllu", "conll2007/eus.train", "conll2007/eus.test", "conll2007/esp.train", "conll2007/esp.test"} {
		treebank(t, 40, data, f)
	}
	var out bytes.Buffer
	log := io.Discard
	if testing.Verbose() {
		log = os.Stderr
	}
	if err := run(context.Background(), &out, log,
		options{Data: data, Only: "parse", Dir: t.TempDir(), Epochs: 2, Bits: 12, Lengths: []int{5, 10},
			SVG: pictures, Program: os.Args[0]}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| depparser carreras: UAS | ", "\n### Parsers on EWT, dev, gold tags\n",
		"\n| TurboParser, arc (reference) | ", "the same weights",
		"\n| Basque, CoNLL 2007, test | nonprojective | head_automata | ", "\n| model2, pruned | ",
		"\n| n^4 | 1.000 | 16.000 | 4.00 |\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(out.String(), "other weights") {
		t.Error("two workers learned other weights")
	}
	if t.Failed() || testing.Verbose() {
		t.Log(out.String())
	}
	for _, f := range []string{"growth-all.svg", "growth-pruned.svg"} {
		if raw, err := os.ReadFile(filepath.Join(pictures, f)); err != nil || !bytes.Contains(raw, []byte("<svg")) {
			t.Errorf("%s: %v, %d bytes", f, err, len(raw))
		}
	}
}
