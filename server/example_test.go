package server_test

import (
	"context"
	"fmt"
	"log"
	"net"
	"strings"

	"parlance/db"
	"parlance/server"

	"github.com/jackc/pgx/v5"
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

// Any client of PostgreSQL trains and selects, here pgx.
func Example() {
	ctx := context.Background()
	address, stop := serve()
	defer stop()
	conn, err := pgx.Connect(ctx, "postgres://ann@"+address+"/news?sslmode=disable")
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "CREATE CORPUS docs"); err != nil {
		log.Fatal(err)
	}
	load := "LOAD STDIN INTO docs FORMAT conll WITH (columns = (form, entities))"
	if _, err := conn.PgConn().CopyFrom(ctx, strings.NewReader(annotated), load); err != nil {
		log.Fatal(err)
	}
	if _, err := conn.Exec(ctx, "TRAIN crf AS ner ON docs"); err != nil {
		log.Fatal(err)
	}
	rows, err := conn.Query(ctx, "SELECT text, label FROM entities(TEXT $1) USING ner", "Bob flew to Oslo.")
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

// serve serves a temporary database at a free port; stop ends both.
func serve() (address string, stop func()) {
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	s := server.New(d, server.Options{})
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	return l.Addr().String(), func() {
		if err := s.Shutdown(context.Background()); err != nil {
			log.Fatal(err)
		}
		<-served
		if err := d.Close(); err != nil {
			log.Fatal(err)
		}
	}
}
