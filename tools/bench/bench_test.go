package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/tagger"
)

func TestWithoutData(t *testing.T) {
	err := run(context.Background(), io.Discard, io.Discard, options{})
	if err == nil || !strings.Contains(err.Error(), "PARLANCE_DATA") {
		t.Errorf("without data: %v", err)
	}
	err = run(context.Background(), io.Discard, io.Discard, options{Only: "nosuch"})
	if err == nil || !strings.Contains(err.Error(), "no part begins with nosuch; parts are crf, ") {
		t.Errorf("a part that there is not: %v", err)
	}
}

// TestCRFsuite runs a program that stands in for CRFsuite: it checks its arguments and the file.
func TestCRFsuite(t *testing.T) {
	bin := t.TempDir()
	tool := `#!/bin/sh
[ "$1 $2 $3 $4 $5 $6 $7 $8" = "learn -a lbfgs -p c2=1 -p max_iterations=100 -m" ] || exit 3
head -n 1 "${10}" | grep -q '^B-PER	form\[0\]=Ann$' || exit 4
grep -c '^$' "${10}" | grep -q '^4$' || exit 5
`
	if err := os.WriteFile(filepath.Join(bin, "crfsuite"), []byte(tool), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	set, err := feature.Parse("form[0]")
	if err != nil {
		t.Fatal(err)
	}
	target, err := tagger.NewTarget("entities", bio.BIO)
	if err != nil {
		t.Fatal(err)
	}
	docs := kindtest.Sample(2) // one sentence, then two, with tokens in four sequences below
	docs = append(docs, kindtest.Sample(1)...)
	data, err := tagger.Read(context.Background(), kind.Documents(docs), set, target, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{options: options{Dir: t.TempDir()}, ctx: context.Background(), log: io.Discard}
	if sec, err := b.crfsuite(data); err != nil || sec <= 0 {
		t.Errorf("%v s, %v", sec, err)
	}
	t.Setenv("PATH", t.TempDir())
	if sec, err := b.crfsuite(data); err != nil || sec != 0 || b.rows[len(b.rows)-1].note != "not on PATH" {
		t.Errorf("without it: %v s, %v, %v", sec, err, b.rows)
	}
}

func TestFirstTokens(t *testing.T) {
	file := []byte("a O\nb O\n\nc O\n\nd O\n")
	for most, want := range map[int]string{1: "a O\nb O\n", 2: "a O\nb O\n", 3: "a O\nb O\n\nc O\n", 9: string(file)} {
		if got := string(firstTokens(file, most)); got != want {
			t.Errorf("%d tokens: %q, want %q", most, got, want)
		}
	}
}

func TestObjectives(t *testing.T) {
	if got := objectives(
		"optimization finished, #iter = 9\nobj = -1.5, rho = 0.25\nobj = -2, rho = 1\nTotal nSV = 3\n"); got != 3.5 {
		t.Errorf("%v, want 3.5", got)
	}
}
