package treeclassifier

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"parlance/algo/classify/svm/solver"
	"parlance/algo/parse/constituent"
	"parlance/algo/parse/treekernel"
	"parlance/algo/testutil/realdata"
	"parlance/algo/testutil/testtime"
)

// example is the tree of a sentence with a predicate and one of its arguments marked.
type example struct {
	shape *treekernel.Shape
	side  int8 // +1 for the role
}

// spansOf reads a column of brackets: label and places of its spans, from 1.
func spansOf(column []string) (out []struct {
	label       string
	first, last int
}) {
	open := -1
	for i, c := range column {
		if strings.HasPrefix(c, "(") {
			open = len(out)
			out = append(out, struct {
				label       string
				first, last int
			}{strings.Trim(c, "(*)"), i + 1, i + 1})
		}
		if strings.HasSuffix(c, ")") && open >= 0 {
			out[open].last, open = i+1, -1
		}
	}
	return out
}

// roles reads examples of a role against the other roles of predicates that have it.
func roles(tb testing.TB, file, role string, most int) (out []example) {
	tb.Helper()
	f := realdata.Open(tb, "srl", file)
	var r io.Reader = f
	if strings.HasSuffix(file, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			tb.Fatal(err)
		}
		r = z
	}
	var rows [][]string
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		switch l := lines.Text(); {
		case strings.HasPrefix(l, "# "):
		case l != "":
			rows = append(rows, strings.Split(l, "\t"))
		default:
			out = append(out, sentence(rows, role)...)
			if rows = nil; most > 0 && len(out) >= most {
				return out[:most]
			}
		}
	}
	return out
}

func sentence(rows [][]string, role string) (out []example) {
	var words []string
	var written strings.Builder
	for _, r := range rows {
		words = append(words, r[1])
		written.WriteString(strings.Replace(r[5], "*", fmt.Sprintf(" (%s x)", r[2]), 1))
	}
	tree, _, err := constituent.Parse(written.String())
	if err != nil {
		return nil
	}
	for c := 7; c < len(rows[0]); c++ {
		column := make([]string, len(rows))
		for i, r := range rows {
			column[i] = r[c]
		}
		list := spansOf(column)
		verb, has := -1, false
		for i, s := range list {
			if s.label == "V" && verb < 0 {
				verb = i
			}
			has = has || s.label == role
		}
		if verb < 0 || !has {
			continue
		}
		for i, s := range list {
			if i == verb || s.label == "V" {
				continue
			}
			marks := map[*constituent.Node]string{}
			mark(tree, func(first, last int) string {
				switch {
				case first == list[verb].first && last == list[verb].last:
					return "1"
				case first == s.first && last == s.last:
					return "2"
				}
				return ""
			}, marks)
			if len(marks) != 2 {
				continue
			}
			x := example{&treekernel.Shape{}, -1}
			if s.label == role {
				x.side = 1
			}
			x.shape.AddTree(tree, words, marks)
			out = append(out, x)
		}
	}
	return out
}

// trainedRole trains a machine and tells how long that took.
func trainedRole(tb testing.TB, k treekernel.Kernel, o *treekernel.Mining, plain bool, names *treekernel.Alphabet,
	list []example) (gram *treekernel.Gram, s *solver.Solution, mining, svm time.Duration) {
	tb.Helper()
	ctx := context.Background()
	var trees []*treekernel.Tree
	side := make([]int8, len(list))
	for i, x := range list {
		trees, side[i] = append(trees, x.shape.Tree(names)), x.side
	}
	start := testtime.Start()
	var mined *treekernel.Mined
	var err error
	if o != nil {
		if mined, err = treekernel.Mine(ctx, k, *o, trees, names); err != nil {
			tb.Fatal(err)
		}
		total := 0
		for _, g := range mined.Groups {
			total += g.Subtrees
		}
		tb.Logf("  size %d: %d subtrees in %d groups, %.2f %% of the pairs direct", o.Size, total,
			len(mined.Groups), 100*mined.Direct.Rate())
	}
	mining = start.Took()
	start = testtime.Start()
	if gram, err = treekernel.NewGram(ctx, k, trees, mined, true); err != nil {
		tb.Fatal(err)
	}
	if plain {
		gram.Plain()
	}
	m := solver.Machine{C: 10, Epsilon: 1e-3, Cache: 512 << 20}
	if s, err = m.TrainGram(ctx, gram, side); err != nil {
		tb.Fatal(err)
	}
	return gram, s, mining, start.Took()
}

