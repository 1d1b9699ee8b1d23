package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/tagger"
	"parlance/db"
	"parlance/storage"
)

// Reference figures of CRFsuite 0.12 on the same data and a quiet machine of the same kind:
// seconds an iteration, and for 100 iterations.
const (
	crfsuiteIteration = 0.298
	crfsuiteObjective = 13156.67
	crfsuiteSeconds   = 34
)

// crf trains the chunker of CRFsuite's example: time to CRFsuite's final objective, time of an
// evaluation, and the trace with plain settings.
func (b *bench) crf() error {
	d, c, err := b.session("crf")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := b.script(c, chunkCorpus); err != nil {
		return err
	}
	for workers := 1; workers <= min(2, runtime.NumCPU()); workers++ {
		s, err := b.median(3, func() (float64, error) { return b.reach(c, workers) })
		if err != nil {
			return err
		}
		b.add(fmt.Sprintf("CRF to objective %.2f, %d worker", crfsuiteObjective, workers), fmt.Sprintf("%.2f s", s),
			fmt.Sprintf("≤ %.1f s (1/%d)", crfsuiteSeconds/[]float64{6, 9}[workers-1], []int{6, 9}[workers-1]),
			fmt.Sprintf("1/%.1f of CRFsuite's %d s (reference)", crfsuiteSeconds/s, crfsuiteSeconds))
	}
	if err := b.evaluation(d.Path(), d); err != nil {
		return err
	}
	d, c, err = b.session("trace")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := b.script(c, chunkCorpus+`TRAIN crf AS plain ON c WHERE split = 'train' WITH (layer = 'chunks', features = 'chunk', l2 = 2.0, iterations = 50, memory = 6, warm_start = false, delta = 0);
TRAIN crf AS chunker ON c WHERE split = 'train' WITH (layer = 'chunks', features = 'chunk', l2 = 2.0, iterations = 100, delta = 1e-5);`); err != nil {
		return err
	}
	var objective, f1 float64
	if err := b.one(c, "SELECT objective FROM plain.trace WHERE step = 50 LIMIT 1", &objective); err != nil {
		return err
	}
	b.add("objective in iteration 50, plain settings", fmt.Sprintf("%.6f", objective), "14279.620026 ± 1e-6",
		fmt.Sprintf("relative difference %.1e", math.Abs(objective/14279.620026-1)))
	if err := b.one(c, "SELECT value FROM (EVALUATE chunker ON c WHERE split = 'test' WITH (samples = 0)) e WHERE "+
		"metric = 'f1' AND label = 'ALL'", &f1); err != nil {
		return err
	}
	b.add("CoNLL-2000 test F1", fmt.Sprintf("%.2f", 100*f1), "≥ 93.6", "")
	return nil
}

// reach trains until the objective is CRFsuite's final one and returns the seconds, with
// reading the corpus and making features.
func (b *bench) reach(c *db.Conn, workers int) (float64, error) {
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	start, at := time.Now(), 0.0
	c.OnProgress(func(p db.Progress) {
		if p.Note == chain.Fitting.String() && p.Objective <= crfsuiteObjective && at == 0 {
			at = time.Since(start).Seconds()
			cancel()
		}
	})
	defer c.OnProgress(func(db.Progress) {})
	if _, err := c.Exec(b.ctx, fmt.Sprintf("SET workers = %d", workers)); err != nil {
		return 0, err
	}
	_, err := c.Exec(ctx, "TRAIN crf AS chunker ON c WHERE split = 'train' WITH (layer = 'chunks', features = 'chunk', "+
		"l2 = 2.0, iterations = 100, delta = 1e-5)")
	if at > 0 {
		return at, nil
	}
	if err == nil {
		err = fmt.Errorf("the objective %v is not reached", crfsuiteObjective)
	}
	return 0, err
}

// evaluation measures loss and gradient of plain L-BFGS. The store is read through a copy.
func (b *bench) evaluation(path string, d *db.DB) error {
	if err := d.Close(); err != nil {
		return err
	}
	s, err := storage.Open(path, storage.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer s.Close()
	docs, err := splitOf(b.ctx, s, "c", "train")
	if err != nil {
		return err
	}
	set, _ := feature.Builtin("chunk")
	target, err := tagger.NewTarget("chunks", bio.BIO)
	if err != nil {
		return err
	}
	data, err := tagger.Read(b.ctx, kind.Documents(docs), set, target, nil, 1)
	if err != nil {
		return err
	}
	if sec, err := b.crfsuite(data); err != nil {
		return err
	} else if sec > 0 {
		b.add("CRFsuite, 100 iterations", fmt.Sprintf("%.1f s", sec), "", "in this run")
	}
	for workers := 1; workers <= min(2, runtime.NumCPU()); workers++ {
		const iterations = 15
		sec, err := b.median(3, func() (float64, error) {
			start, n := time.Time{}, 0
			_, _, err := chain.Train(b.ctx, &data.Data, chain.Options{L2: 2, Iterations: iterations, Workers: workers},
				func(p chain.Progress) bool {
					if start.IsZero() {
						start = time.Now() // the first iteration searches its step
					} else {
						n += p.Evaluations
					}
					return false
				})
			return time.Since(start).Seconds() / float64(n), err
		})
		if err != nil {
			return err
		}
		b.add(fmt.Sprintf("L-BFGS evaluation, %d worker", workers), fmt.Sprintf("%.3f s", sec),
			fmt.Sprintf("≤ 1/%v", []float64{2.5, 4.5}[workers-1]),
			fmt.Sprintf("1/%.1f of CRFsuite's %.3f s (reference)", crfsuiteIteration/sec, crfsuiteIteration))
	}
	return nil
}
