package driver_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"strings"

	"parlance/db"
	"parlance/db/driver"
)

func Example() {
	ctx := context.Background()
	pool, err := sql.Open("parlance", ":memory:?cache=off")
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	for _, statement := range []string{
		"CREATE CORPUS docs (year INTEGER)",
		"INSERT INTO docs (id, text, year) VALUES ('a', 'Ann flew to Oslo.', 2023), ('b', 'Bob left Rome.', 2024)",
	} {
		if _, err := pool.ExecContext(ctx, statement); err != nil {
			log.Fatal(err)
		}
	}
	rows, err := pool.QueryContext(ctx, "SELECT id, text FROM docs WHERE year >= $1 ORDER BY id", 2023)
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, text string
		if err := rows.Scan(&id, &text); err != nil {
			log.Fatal(err)
		}
		fmt.Println(id, text)
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// a Ann flew to Oslo.
	// b Bob left Rome.
}

// A program that has the database open uses it through database/sql as well.
func ExampleOpenDB() {
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	pool := driver.OpenDB(d)
	defer pool.Close()
	_, err = pool.Exec("CREATE CORPUS docs (year INTEGR)")
	var e *db.Error
	if errors.As(err, &e) {
		fmt.Println(e.Code, e.Line, e.Column, e.Message)
	}
	// Output: 42704 1 26 unknown type integr
}

// What database/sql has no place for, such as the data of LOAD STDIN, goes to the session.
func ExampleConn_Session() {
	ctx := context.Background()
	pool, err := sql.Open("parlance", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	conn, err := pool.Conn(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "CREATE CORPUS docs"); err != nil {
		log.Fatal(err)
	}
	err = conn.Raw(func(c any) error {
		c.(*driver.Conn).Session().Stdin(strings.NewReader(`{"id": "a", "text": "Ann flew to Oslo."}`))
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	res, err := conn.ExecContext(ctx, "LOAD STDIN INTO docs FORMAT jsonl")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.RowsAffected())
	// Output: 1 <nil>
}
