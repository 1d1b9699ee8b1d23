package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"parlance/algo/numeric/tensor"
)

// tensorOf reads the triples of a file, one in every n, as a tensor. Types are, where wanted,
// what stands at each side of each relation.
func tensorOf(path string, every int, typed bool) (*tensor.Problem, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	entities, relations := map[string]int32{}, map[string]int32{}
	p := &tensor.Problem{}
	lines := bufio.NewScanner(file)
	for n := 0; lines.Scan(); n++ {
		w := strings.Split(lines.Text(), "\t")
		if len(w) != 3 {
			return nil, fmt.Errorf("%s:%d: three fields are wanted", path, n+1)
		}
		i, k, j := number(entities, w[0]), number(relations, w[1]), number(entities, w[2])
		if int(k) == len(p.Relations) {
			p.Relations = append(p.Relations, tensor.Relation{})
		}
		if n%every == 0 {
			r := &p.Relations[k]
			r.Subjects, r.Objects = append(r.Subjects, i), append(r.Objects, j)
		}
	}
	p.Entities = len(entities)
	for k := 0; typed && k < len(p.Relations); k++ {
		r := &p.Relations[k]
		r.Left, r.Right = len(p.Sets), len(p.Sets)+1
		p.Sets = append(p.Sets, ascending(r.Subjects), ascending(r.Objects))
	}
	return p, lines.Err()
}

func number(m map[string]int32, s string) int32 {
	if _, ok := m[s]; !ok {
		m[s] = int32(len(m))
	}
	return m[s]
}

func ascending(list []int32) []int32 {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// cost is that of an iteration.
type cost struct {
	wall, processor float64 // seconds
	heap            float64 // MB at most
}

// iteration is the median cost of n iterations of a decomposition.
func (b *bench) iteration(p *tensor.Problem, rank, workers, n int) (cost, error) {
	var walls, cpus []float64
	var most uint64
	runtime.GC()
	clock, used := time.Now(), processor()
	o := tensor.Options{Rank: rank, L2: 1, Iterations: n + 1, Init: tensor.Random, Workers: workers}
	o.Report = func(s tensor.Step) error {
		if s.Number > 0 && s.Number <= n { // the last one leaves out what only a next one needs
			walls, cpus = append(walls, time.Since(clock).Seconds()), append(cpus, processor()-used)
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
		clock, used = time.Now(), processor()
		return nil
	}
	if _, err := tensor.Fit(b.ctx, p, o); err != nil {
		return cost{}, err
	}
	slices.Sort(walls)
	slices.Sort(cpus)
	return cost{walls[n/2], cpus[n/2], float64(most) / 1e6}, nil
}

// started is the processor seconds that the eigenvectors of the start take.
func (b *bench) started(p *tensor.Problem, rank int) (float64, error) {
	used, sec := processor(), 0.0
	_, err := tensor.Fit(b.ctx, p, tensor.Options{Rank: rank, L2: 1, Workers: 2, Report: func(s tensor.Step) error {
		sec = processor() - used
		return nil
	}})
	return sec, err
}
