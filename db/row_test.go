package db_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"parlance/db"
)

// TestQueryRow scans first rows, and gives the connection back with and without one.
func TestQueryRow(t *testing.T) {
	ctx, c := context.Background(), open(t, "").Conn()
	var n int
	if err := c.QueryRow(ctx, "SELECT x FROM generate_series(3, 9) g (x)").Scan(&n); err != nil || n != 3 {
		t.Errorf("%d, %v", n, err)
	}
	if err := c.QueryRow(ctx, "SELECT 1 WHERE false").Scan(&n); !errors.Is(err, db.ErrNoRows) {
		t.Errorf("no row: %v", err)
	}
	var e *db.Error
	if err := c.QueryRow(ctx, "SELECT nope").Scan(&n); !errors.As(err, &e) || e.Code != "42703" {
		t.Errorf("a wrong column: %v", err)
	}
	if err := c.QueryRow(ctx, "SELECT 1 / x FROM generate_series(0, 1) g (x)").Scan(&n); !errors.As(err, &e) ||
		e.Code != "22012" {
		t.Errorf("division by zero: %v", err)
	}
	if err := c.QueryRow(ctx, "SELECT 'a'").Scan(&n); !errors.As(err, &e) || e.Code != "42804" {
		t.Errorf("a text: %v", err)
	}
	if err := c.QueryRow(ctx, "SELECT $1 + 1", 41).Scan(&n); err != nil || n != 42 {
		t.Errorf("%d, %v", n, err)
	}
}

// TestAll ranges over rows: to the end, to an error, and until the loop is left.
func TestAll(t *testing.T) {
	ctx, c := context.Background(), open(t, "").Conn()
	for q, want := range map[string]string{
		"SELECT x FROM generate_series(1, 3) g (x)": "1 2 3 ",
		"SELECT x FROM generate_series(1, 9) g (x)": "1 2 3 4 ",
		"SELECT 1 WHERE false":                      "",
		"SELECT CASE WHEN x < 3 THEN x ELSE x / 0 END AS y FROM generate_series(1, 5) g (x) ORDER BY 1": "22012",
	} {
		rows, err := c.Query(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for row, err := range rows.All() {
			if e := new(db.Error); errors.As(err, &e) {
				got += e.Code
				continue
			}
			got += row[0].String() + " "
			if row[0].Int() == 4 {
				break
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", q, got, want)
		}
	}
}

// TestScanArraysAndJSON stores arrays in slices and JSON in maps and structs; nothing of an earlier row stays.
func TestScanArraysAndJSON(t *testing.T) {
	ctx, c := context.Background(), open(t, "").Conn()
	rows, err := c.Query(ctx,
		`SELECT ARRAY['a','b'], '{"x": 1, "y": [2.5]}'::json, ARRAY[1,2,3] UNION ALL SELECT ARRAY[]::text[], '{}'::json, NULL`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	got := ""
	var words []string
	var object struct {
		X int
		Y []float64
	}
	numbers := new([]int64)
	for rows.Next() {
		if err := rows.Scan(&words, &object, &numbers); err != nil {
			t.Fatal(err)
		}
		got += fmt.Sprint(words, object, numbers != nil, ";")
	}
	if want := "[a b] {1 [2.5]} true;[] {0 []} false;"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var m map[string]any
	if err := c.QueryRow(ctx, `SELECT '{"x": 1}'::json`).Scan(&m); err != nil || fmt.Sprint(m) != "map[x:1]" {
		t.Errorf("%v, %v", m, err)
	}
	if err := c.QueryRow(ctx, `SELECT ARRAY['a']`).Scan(&numbers); err == nil {
		t.Error("texts became numbers")
	}
	var raw []byte
	if err := c.QueryRow(ctx, `SELECT ARRAY[1]`).Scan(&raw); err != nil || string(raw) != "[1]" {
		t.Errorf("%s, %v", raw, err)
	}
}

// TestTransaction commits what succeeds and rolls back what fails, by an error of a statement, of Go, or by a panic.
func TestTransaction(t *testing.T) {
	ctx, c := context.Background(), open(t, "").Conn()
	if _, err := c.Exec(ctx, "CREATE LEXICON l (w TEXT)"); err != nil {
		t.Fatal(err)
	}
	insert := func(tx *db.Tx, w string) error {
		r, err := tx.Exec(ctx, "INSERT INTO l VALUES ($1)", w)
		if err == nil && r.Affected != 1 {
			t.Errorf("%d rows affected", r.Affected)
		}
		return err
	}
	if err := c.Transaction(ctx, func(tx *db.Tx) error { return insert(tx, "a") }); err != nil {
		t.Error(err)
	}
	own := errors.New("own")
	if err := c.Transaction(ctx, func(tx *db.Tx) error { return errors.Join(insert(tx, "b"), own) }); !errors.Is(err,
		own) {
		t.Errorf("own error: %v", err)
	}
	var e *db.Error
	err := c.Transaction(ctx, func(tx *db.Tx) error {
		_, _ = tx.Exec(ctx, "SELECT nope")
		return nil
	})
	if !errors.As(err, &e) || e.Code != "25P02" {
		t.Errorf("a failed statement: %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_ = c.Transaction(ctx, func(tx *db.Tx) error {
			_ = insert(tx, "c")
			panic("own")
		})
	}()
	tx, err := c.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Begin(ctx); !errors.As(err, &e) || e.Code != "25001" {
		t.Errorf("begun twice: %v", err)
	}
	if err := errors.Join(insert(tx, "d"), tx.Rollback(ctx), tx.Rollback(ctx)); err != nil {
		t.Error(err)
	}
	var all string
	if err := c.QueryRow(ctx, "SELECT string_agg(w, ',') FROM l").Scan(&all); err != nil || all != "a" {
		t.Errorf("%s, %v", all, err)
	}
}
