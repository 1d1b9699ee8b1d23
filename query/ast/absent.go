package ast

import (
	"strings"
	"sync"
)

// absentNames are functions, operators and statements of PostgreSQL that this language does not have, in lower case and
// separated by commas, with what serves in their place.
var absentNames = []struct{ names, hint string }{
	{"to_char", "strftime('%d %b %Y', time) writes a time; round(x, n), format('%s', x) and lpad(x::text, n) " +
		"write numbers"},
	{"to_number", "CAST(text AS float); replace(text, ',', '') takes separators out before"},
	{"to_date", "strptime(text, '%d %b %Y') reads a time; CAST(text AS date) reads 2026-11-21"},
	{"to_timestamp", "strptime(text, '%d %b %Y') reads a text; to_timestamp(seconds) counts from 1970"},
	{"covar_pop, covar_samp", "avg(x * y) - avg(x) * avg(y); corr(y, x) is the correlation"},
	{"regr_avgx, regr_avgy, regr_count, regr_intercept, regr_r2, regr_slope, regr_sxx, regr_sxy, regr_syy",
		"corr(y, x) is the correlation; corr(y, x) * stddev(y) / stddev(x) is the slope of the regression"},
	{"sin, cos, tan, cot, asin, acos, atan, atan2, sinh, cosh, tanh, asinh, acosh, atanh, sind, cosd, tand, cotd, " +
		"asind, acosd, " +
		"atand, atan2d, pi, degrees, radians", "cosine(a, b) compares vectors; programs add functions by " +
		"db.Options.Functions"},
	{"jsonb_set, jsonb_set_lax, jsonb_insert, jsonb_delete, jsonb_delete_path, jsonb_strip_nulls, json_strip_nulls, " +
		"json - key, #-",
		"json || '{\"key\": 1}'::json sets a member; SELECT json_object_agg(key, value) FROM json_each(json) WHERE " +
			"key <> 'key' leaves one out"},
	{"similar to, similar_to_escape", "text ~ '^(?:Ann|Bo.)$' matches a regular expression; text LIKE 'An%'"},
	{"overlaps, times_overlap", "a < d AND c < b, for the times from a to b and from c to d"},
	{"symmetric", "x BETWEEN least(a, b) AND greatest(a, b)"},
	{"asymmetric", "BETWEEN alone takes its lower bound first"},
	{"soundex, difference, metaphone, dmetaphone, daitch_mokotoff",
		"jaro_winkler(a, b) and levenshtein(a, b) compare spellings"},
	{"isnull", "x IS NULL"},
	{"notnull", "x IS NOT NULL"},
	{"prepare, execute", "prepare through the protocol: every PostgreSQL driver does"},
	{"rollup, cube, grouping, grouping sets", "UNION ALL joins selects with a GROUP BY each"},
}

var absent = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, a := range absentNames {
		for name := range strings.SplitSeq(a.names, ", ") {
			out[name] = a.hint
		}
	}
	return out
})

// Absent returns the fault of using a function or an operator of PostgreSQL, in whatever case, that this language does
// not have; nil for other names. A function that is there in another form may have an entry: it serves calls that do
// not fit this form.
func Absent(name string, pos Pos) *Error {
	hint, ok := absent()[strings.ToLower(name)]
	if !ok {
		return nil
	}
	return &Error{Pos: pos, Code: CodeFeature, Msg: name + " is not part of this language", Hint: hint}
}
