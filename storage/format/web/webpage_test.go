package web

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

func TestDeepPage(t *testing.T) {
	for _, tag := range []string{"<div>", "<b>", "<ul><li>", "<table><td>"} {
		_, err := formattest.ReadString(suite.Configure(t, "html"), strings.Repeat(tag, 200_000)+"x", 1)
		if err != nil && !strings.HasPrefix(err.Error(), "stdin:1: HTML: ") {
			t.Errorf("%s: %v", tag, err)
		}
	}
}

func FuzzHTML(f *testing.F) {
	formattest.Seeds(f, "<title>a</title><p>b<pre> c\n\nd", "<table><td wa-type=x wa-id=1>a<td>b", "<svg><title>a",
		"<b><p>a</b>b</p>", "<h1><h1 wa-type=y> a")
	tags := option.Arg{Name: "tags", List: []option.Arg{{Value: value.Str("h1")}, {Value: value.Str("td")}}}
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "html")
		c := suite.Configure(t, "html", tags, formattest.Arg("attribute", value.Str("wa-type")),
			formattest.Arg("group", value.Str("wa-id")))
		got, err := formattest.ReadString(c, in, 1)
		formattest.CheckFault(t, err)
		formattest.CheckLayers(t, got.Docs)
		for _, d := range got.Docs {
			if strings.TrimLeft(d.Text, "\n") != d.Text {
				t.Fatalf("%q", d.Text)
			}
			for _, l := range d.Layers {
				for _, s := range l.Strs("text") {
					if s == "" {
						t.Fatal("a span without text")
					}
				}
			}
		}
	})
}

// Annotated pages have their entities, and each covers what its elements hold.
func TestContactPages(t *testing.T) {
	files := formattest.DataFiles(t, "html/us_contact_pages/*.html")
	docs := formattest.ReadPlain(t, suite.Configure(t, "html", formattest.Arg("attribute", value.Str("wa-type"))),
		files...)
	if len(docs) != len(files) {
		t.Fatalf("%d documents of %d files", len(docs), len(files))
	}
	phone := regexp.MustCompile(`\d{3}`)
	all, phones, good := 0, 0, 0
	for i, d := range docs {
		if d.ID != filepath.Base(files[i]) {
			t.Errorf("%s of %s", d.ID, files[i])
		}
		l := d.Layer("entities")
		all += l.N
		for k, label := range l.Strs("label") {
			if label == "TEL" {
				phones++
				if phone.MatchString(l.Strs("text")[k]) {
					good++
				}
			}
		}
	}
	if all < 2400 || all > 2625 || good*20 < phones*19 {
		t.Errorf("%d entities, %d of %d telephone numbers", all, good, phones)
	}
}

// TestTextsBetweenTags: with '*' each text between two tags is a span, with the tag around it.
func TestTextsBetweenTags(t *testing.T) {
	c := suite.Configure(t, "html", option.Arg{Name: "tags", List: []option.Arg{{Value: value.Str("*")}}})
	page := "<ul><li> Engine <li>Weight<b>heavy</b> enough</ul><p>one<br>two</p><script>no</script><!-- no --><i> </i>"
	src, err := codec.OpenSources(files.Anywhere, nil, strings.NewReader(page), "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = codec.ReadDocuments(context.Background(), c, src, 1, func(docs []*text.Document, _ []string) error {
		l := docs[0].Layer(text.Segments.Name)
		from, to := l.Ints("char_start"), l.Ints("char_end")
		for i, label := range l.Strs("label") {
			got = append(got, label+":"+docs[0].Text[from[i]:to[i]])
		}
		return nil
	})
	if want := "li:Engine li:Weight b:heavy li:enough p:one p:two"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("%v, %v; want %s", got, err, want)
	}
}
