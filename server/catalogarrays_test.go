package server

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// TestCatalogArrays reads what PostgreSQL has as arrays in its catalog, in both formats. Sequelize expects the texts
// {a,b} for names, and pgcli lists.
func TestCatalogArrays(t *testing.T) {
	d, _, addr := start(t, Options{})
	if _, err := d.Conn().Exec(t.Context(), "CREATE CORPUS papers (year INTEGER)"); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	c, err := pgx.Connect(ctx, "postgres://ann@"+addr+"/x?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	names := "SELECT array_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = 'papers'::regclass " +
		"AND a.attnum > 0"
	args := "SELECT COALESCE(proallargtypes::regtype[], proargtypes::regtype[])::text[] FROM pg_proc WHERE " +
		"proname = 'strpos'"
	places := "SELECT conkey FROM pg_constraint WHERE conname = 'papers_pkey'"
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeDescribeExec, pgx.QueryExecModeSimpleProtocol} {
		var texts []string
		if err := c.QueryRow(ctx, names, mode).Scan(&texts); err != nil || !slices.Equal(texts, []string{"id", "text",
			"year"}) {
			t.Errorf("%v: names are %v (%v)", mode, texts, err)
		}
		if err := c.QueryRow(ctx, args, mode).Scan(&texts); err != nil || !slices.Equal(texts, []string{"text", "text"}) {
			t.Errorf("%v: types of arguments are %v (%v)", mode, texts, err)
		}
		var numbers []int64
		if err := c.QueryRow(ctx, places, mode).Scan(&numbers); err != nil || !slices.Equal(numbers, []int64{1}) {
			t.Errorf("%v: places are %v (%v)", mode, numbers, err)
		}
	}
	for query, want := range map[string]string{names: "{id,text,year}", places: "{1}",
		"SELECT n FROM (" + strings.Replace(names, "FROM", "AS n FROM", 1) + ") q": "{id,text,year}",
		"SELECT array_agg(x) FROM (VALUES ('a'), ('b')) v (x)":                     `["a","b"]`} {
		results, err := c.PgConn().Exec(ctx, query).ReadAll()
		if err != nil || len(results) != 1 || string(firstValue(results[0])) != want {
			t.Errorf("%s: %v (%v), want %s", query, results, err, want)
		}
	}
}

// firstValue is the first value of a result.
func firstValue(r *pgconn.Result) []byte {
	if len(r.Rows) == 0 {
		return nil
	}
	return r.Rows[0][0]
}
