package textfn

import (
	"context"
	"fmt"
	"math"
	"strings"

	"parlance/query/fn"
	"parlance/storage/value"
)

var quoteFuncs = []fn.Func{
	{Name: "quote_ident", Doc: "the text as a name in a statement, in double quotes where they are needed",
		Example: "quote_ident('my table')", Args: []value.Type{text}, Result: text,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) { return quoteIdent(ctx, a[0].S) }},
	{Name: "quote_literal", Doc: "the text as a string in a statement", Example: "quote_literal('it''s')",
		Args: []value.Type{fn.Any}, Result: text,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			return quoteLiteral(ctx, a[0].String())
		}},
	{Name: "quote_nullable", Doc: "the same; NULL becomes the word NULL", Example: "quote_nullable(NULL)",
		Args: []value.Type{fn.Any}, Result: text, Nulls: true,
		Long: func(ctx context.Context, a []value.Value) (value.Value, error) {
			if a[0].IsNull() {
				return value.Str("NULL"), nil
			}
			return quoteLiteral(ctx, a[0].String())
		}},
	{Name: "format", Doc: "the first text with its marks replaced by the arguments that follow: %s the value, %I as " +
		"a name, %L as a string, %% a percent sign, %2$s the second argument; %5s fills up with blanks to 5 code " +
		"points, %-5s behind, and %*s as the argument before says",
		Example: "format('%s of %I: %L', 1, 'a b', 'it''s')",
		Args:    []value.Type{text, fn.Any}, Optional: 1, Variadic: true, Result: text, Nulls: true, Long: format},
	{Name: "pg_size_pretty", Doc: "a number of bytes with a unit", Example: "pg_size_pretty(20480)",
		Args: []value.Type{float}, Result: text, Eval: sizePretty},
	{Name: "pg_typeof", Doc: "name of the type of the value as SQL knows it", Example: "pg_typeof(1.5)",
		Args: []value.Type{fn.Any}, Result: text, Nulls: true,
		Eval: func(a []value.Value) (value.Value, error) { return value.Str(sqlTypes[a[0].T]), nil }},
	{Name: "pg_encoding_to_char", Doc: "name of a character encoding by its number, of which there is one: 6, UTF8",
		Example: "pg_encoding_to_char(6)", Args: []value.Type{integer}, Result: text,
		Eval: func(a []value.Value) (value.Value, error) {
			if a[0].Int() == UTF8 {
				return value.Str("UTF8"), nil
			}
			return value.Str(""), nil
		}},
	{Name: "pg_char_to_encoding", Doc: "number of a character encoding, -1 for any but UTF8",
		Example: "pg_char_to_encoding('UTF8')", Args: []value.Type{text}, Result: integer,
		Eval: func(a []value.Value) (value.Value, error) {
			if strings.EqualFold(a[0].S, "UTF8") || strings.EqualFold(a[0].S, "UTF-8") {
				return value.Int(UTF8), nil
			}
			return value.Int(-1), nil
		}},
}

// UTF8 is the number of the only character encoding.
const UTF8 = 6

var sqlTypes = map[value.Type]string{value.Null: "unknown", value.Text: "text", value.Integer: "bigint",
	value.Float: "double precision", value.Boolean: "boolean",
	value.Timestamp: "timestamp with time zone", value.Bytes: "bytea", value.Vector: "real[]", value.JSON: "json",
	value.Interval: "interval"}

func quoteIdent(ctx context.Context, s string) (value.Value, error) {
	plain := s != "" && !keywords[s]
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			plain = false
		}
	}
	if plain {
		return value.Str(s), nil
	}
	return doubleQuotes(ctx, `"`, s, `"`, strings.NewReplacer(`"`, `""`))
}

func quoteLiteral(ctx context.Context, s string) (value.Value, error) {
	if strings.Contains(s, `\`) {
		return doubleQuotes(ctx, "E'", s, "'", strings.NewReplacer("'", "''", `\`, `\\`))
	}
	return doubleQuotes(ctx, "'", s, "'", strings.NewReplacer("'", "''"))
}

// doubleQuotes is a text between quotes in which a replacer doubles single characters; it ends with its context.
func doubleQuotes(ctx context.Context, before, s, after string, twice *strings.Replacer) (value.Value, error) {
	var b fn.TextBuilder
	b.Append(before)
	for part := range fn.Chunks(ctx, s) {
		b.Append(twice.Replace(part))
	}
	b.Append(after)
	if ctx.Err() != nil {
		return value.Value{}, ctx.Err()
	}
	return b.Result()
}

func sizePretty(a []value.Value) (value.Value, error) {
	n, units := a[0].Float(), []string{"bytes", "kB", "MB", "GB", "TB", "PB"}
	u := 0
	for u+1 < len(units) && math.Abs(math.Round(n)) >= 10*1024 { // no more digits than four, and 10240 of a unit are 10
		n /= 1024
		u++
	}
	return value.Str(fmt.Sprintf("%.0f %s", math.Round(n), units[u])), nil
}
