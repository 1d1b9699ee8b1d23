package crfsuite

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"parlance/algo/foreign"
	"parlance/algo/foreign/foreigntest"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/seq/crf"
	"parlance/algo/seq/hmm"
	"parlance/algo/text"
)

// documents are the items of a file of data, with their attributes in misc.
func documents(t testing.TB, path string) (docs []*text.Document) {
	for _, s := range strings.Split(strings.TrimSpace(foreigntest.File(t, path)), "\n\n") {
		cells := make([][]string, 2)
		for _, line := range strings.Split(s, "\n") {
			_, attributes, _ := strings.Cut(line, "\t")
			cells[0], cells[1] = append(cells[0], "x"), append(cells[1], attributes)
		}
		docs = append(docs, foreigntest.Document("d", []string{"form", "misc"}, cells))
	}
	return docs
}

// TestEqualsCRFsuite: labels are those of crfsuite tag, and marginals within its six decimals.
func TestEqualsCRFsuite(t *testing.T) {
	m := foreigntest.Must(t, Format(), crf.Kind(), "testdata/model", kindtest.Arg("layer", "upos"))
	equals(t, m)
}

func equals(t *testing.T, m kind.Model) {
	t.Helper()
	labels, prob := foreigntest.Labels(t, m, documents(t, "testdata/test.crfsuite"), "upos")
	for i, s := range strings.Split(strings.TrimSpace(foreigntest.File(t, "testdata/expected")), "\n\n") {
		for k, line := range strings.Split(s, "\n")[2:] {
			want, p, _ := strings.Cut(line, ":")
			x, err := strconv.ParseFloat(p, 64)
			if err != nil {
				t.Fatal(err)
			}
			if labels[i][k] != want || !foreigntest.Near(prob[i][k], x, 6e-7) {
				t.Errorf("sentence %d, token %d: %s %g, want %s", i+1, k+1, labels[i][k], prob[i][k], line)
			}
		}
	}
}

// TestWrites: what is written is read again with the same answers, and writing again gives the same bytes.
func TestWrites(t *testing.T) {
	m := foreigntest.Must(t, Format(), crf.Kind(), "testdata/model", kindtest.Arg("layer", "upos"))
	var a, b bytes.Buffer
	if err := write(context.Background(), &a, m); err != nil {
		t.Fatal(err)
	}
	again, err := foreigntest.Model(Format(), crf.Kind(), a.String(), kindtest.Arg("layer", "upos"))
	if err != nil {
		t.Fatal(err)
	}
	equals(t, again)
	if err := write(context.Background(), &b, again); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Errorf("written again: %v, %d and %d bytes", err, a.Len(), b.Len())
	}
}

// TestTables: every text of a written table is found through its hash, as CRFsuite looks it up; the hashes are those of
// its own file.
func TestTables(t *testing.T) {
	data := foreigntest.File(t, "testdata/model")
	le := func(at int) int { return int(binary.LittleEndian.Uint32([]byte(data[at : at+4]))) }
	for _, head := range []int{32, 36} {
		start, found := le(head), 0
		for k := range hashTables {
			at, slots := le(start+tableBytes+8*k), le(start+tableBytes+8*k+4)
			for s := range slots {
				hash, place := le(start+at+8*s), le(start+at+8*s+4)
				if place == 0 {
					continue
				}
				n := le(start + place + 4)
				if got := lookup3(data[start+place+8 : start+place+8+n]); int(got) != hash || int(got)%hashTables != k {
					t.Fatalf("hash %x, want %x", got, hash)
				}
				found++
			}
		}
		if found < 5 {
			t.Errorf("%d texts in the table at %d", found, start)
		}
	}
}

// TestRefusesToWrite: models that CRFsuite cannot express are refused.
func TestRefusesToWrite(t *testing.T) {
	spans := foreigntest.Must(t, Format(), crf.Kind(), "testdata/model")
	var refused *foreign.Refusal
	if err := write(context.Background(), &bytes.Buffer{}, spans); err != nil {
		t.Errorf("spans without rules: %v", err)
	}
	if err := write(context.Background(), &bytes.Buffer{}, hmm.Kind().New()); !errors.As(err, &refused) {
		t.Errorf("another kind: %v", err)
	}
}

// TestRefusals: what is wrong is told with its byte, and nothing is read beyond the file.
func TestRefusals(t *testing.T) {
	good := foreigntest.File(t, "testdata/model")
	u32 := func(at int, v uint32) string {
		b := []byte(good)
		binary.LittleEndian.PutUint32(b[at:], v)
		return string(b)
	}
	place := func(head int) int { return int(binary.LittleEndian.Uint32([]byte(good[head:]))) }
	swapped := []byte(good)
	for i := 4; i+4 <= 48; i += 4 {
		if i != 8 {
			binary.BigEndian.PutUint32(swapped[i:], binary.LittleEndian.Uint32([]byte(good[i:])))
		}
	}
	nan := []byte(good)
	binary.LittleEndian.PutUint64(nan[place(28)+chunkBytes+12:], math.Float64bits(math.NaN()))
	list := place(44) + chunkBytes // of the places of attributes' references
	first := int(binary.LittleEndian.Uint32([]byte(good[list:])))
	two := list // the references of an attribute that has two features
	for place(two) < len(good) && place(place(two)) < 2 {
		two += 4
	}
	for _, c := range [][2]string{
		{u32(list+4, uint32(first)), "does not belong to number 1 of the attribute references"},
		{u32(first, binary.LittleEndian.Uint32([]byte(good[first:]))+1), "does not belong to number"},
		{u32(place(two)+8, uint32(place(place(two)+4))), "does not belong to number"},
		{"", "byte 0: the head of 4 bytes, and the file has 0 more"},
		{"version: 100", "byte 0: \"vers\" is no model of CRFsuite"},
		{string(swapped), "byte 4: the numbers of the model have the other byte order"},
		{good + "x", "byte 4: the model has"},
		{u32(12, 101), "version 101"},
		{u32(28, 1<<31), "the features would be at byte 2147483648"},
		{u32(place(28)+8, 1<<30), "1073741824 features, and the file has"},
		{u32(place(28)+12, 7), "has the type 7"},
		{string(nan), "a weight is NaN"},
		{u32(place(32)+16, 1<<30), "1073741824 labels"},
		{u32(place(32)+12, 0x71534462), "the mark of the byte order"},
		{u32(place(36)+20, 1<<31), "the places of the attributes would be at byte"},
		{u32(place(40)+8, 0), "0 label references"},
		{u32(place(44)+12, 1<<31), "would be at byte"},
	} {
		foreigntest.Refuses(t, Format(), crf.Kind(), c[0], c[1])
	}
	foreigntest.Truncated(t, Format(), crf.Kind(), good, 13, func(int) bool { return false })
}

// FuzzRead: any bytes are read or refused, without a panic and in memory bounded by the file.
func FuzzRead(f *testing.F) {
	good := foreigntest.File(f, "testdata/model")
	f.Add(good)
	f.Add(good[:200])
	f.Fuzz(func(t *testing.T, data string) {
		if len(data) > 8 { // the size is right, so that more is read
			b := []byte(data)
			binary.LittleEndian.PutUint32(b[4:], uint32(len(b)))
			data = string(b)
		}
		m, err := foreigntest.Model(Format(), crf.Kind(), data)
		var e *foreign.Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%v of type %T", err, err)
		}
		if err == nil {
			foreigntest.Labels(t, m, documents(t, "testdata/test.crfsuite")[:1], "form")
		}
	})
}
