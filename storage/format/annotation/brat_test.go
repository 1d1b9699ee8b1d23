package annotation

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

// Offsets count code points, line ends as they stand.
func TestBrat(t *testing.T) {
	dir := t.TempDir()
	formattest.Write(t, dir, "a.txt", []byte("Zoë 😀 of ACME\r\nor left and right lung."))
	formattest.Write(t, dir, "a.ann", []byte(`T1	PER 0 3	Zoë
T2	ORG 9 13	ACME
*	Equiv T1 T2
E1	Leave:T3 Who:T1 What:E2
T3	Leave 18 22	left
T4	Part 18 22;33 37	left lung
E2	Thing:T4

R1	Works Arg1:T1 Arg2:T2	
A1	Negated E1
M1	Time T1 past
N1	Reference T1 Wiki:12	Zoë
#1	AnnotatorNotes T1	a	note
`))
	got, err := formattest.ReadBeside(t, dir, "a.txt", suite.Configure(t, "brat"))
	if err != nil {
		t.Fatal(err)
	}
	want := `a at a.txt:1: "Zoë 😀 of ACME\r\nor left and right lung."
  entities start=0 end=4 label="PER" text="Zoë"
  entities start=13 end=17 label="ORG" text="ACME"
  entities start=22 end=41 label="Part" text="left and right lung"
  entities start=22 end=26 label="Leave" text="left"
  relations label="Works" subject_start=0 subject_end=4 object_start=13 object_end=17
  relations label="Who" subject_start=22 subject_end=26 object_start=0 object_end=4
  relations label="What" subject_start=22 subject_end=26 object_start=22 object_end=41
  words sent=0 id="T1" line="T1\tPER 0 3\tZoë"
  words sent=0 id="T2" line="T2\tORG 9 13\tACME"
  words sent=0 id="*" line="*\tEquiv T1 T2"
  words sent=0 id="E1" line="E1\tLeave:T3 Who:T1 What:E2"
  words sent=0 id="T3" line="T3\tLeave 18 22\tleft"
  words sent=0 id="T4" line="T4\tPart 18 22;33 37\tleft lung"
  words sent=0 id="PARTS" line="entities 18 22;33 37"
  words sent=0 id="E2" line="E2\tThing:T4"
  words sent=0 id="R1" line="R1\tWorks Arg1:T1 Arg2:T2\t"
  words sent=0 id="A1" line="A1\tNegated E1"
  words sent=0 id="M1" line="M1\tTime T1 past"
  words sent=0 id="N1" line="N1\tReference T1 Wiki:12\tZoë"
  words sent=0 id="#1" line="#1\tAnnotatorNotes T1\ta\tnote"
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A byte order mark counts in offsets; files may be compressed, and empty.
func TestBratFiles(t *testing.T) {
	dir := t.TempDir()
	formattest.Write(t, dir, "a.txt.gz", formattest.Gzipped(t, "\ufeffab"))
	formattest.Write(t, dir, "a.ann.zst", formattest.Zstandard(t, "T1\tX 1 3\tab\n"))
	got, err := formattest.ReadBeside(t, dir, "a.txt.gz", suite.Configure(t, "brat"))
	if err != nil ||
		!strings.HasPrefix(got, "a at a.txt.gz:1: \"ab\"\n  entities start=0 end=2 label=\"X\" text=\"ab\"\n") {
		t.Error(got, err)
	}
	formattest.Write(t, dir, "b.txt", nil)
	formattest.Write(t, dir, "b.ann", nil)
	if got, err := formattest.ReadBeside(t, dir, "b.txt", suite.Configure(t, "brat")); err != nil ||
		got != "b at b.txt:1: \"\"\n" {
		t.Error(got, err)
	}
}

func TestBratFaults(t *testing.T) {
	for ann, want := range map[string]string{
		"T1 X 0 1\n":                   "a.ann:1: an annotation begins with its id and a tab",
		"\nT1\tX 0\ta\n":               `a.ann:2: "0" are no offsets such as 0 5 or 0 5;9 12`,
		"T1\tX 2 1\ta\n":               `a.ann:1: "2 1" are no offsets such as 0 5 or 0 5;9 12`,
		"T1\tX 0 5\tab\n":              "a.ann:1: T1 ends at 5, the text has 4 code points",
		"T1\tX 0 1\tb\n":               `a.ann:1: T1 is "a" by its offsets, not "b"; WITH (check = false) takes the offsets`,
		"T1\tX 0 1\ta\nT1\tX 0 1\ta\n": "a.ann:2: T1 stands twice",
		"R1\tX Arg1:T1 Arg2:T2\n":      "a.ann:1: there is no entity T1",
		"R1\tX T1 T2\n":                "a.ann:1: R1 is no relation such as Type Arg1:T1 Arg2:T2",
		"R1\tX Arg1:T1\n":              "a.ann:1: R1 is no relation such as Type Arg1:T1 Arg2:T2",
		"E1\tX\n":                      "a.ann:1: E1 is no event such as Type:T1 Role:T2",
		"E1\tX:E1 Y:E1\n":              "a.ann:1: there is no entity E1",
		"T1\t\n":                       "a.ann:1: T1 has no type",
		"X1\tY\n":                      "a.ann:1: X1 begins with none of T, R, E, A, M, N, # and *",
		"T1\tX \xff\n":                 "a.ann:1:6: byte 0xff is not UTF-8",
	} {
		dir := t.TempDir()
		formattest.Write(t, dir, "a.txt", []byte("a\nbc"))
		formattest.Write(t, dir, "a.ann", []byte(ann))
		_, err := formattest.ReadBeside(t, dir, "a.txt", suite.Configure(t, "brat"))
		if err == nil || strings.TrimPrefix(err.Error(), dir+string(filepath.Separator)) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	dir := t.TempDir()
	formattest.Write(t, dir, "a.txt", []byte("a"))
	if _, err := formattest.ReadBeside(t, dir, "a.txt", suite.Configure(t, "brat")); err == nil ||
		!strings.HasSuffix(err.Error(), "a.txt:1: there is no file a.ann beside it") {
		t.Error(err)
	}
	formattest.Write(t, dir, "a.ann", []byte("T1\tX 0 1\tb\n"))
	if _, err := formattest.ReadBeside(t, dir, "a.txt",
		suite.Configure(t, "brat", formattest.Arg("check", value.Bool(false)))); err != nil {
		t.Error(err)
	}
}

func FuzzBrat(f *testing.F) {
	f.Add("aé b", "T1\tX 0 1;2 3\ta b\nE1\tX:T1 R:T1\nR1\tY A:T1 B:E1\n*\tEquiv T1\n")
	f.Add("\ufeffa\r\n", "T1\tX 1 2\ta\nT2\tY 0 0\n")
	f.Add("", "E1\tX:E2 Y:E1\nE2\tX:E1\n")
	f.Fuzz(func(t *testing.T, content, ann string) {
		c := suite.Configure(t, "brat", formattest.Arg("check", value.Bool(false))).(*brat)
		content = strings.ToValidUTF8(content, "?")
		src, err := codec.OpenSources(files.Anywhere, nil, strings.NewReader(ann), "")
		if err != nil {
			t.Fatal(err)
		}
		err = src.Each(func(s *codec.Source) error {
			d, err := c.annotated("a", content, s)
			if err == nil {
				formattest.CheckLayers(t, []*text.Document{d})
			}
			return err
		})
		formattest.CheckFault(t, err)
		suite.CheckRead(t, content, "brat")
	})
}
