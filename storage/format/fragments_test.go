package format

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

const discontinuousEntity = `# newdoc id = d1
# global.Entity = eid-etype-head-other
1	They	_	N	N	_	0	root	_	Entity=(e1-person-1-)
2	saw	_	N	N	_	1	dep	_	_
2.1	_	_	_	_	_	_	_	_	Entity=(e3-thing-1-)
3	us	_	N	N	_	1	dep	_	Entity=(e2[1/2]-person-1-)
4	here	_	N	N	_	1	dep	_	_
5	all	_	N	N	_	1	dep	_	Entity=(e2[2/2]-person-1-
6	together	_	N	N	_	1	dep	_	Entity=e2[2/2])
7	now	_	N	N	_	1	dep	_	Entity=(e2[1/2]-person-1-)
8	we	_	N	N	_	1	dep	_	Entity=(e2[2/2]-person-1-)

`

// mentionTexts are the texts of a layer of spans with a column.
func mentionTexts(d *text.Document, layer, column string) (out []string) {
	l := d.Layer(layer)
	for i := range l.N {
		out = append(out, l.Strs(column)[i]+": "+d.Text[l.Ints("char_start")[i]:l.Ints("char_end")[i]])
	}
	return out
}

// noted are the rows of words of an id.
func notedRows(d *text.Document, id string) (out []string) {
	l := d.Layer("words")
	for i := 0; l != nil && i < l.N; i++ {
		if l.Strs("id")[i] == id {
			out = append(out, l.Strs("line")[i])
		}
	}
	return out
}

// TestPartsOfMentions makes one mention of several parts, and tells of those that no row holds.
func TestPartsOfMentions(t *testing.T) {
	for fragments, want := range map[string][]string{
		"hull":  {"e1: They", "e2: us here all together", "e2: now we"},
		"parts": {"e1: They", "e2: us", "e2: all together", "e2: now we"},
	} {
		c := suite.Configure(t, "conllu", formattest.Arg("fragments", value.Str(fragments)))
		got, err := formattest.ReadString(c, discontinuousEntity, 1)
		if err != nil {
			t.Fatal(err)
		}
		d := got.Docs[0]
		if diff := cmp.Diff(want, mentionTexts(d, "mentions", "cluster")); diff != "" {
			t.Errorf("%s: %s", fragments, diff)
		}
		if diff := cmp.Diff([]string{"mentions e3"}, notedRows(d, text.EmptyRow)); diff != "" {
			t.Error(diff)
		}
		told := []string{layers.EmptyMentions.One + " (the first at stdin:1)"}
		if fragments == "hull" {
			told = append(told, layers.Hulls.One+" (the first at stdin:1)")
			if diff := cmp.Diff([]string{"mentions 9 11;17 29"}, notedRows(d, text.PartsRow)); diff != "" {
				t.Error(diff)
			}
		}
		if diff := cmp.Diff(told, codec.Notices(c)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(discontinuousEntity, formattest.Written(t, c, got.Docs)); diff != "" {
			t.Error(diff)
		}
	}
	_, err := formattest.ReadString(suite.Configure(t, "conllu", formattest.Arg("fragments", value.Str("error"))),
		discontinuousEntity, 1)
	if err == nil || !strings.Contains(err.Error(), "several parts") {
		t.Error(err)
	}
}

// readFile reads the documents of a file of some contents.
func readFile(t *testing.T, c codec.Codec, contents map[string]string, name string) []*text.Document {
	t.Helper()
	dir := t.TempDir()
	for n, s := range contents {
		if err := os.WriteFile(filepath.Join(dir, n), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, err := codec.OpenSources(files.Anywhere, []string{filepath.Join(dir, name)}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := formattest.ReadAll(c, src, 1)
	if err != nil {
		t.Fatal(err)
	}
	return got.Docs
}

// TestPartsOfBrat tells of entities of several parts. Parts between which a line ends are one.
func TestPartsOfBrat(t *testing.T) {
	contents := map[string]string{"b.txt": "älpha and beta actin\nbind.", "b.ann": "T1\tProt 0 5;15 20\tälpha actin\n" +
		"T2\tProt 10 14;15 20\tbeta actin\nT3\tProt 15 20;21 25\tactin bind\nR1\tEq Arg1:T1 Arg2:T2\n"}
	for fragments, want := range map[string][]string{
		"hull":  {"Prot: älpha and beta actin", "Prot: beta actin", "Prot: actin\nbind"},
		"parts": {"Prot: älpha", "Prot: beta actin", "Prot: actin\nbind", "Prot: actin"},
	} {
		c := suite.Configure(t, "brat", formattest.Arg("fragments", value.Str(fragments)))
		d := readFile(t, c, contents, "b.txt")[0]
		if diff := cmp.Diff(want, mentionTexts(d, "entities", "label")); diff != "" {
			t.Errorf("%s: %s", fragments, diff)
		}
		told, noted := codec.Notices(c), notedRows(d, text.PartsRow)
		if fragments == "hull" && (len(told) != 1 || !strings.HasPrefix(told[0], layers.Hulls.One) || len(noted) != 1 ||
			noted[0] != "entities 0 5;15 20") || fragments == "parts" && len(told)+len(noted) > 0 {
			t.Errorf("%s: %q, %q", fragments, told, noted)
		}
	}
}

// TestPartsOfEcb tells of mentions of several parts, and of those that go on in another sentence.
func TestPartsOfEcb(t *testing.T) {
	file := `<Document doc_name="1_2ecb.xml"><token t_id="1" sentence="0">Ann</token><token t_id="2" sentence="0">met</token>` +
		`<token t_id="3" sentence="0">Bob</token><token t_id="4" sentence="1">Now</token><Markables><A m_id="1">` +
		`<token_anchor t_id="1"/><token_anchor t_id="3"/></A><B m_id="2"><token_anchor t_id="3"/><token_anchor t_id="4"/></B>` +
		`</Markables><Relations><INTRA_DOC_COREF r_id="3"><source m_id="1"/></INTRA_DOC_COREF></Relations></Document>`
	for fragments, want := range map[string][]string{
		"hull":  {"A: Ann met Bob", "B: Bob"},
		"parts": {"A: Ann", "A: Bob", "B: Bob"},
	} {
		c := suite.Configure(t, "ecb", formattest.Arg("fragments", value.Str(fragments)))
		d := readFile(t, c, map[string]string{"a.xml": file}, "a.xml")[0]
		if diff := cmp.Diff(want, mentionTexts(d, "mentions", "kind")); diff != "" {
			t.Errorf("%s: %s", fragments, diff)
		}
		for i, kind := range d.Layer("mentions").Strs("kind") {
			if cluster := d.Layer("mentions").Strs("cluster")[i]; (kind == "A") != (cluster == "1_2ecb:3") {
				t.Errorf("%s: row %d of %s is in cluster %q", fragments, i, kind, cluster)
			}
		}
		told := codec.Notices(c)
		if !strings.HasPrefix(told[0], layers.CutAtSentence.One) || fragments == "hull" && (len(told) != 2 ||
			!strings.HasPrefix(told[1], layers.Hulls.One) || notedRows(d, text.PartsRow)[0] != "mentions 0 3;8 11") {
			t.Errorf("%s: %q", fragments, told)
		}
	}
}