// TestRoles compares training by mined vectors with training by kernels of trees: the same steps, the same decisions,
// and what either takes. ROLE_TREES is the number of examples, 400 if it is not set.
func TestRoles(t *testing.T) {
	most, err := strconv.Atoi(os.Getenv("ROLE_TREES"))
	if err != nil {
		most = 400
	}
	var list []example
	for _, part := range []string{"answers", "email", "newsgroup", "reviews", "weblog"} {
		list = append(list, roles(t, "ewt.train."+part+".txt.gz", "ARG2", most/5)...)
	}
	test := roles(t, "ewt.dev.txt", "ARG2", max(100, most/4))
	for _, c := range []struct {
		family treekernel.Family
		sizes  []int
	}{{treekernel.SubsetTree, []int{10}}, {treekernel.Partial, []int{8, 10}}} {
		k, names := treekernel.Kernel{Family: c.family, Decay: 0.2, Marked: true}, treekernel.NewAlphabet()
		plain := time.Duration(0) // ROLE_PLAIN=no leaves it out
		if os.Getenv("ROLE_PLAIN") != "no" {
			_, _, _, plain = trainedRole(t, k, nil, true, names, list)
		}
		g, want, _, direct := trainedRole(t, k, nil, false, names, list)
		t.Logf("%v, %d trees: from all nodes %.2f s, from those at marks %.2f s, %d steps, %d kernels, F1 on %d "+
			"others %.1f", c.family, len(list),
			plain.Seconds(), direct.Seconds(), want.Iterations, g.Cells, len(test), f1(k, names, g, want, test))
		for _, size := range c.sizes {
			_, got, mining, svm := trainedRole(t, k, &treekernel.Mining{Size: size, Ratio: 20, Searches: 1 << 30},
				false, names, list)
			worst := furthest(g, got, want)
			t.Logf("%v, size %d: mining %.2f s, training %.2f s, all nodes take %.1f times as long, %.1f with "+
				"mining, nodes at marks %.1f and %.1f; %d steps, decisions differ by %.1e",
				c.family, size, mining.Seconds(), svm.Seconds(), plain.Seconds()/svm.Seconds(),
				plain.Seconds()/(mining+svm).Seconds(), direct.Seconds()/svm.Seconds(),
				direct.Seconds()/(mining+svm).Seconds(), got.Iterations, worst)
			if worst > 0.01 {
				t.Errorf("%v: decisions differ by %g", c.family, worst)
			}
		}
	}
}

// furthest is the largest difference of two decision values, on every twentieth tree.
func furthest(g *treekernel.Gram, a, b *solver.Solution) (worst float64) {
	row := make([]float64, g.Len())
	for i := 0; i < g.Len(); i += 20 {
		g.Row(i, row)
		d := a.B - b.B
		for j, v := range row {
			d += (a.Coef[j] - b.Coef[j]) * v
		}
		worst = math.Max(worst, math.Abs(d))
	}
	return worst
}

// f1 is that of the role on other examples, in percent.
func f1(k treekernel.Kernel, names *treekernel.Alphabet, g *treekernel.Gram, s *solver.Solution,
	test []example) float64 {
	e := treekernel.NewEvaluator(k)
	right, found, gold := 0.0, 0.0, 0.0
	for _, x := range test {
		p := k.Prepare(x.shape.Tree(treekernel.NewOverlay(names)))
		scale, err := e.Scale(p, true)
		if err != nil {
			continue
		}
		f := s.B
		for i, b := range s.Coef {
			if b != 0 {
				t, own := g.Tree(i)
				f += b * e.Value(t, p) * own * scale
			}
		}
		if f > 0 {
			found++
		}
		if x.side > 0 {
			gold++
			if f > 0 {
				right++
			}
		}
	}
	return 200 * right / max(1, found+gold)
}
