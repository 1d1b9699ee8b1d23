package server

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/lib/pq"
)

// TestArrays gives arrays as arguments, described as text and binary, and undescribed.
func TestArrays(t *testing.T) {
	_, _, addr := start(t, Options{})
	url := "postgres://ann@" + addr + "/x?sslmode=disable"
	at := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	cases := []struct {
		query     string
		array, pq any // for pgx, for lib/pq
		want      string
	}{
		{"SELECT 'b' = ANY ($1)", []string{"a", `b`, `c"{,}\`}, nil, "true"},
		{`SELECT 'c"{,}\' = ANY ($1)`, []string{"NULL", `c"{,}\`}, nil, "true"},
		{"SELECT 2 = ANY ($1)", []int64{1, 2}, nil, "true"},
		{"SELECT 3 <> ALL ($1)", []int64{}, nil, "true"},
		{"SELECT 0.1 = ANY ($1)", []float64{0.1}, nil, "true"},
		{"SELECT true = ANY ($1)", []bool{true}, nil, "true"},
		{"SELECT '2026-05-01 10:00'::timestamp = ANY ($1)", []time.Time{at}, []string{"2026-05-01 10:00:00"}, "true"},
		{"SELECT $1::text[]", []string{"a", "b c"}, nil, `["a","b c"]`},
		{"SELECT $1::int[]", []int32{1, -1}, nil, `[1,-1]`},
		{"SELECT string_agg(x, '|') FROM unnest($1::text[]) AS u (x)", []string{"a", "b"}, nil, "a|b"},
		{"SELECT $1::float[]", []*float64{nil}, nil, `[null]`},
	}
	modes := []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe,
		pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol}
	for _, mode := range modes {
		t.Run(mode.String(), func(t *testing.T) {
			c, err := pgx.Connect(context.Background(), url)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close(context.Background())
			for _, k := range cases {
				var got any
				err := c.QueryRow(context.Background(), "SELECT ("+k.query+")::text", mode, k.array).Scan(&got)
				if fmt.Sprint(got) != k.want || err != nil {
					t.Errorf("%s: %v, want %s (%v)", k.query, got, k.want, err)
				}
			}
		})
	}
	for name, option := range map[string]string{"text": "", "binary": "&binary_parameters=yes"} {
		t.Run("lib/pq "+name, func(t *testing.T) {
			pool, err := sql.Open("postgres", url+option)
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			for _, k := range cases {
				array := k.array
				if k.pq != nil {
					array = k.pq
				}
				if _, ok := array.([]*float64); ok {
					continue // it takes none
				}
				var got string
				err := pool.QueryRow("SELECT ("+k.query+")::text", pq.Array(array)).Scan(&got)
				if got != k.want || err != nil {
					t.Errorf("%s: %v, want %s (%v)", k.query, got, k.want, err)
				}
			}
		})
	}
}
