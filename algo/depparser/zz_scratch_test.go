package depparser

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
)

func readConllu(path string) []*text.Document {
	f, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	var docs []*text.Document
	toks, arcs := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
	var sent, tok, head []int32
	var forms, upos, xpos, rels []string
	s := int32(1)
	sc := bufio.NewScanner(f)
	sc.Buffer(make([]byte, 1<<20), 1<<20)
	for sc.Scan() {
		l := sc.Text()
		if l == "" {
			s++
			continue
		}
		if l[0] == '#' {
			continue
		}
		c := strings.Split(l, "\t")
		i, err := strconv.Atoi(c[0])
		if err != nil {
			continue
		}
		h, _ := strconv.Atoi(c[6])
		sent, tok, head = append(sent, s), append(tok, int32(i)), append(head, int32(h))
		forms, upos, xpos, rels = append(forms, c[1]), append(upos, c[3]), append(xpos, c[4]), append(rels, c[7])
	}
	toks.N, arcs.N = len(sent), len(sent)
	toks.SetInts("sent", sent)
	toks.SetInts("tok", tok)
	toks.SetStrs("form", forms)
	toks.SetStrs("upos", upos)
	toks.SetStrs("xpos", xpos)
	arcs.SetInts("sent", sent)
	arcs.SetInts("tok", tok)
	arcs.SetInts("head", head)
	arcs.SetStrs("deprel", rels)
	d := &text.Document{ID: path, Layers: []*text.Layer{toks, arcs}}
	docs = append(docs, d)
	return docs
}

func TestScratch(t *testing.T) {
	args := os.Getenv("DP")
	if args == "" {
		t.Skip()
	}
	_ = rand.Int
	tp, dp := "/work/shared/data/ud/en_ewt.train.conllu", "/work/shared/data/ud/en_ewt.dev.conllu"
	train, dev := readConllu(tp), readConllu(dp)
	m := &model{}
	s := &option.Set{}
	m.Options(s)
	var as []option.Arg
	for _, kv := range strings.Fields(args) {
		k, v, _ := strings.Cut(kv, "=")
		if f, err := strconv.Atoi(v); err == nil {
			as = append(as, kindtest.Arg(k, f))
		} else if f, err := strconv.ParseFloat(v, 64); err == nil {
			as = append(as, kindtest.Arg(k, f))
		} else {
			as = append(as, kindtest.Arg(k, v))
		}
	}
	if err := s.Apply(as); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	tr := &kind.Training{On: kind.Documents(train), Seed: 1, Workers: 1, Report: func(p kind.Progress) { fmt.Println(p) }, Notice: func(s string) { fmt.Println(s) }}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	fmt.Println("train", time.Since(start))
	gold := dev[0].Layer("dependencies")
	a := m.pool.get(m)
	for _, prob := range []bool{false} {
		start = time.Now()
		d := *dev[0]
		if err := a.document(context.Background(), m, &d, prob); err != nil {
			t.Fatal(err)
		}
		el := time.Since(start)
		got := d.Layer("dependencies")
		uas, las := 0, 0
		for i := range got.N {
			if got.Ints("head")[i] == gold.Ints("head")[i] {
				uas++
				if m.labeler != nil && got.Strs("deprel")[i] == gold.Strs("deprel")[i] {
					las++
				}
			}
		}
		fmt.Printf("UAS %.2f LAS %.2f  %.0f tokens/s\n", 100*float64(uas)/float64(got.N), 100*float64(las)/float64(got.N), float64(got.N)/el.Seconds())
	}
	// oracle of the pruner
	if a.w.pruner != nil {
		toks := dev[0].Layer("tokens")
		bounds := dev[0].SentenceTokens()
		goldHeads := gold.Ints("head")
		arcs, hit, n := 0, 0, 0
		var keep []bool
		for s := 1; s < len(bounds); s++ {
			from, to := int(bounds[s-1]), int(bounds[s])
			if from == to {
				continue
			}
			a.sent.load(toks, m.columns(), from, to)
			keep = a.w.pruner.prune(&a.sent, m.opt.prune, keep)
			for i := 1; i <= to-from; i++ {
				n++
				for h := range to - from + 1 {
					if keep[h*(to-from+1)+i] {
						arcs++
					}
				}
				if keep[int(goldHeads[from+i-1])*(to-from+1)+i] {
					hit++
				}
			}
		}
		fmt.Printf("dev: %.2f arcs a token, oracle %.2f\n", float64(arcs)/float64(n), 100*float64(hit)/float64(n))
	}
}
