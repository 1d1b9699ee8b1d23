package conll

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// checkFile reads a file and wants the same bytes written.
func checkFile(t *rapid.T, c codec.Codec, file string) {
	t.Helper()
	got, err := formattest.ReadString(c, file, 2)
	if err != nil {
		t.Fatalf("%v in\n%s", err, file)
	}
	if diff := cmp.Diff(file, formattest.Written(t, c, got.Docs)); diff != "" {
		t.Fatal(diff)
	}
}

// headOf draws a head of token k of n, or _.
func headOf(t *rapid.T, k, n int) string {
	if h := rapid.IntRange(-1, n).Draw(t, "head"); h >= 0 && h != k {
		return fmt.Sprint(h)
	}
	return "_"
}

var anyCell = rapid.OneOf(formattest.Word, rapid.Just("_"))

func TestConllxRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 4).Draw(t, "sentences") {
			n := rapid.IntRange(1, 5).Draw(t, "tokens")
			for k := 1; k <= n; k++ {
				fmt.Fprintf(&b, "%d", k)
				for i := 1; i < 10; i++ {
					if i == 6 {
						b.WriteString("\t" + headOf(t, k, n))
						continue
					}
					b.WriteString("\t" + anyCell.Draw(t, "cell"))
				}
				b.WriteByte('\n')
			}
			b.WriteByte('\n')
		}
		cut := rapid.SampledFrom([]string{"sentence", "file", "2"}).Draw(t, "document")
		checkFile(t, suite.Configure(t, "conllx", formattest.Arg("document", value.Str(cut))), b.String())
	})
}

func TestConll2009RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 3).Draw(t, "sentences") {
			n := rapid.IntRange(1, 5).Draw(t, "tokens")
			is := rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "predicates")
			for k := 1; k <= n; k++ {
				cells := []string{fmt.Sprint(k)}
				for i := 1; i < 12; i++ {
					cells = append(cells, anyCell.Draw(t, "cell"))
				}
				cells[8], cells[9] = headOf(t, k, n), headOf(t, k, n)
				if is[k-1] {
					cells = append(cells, "Y", formattest.Name.Draw(t, "sense"))
				} else {
					cells = append(cells, "_", "_")
				}
				for _, p := range is {
					if p {
						cells = append(cells, rapid.SampledFrom([]string{"_", "A0", "AM-TMP"}).Draw(t, "argument"))
					}
				}
				b.WriteString(strings.Join(cells, "\t") + "\n")
			}
			b.WriteByte('\n')
		}
		cut := rapid.SampledFrom([]string{"sentence", "file", "2"}).Draw(t, "document")
		checkFile(t,
			suite.Configure(t, "conll2009", formattest.Arg("document", value.Str(cut)),
				formattest.Arg("predicted", value.Bool(rapid.Bool().Draw(t, "predicted")))), b.String())
	})
}

func TestConllupRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, toks := formattest.Tokens(t, "a")
		formattest.Column(t, toks, "lemma")
		formattest.Arcs(t, d, toks)
		var rows roleRows
		bounds := d.SentenceTokens()
		for s := int32(1); int(s) < len(bounds); s++ {
			n := bounds[s] - bounds[s-1]
			for p := int32(1); p <= n; p++ {
				var args []labelled
				for k := int32(1); k <= n && rapid.Bool().Draw(t, "predicate"); k++ {
					args = append(args, labelled{"A" + fmt.Sprint(k), k, k})
				}
				if len(args) > 0 {
					rows.add(s, p, formattest.Name.Draw(t, "sense"), args)
				}
			}
		}
		rows.set(d, toks)
		c := suite.Configure(t, "conllup")
		got, err := formattest.ReadString(c, formattest.Written(t, c, []*text.Document{d}), 1)
		if err != nil {
			t.Fatal(err)
		}
		got.Docs[0].DropLayer("words")
		if diff := cmp.Diff(formattest.Dumps([]*text.Document{d}), formattest.Dumps(got.Docs)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Universal Propositions have as many predicates and arguments as their columns say.
func TestRealPropositions(t *testing.T) {
	files := formattest.DataFiles(t, "srl/up_en_ewt.*.conllu")
	docs := suite.CheckSameDocuments(t, "conllup", files)
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	predicates, cells := 0, 0 // cells but V at the predicate itself
	for sentence := range strings.SplitSeq(string(data), "\n\n") {
		of := 0 // the predicate whose column comes next, 0-based
		for line := range strings.SplitSeq(sentence, "\n") {
			f := strings.Split(line, "\t")
			is := len(f) > 11 && f[10] != "_" && f[10] != ""
			for i := 11; i < len(f); i++ {
				if f[i] != "_" && f[i] != "" && !(is && f[i] == "V" && i == 11+of) {
					cells++
				}
			}
			if is {
				predicates++
				of++
			}
		}
	}
	if n := formattest.RowsOf(docs, "roles"); n != predicates+cells || predicates == 0 {
		t.Errorf("%d rows, the file has %d predicates and %d arguments", n, predicates, cells)
	}
	t.Logf("%d predicates, %d arguments", predicates, cells)
}

// What the formats with columns of arguments cannot hold is refused.
func TestArgumentsRefused(t *testing.T) {
	for _, c := range []struct {
		format, want string
		args         []labelled
	}{
		{"conll2009",
			"document d: argument A0 of token 1 covers 2 tokens; this format names one, FORMAT conll2012 holds spans",
			[]labelled{{"A0", 1, 2}}},
		{"conll2009", "document d: token 2 is two arguments of token 1; this format holds one",
			[]labelled{{"A0", 2, 2}, {"A1", 2, 2}}},
		{"conllup", "document d: the predicate at token 1 of sentence 1 has no sense; FORMAT conll2009 holds such", nil},
	} {
		b := layers.Builder{}
		b.Sentence()
		b.Token("a", false)
		b.Token("b", false)
		d, toks := b.Document("d")
		rows := roleRows{}
		rows.add(1, 1, "", c.args)
		rows.set(d, toks)
		w, err := codec.NewDocumentWriter(suite.Configure(t, c.format), &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(d); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// GUM has a mention and an entity for every bracket that opens in Entity.
func TestRealMentions(t *testing.T) {
	files := formattest.DataFiles(t, "gum/*.conllu")
	opens, linked, groups := 0, 0, 0
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for doc := range strings.SplitSeq(string(data), "# newdoc id") {
			seen := map[string]bool{}
			for _, v := range regexp.MustCompile(`\bEntity=([^|\n]*)`).FindAllStringSubmatch(doc, -1) {
				for _, m := range regexp.MustCompile(`\(([^()]*)`).FindAllStringSubmatch(v[1], -1) {
					opens++
					fields := strings.Split(m[1], "-")
					seen[fields[0]] = true
					if len(fields) > 7 {
						linked++
					}
				}
			}
			groups += len(seen)
		}
	}
	c := suite.Configure(t, "conllu")
	docs := formattest.ReadFiles(t, c, "", files...)
	gotLinked, gotGroups := 0, 0
	for _, d := range docs {
		m, seen := d.Layer("mentions"), map[string]bool{}
		for i := range m.N {
			if links := m.Strs("link"); links != nil && links[i] != "" {
				gotLinked++
			}
			seen[m.Strs("cluster")[i]] = true
		}
		gotGroups += len(seen)
	}
	got := []int{formattest.RowsOf(docs, "mentions"), formattest.RowsOf(docs, "entities"), gotLinked, gotGroups}
	if diff := cmp.Diff([]int{opens, opens, linked, groups}, got); diff != "" {
		t.Error(diff)
	}
	t.Logf("%d documents, %d mentions, %d linked, %d clusters", len(docs), opens, linked, groups)
}
