package db_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	doctext "parlance/algo/text"
	"parlance/db"
	"parlance/query/fn"
	"parlance/storage/value"
)

const annotated = `Ann B-PER
flew O
to O
Oslo B-LOC
. O

Bob B-PER
left O
Rome B-LOC
. O
`

func Example() {
	ctx := context.Background()
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	c.Stdin(strings.NewReader(annotated))
	err = c.Script(ctx, `
		CREATE CORPUS docs;
		LOAD STDIN INTO docs FORMAT conll WITH (columns = (form, entities));
		TRAIN crf AS ner ON docs;`, nil)
	if err != nil {
		log.Fatal(err)
	}
	rows, err := c.Query(ctx, "SELECT text, label FROM entities(TEXT $1) USING ner", "Bob flew to Oslo.")
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text, label string
		if err := rows.Scan(&text, &label); err != nil {
			log.Fatal(err)
		}
		fmt.Println(text, label)
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Bob PER
	// Oslo LOC
}

func ExampleConn_Prepare() {
	ctx := context.Background()
	d, err := db.Open("", db.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	if _, err := c.Exec(ctx, "CREATE CORPUS docs (year INTEGER)"); err != nil {
		log.Fatal(err)
	}
	insert, err := c.Prepare("INSERT INTO docs (id, text, year) VALUES ($1, $2, $3)")
	if err != nil {
		log.Fatal(err)
	}
	for i, text := range []string{"First text.", "Second text."} {
		if _, err := insert.Exec(ctx, fmt.Sprint("d", i), text, 2000+i); err != nil {
			log.Fatal(err)
		}
	}
	res, err := c.Exec(ctx, "DELETE FROM docs WHERE year = $1", 2000)
	fmt.Println(res.Tag, err)
	// Output: DELETE 1 <nil>
}

func ExampleError() {
	d, err := db.Open("", db.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	_, err = d.Exec(context.Background(), "SELECT *\nFROM dcos")
	e := err.(*db.Error)
	fmt.Println(e.Code, e.Line, e.Column, e.Message)
	// Output: 42P01 2 6 there is no table dcos
}

// Programs add functions and kinds of model of their own.
func ExampleOptions() {
	shout := fn.Func{Name: "shout", Doc: "the text in capitals with an exclamation mark", Args: []value.Type{value.Text},
		Result: value.Text,
		Eval:   func(args []value.Value) (value.Value, error) { return value.Str(strings.ToUpper(args[0].S) + "!"), nil }}
	d, err := db.Open("", db.Options{Functions: []fn.Func{shout}, Kinds: []kind.Kind{kindtest.CorpusKind()}})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	rows, err := d.Query(context.Background(),
		"SELECT shout('hi'), (SELECT count(*) FROM system.kinds WHERE name = 'length_rank')")
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		fmt.Println(rows.Values()[0], rows.Values()[1])
	}
	// Output: HI! 1
}

// Documents of a program are annotated one after the other, without a corpus.
func ExampleDB_Annotate() {
	ctx := context.Background()
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	c.Stdin(strings.NewReader(annotated))
	err = c.Script(ctx, `
		CREATE CORPUS docs;
		LOAD STDIN INTO docs FORMAT conll WITH (columns = (form, entities));
		TRAIN crf AS ner ON docs;`, nil)
	if err != nil {
		log.Fatal(err)
	}
	docs := func(yield func(*doctext.Document, error) bool) {
		for i, s := range []string{"Bob flew to Oslo.", "Ann left Rome."} {
			if !yield(&doctext.Document{ID: fmt.Sprint(i + 1), Text: s}, nil) {
				return
			}
		}
	}
	for doc, err := range d.Annotate(ctx, []string{"ner"}, docs) {
		if err != nil {
			log.Fatal(err)
		}
		for _, e := range doc.Layer("entities").Spans() {
			fmt.Printf("document %s, sentence %d, token %d: %s\n", doc.ID, e.Sent, e.First, e.Label)
		}
	}
	// Output:
	// document 1, sentence 1, token 1: PER
	// document 1, sentence 1, token 4: LOC
	// document 2, sentence 1, token 1: PER
	// document 2, sentence 1, token 3: LOC
}
