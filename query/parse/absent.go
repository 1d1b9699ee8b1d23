package parse

import (
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/query/lex"
)

// absent returns the error of the first operator of PostgreSQL among the tokens that this language does not have; nil
// if there is none.
func absent(tokens []lexer.Token) error {
	for i := range len(tokens) - 1 {
		if name := absentAt(tokens, i); name != "" {
			return ast.Absent(name, lex.Position(tokens[i].Pos))
		}
	}
	return nil
}

// absentAt returns the name of such an operator at i, or "". The words of these operators may be names, so it looks at
// the tokens around them.
func absentAt(tokens []lexer.Token, i int) string {
	t, before, after := tokens[i], lexer.Token{}, tokens[i+1]
	if i > 0 {
		before = tokens[i-1]
	}
	there := false
	switch {
	case t.Type == lex.Operator:
		there = t.Value == "#-"
	case t.Type != lex.Ident:
	case t.Value == "SIMILAR" && after.Value == "TO":
		there = before.Value == "NOT" || operandEnd(before)
		t.Value = "SIMILAR TO"
	case t.Value == "GROUPING" && after.Value == "SETS":
		there = i+2 < len(tokens) && tokens[i+2].Value == "("
		t.Value = "GROUPING SETS"
	case t.Value == "SYMMETRIC" || t.Value == "ASYMMETRIC":
		there = before.Type == lex.Keyword && before.Value == "BETWEEN" && opensOperand(after)
	case t.Value == "OVERLAPS":
		there = before.Value == ")" && after.Value == "("
	case t.Value == "ISNULL" || t.Value == "NOTNULL":
		there = operandEnd(before) && before.Value != "BY" && before.Value != "SET" && queries[tokens[0].Value]
	}
	if !there {
		return ""
	}
	return t.Value
}

// queries are the first words of the statements in which ISNULL and NOTNULL follow operands.
var queries = map[string]bool{"SELECT": true, "WITH": true, "INSERT": true, "UPDATE": true, "DELETE": true,
	"EXPLAIN": true, "(": true}

// absentStatements are statements of PostgreSQL and of other programs for models that this language does not have, by
// their first words, with what to use in their place. A * stands for any name but IF.
var absentStatements = []struct{ words, msg, hint string }{
	{"PREDICT", "models predict where SELECT names them", predicted},
	{"TAG", "models predict where SELECT names them", predicted},
	{"PARSE", "models predict where SELECT names them", predicted},
	{"CLASSIFY", "models predict where SELECT names them", "SELECT label FROM labels(TEXT '…') USING model"},
	{"COMPARE", "models are compared by EVALUATE",
		"EVALUATE model, other ON corpus WHERE …; DIFF MODEL model@1, model@2 ON corpus"},
	{"FIT", "models are made by TRAIN", trained},
	{"CREATE MODEL", "models are made by TRAIN", trained},
	{"LISTEN", "there are no notifications between sessions", "SHOW JOBS and SHOW ACTIVITY tell what others do"},
	{"NOTIFY", "there are no notifications between sessions", "SHOW JOBS and SHOW ACTIVITY tell what others do"},
	{"HELP", "help is no statement", "\\h in the shell lists the topics of the manual; SHOW KINDS, SHOW FORMATS and " +
		"DESCRIBE tell of what there is"},
	{"LOCK", "tables are not locked", "each statement is atomic and reads one state"},
	{"VACUUM", "there are no dead rows to collect", "COMPACT gives free pages of the file back"},
	{"ANALYZE", "there are no statistics to gather",
		"plans use counts that the file always has; EXPLAIN ANALYZE counts what a query does"},
	{"REINDEX", "indexes need no care", "CHECK DATABASE compares them with what they index"},
	{"CLUSTER", "rows have no other order to be stored in", "CREATE INDEX ON name (column)"},
	{"CHECKPOINT", "there is no log to write out", "what a statement has written is in the file when it ends"},
	{"TRUNCATE", "there is no TRUNCATE", "DELETE FROM name"},
	{"MERGE", "there is no MERGE", "INSERT … ON CONFLICT (key) DO UPDATE SET …"},
	{"GRANT", "privileges are those of roles", "ALTER USER name ROLE reader | writer | admin"},
	{"REVOKE", "privileges are those of roles", "ALTER USER name ROLE reader | writer | admin"},
	{"COMMENT ON", "objects have no comments", ""},
	{"SECURITY LABEL", "objects have no labels of security", ""},
	{"REASSIGN OWNED", "objects have no owners", ""},
	{"DO", "there is no procedural language", "send the statements one by one, or as a script"},
	{"CALL", "there are no procedures", "send the statements one by one, or as a script"},
	{"REFRESH", "there are no views", "predictions are kept in the cache and always fresh"},
	{"IMPORT FOREIGN", "there are no foreign tables", "LOAD reads files"},
	{"PREPARE TRANSACTION", "there are no transactions in two phases", "COMMIT ends a transaction in one step"},
	{"COMMIT PREPARED", "there are no transactions in two phases", "COMMIT ends a transaction in one step"},
	{"ROLLBACK PREPARED", "there are no transactions in two phases", "COMMIT ends a transaction in one step"},
	{"CREATE TEMP VIEW", "there are no views", views},
	{"CREATE TEMPORARY VIEW", "there are no views", views},
	{"CREATE TEMP SEQUENCE", "there are no sequences", "row_number() OVER () numbers rows"},
	{"CREATE TEMPORARY SEQUENCE", "there are no sequences", "row_number() OVER () numbers rows"},
	{"CREATE UNLOGGED TABLE", "all tables are logged", "CREATE TABLE"},
	{"CREATE UNIQUE INDEX", "indexes do not make rows unique",
		"documents are unique by id; CREATE INDEX ON name (column)"},
	{"CREATE INDEX CONCURRENTLY", "indexes have no names", index},
	{"CREATE INDEX * ON", "indexes have no names", index},
	{"CREATE INDEX IF NOT EXISTS * ON", "indexes have no names", index},
	{"DROP INDEX IF EXISTS *", "indexes have no names", "DROP INDEX ON name (column)"},
	{"DROP INDEX *", "indexes have no names", "DROP INDEX ON name (column)"},
	{"CREATE ROLE", "users have one of three roles", "CREATE USER name WITH PASSWORD '…' ROLE reader | writer | admin"},
	{"ALTER ROLE", "users have one of three roles", "ALTER USER name ROLE reader | writer | admin"},
	{"DROP ROLE", "users have one of three roles", "DROP USER name"},
	{"CREATE SCHEMA", "schemas cannot be made", "each corpus is a schema of its layers: CREATE CORPUS"},
	{"DROP SCHEMA", "schemas cannot be dropped", "each corpus is a schema of its layers: DROP CORPUS"},
	{"CREATE DATABASE", "a file is a database", "parlance serve FILE serves another one"},
	{"DROP DATABASE", "a file is a database", ""},
	{"CREATE OR REPLACE", "views and functions cannot be made by statements", views},
	{"CREATE VIEW", "there are no views", views},
	{"CREATE MATERIALIZED VIEW", "there are no views", views},
	{"DROP VIEW", "there are no views", ""},
	{"CREATE FUNCTION", "functions cannot be made by statements", "programs add them by db.Options.Functions"},
	{"CREATE PROCEDURE", "there are no procedures", ""},
	{"CREATE EXTENSION", "there are no extensions", "SHOW FUNCTIONS, KINDS and FORMATS list what is built in"},
	{"CREATE SEQUENCE", "there are no sequences", "row_number() OVER () numbers rows"},
	{"CREATE TYPE", "there are no types to be made",
		"types are text, integer, float, boolean, timestamp, bytes, vector and json"},
	{"CREATE DOMAIN", "there are no types to be made",
		"types are text, integer, float, boolean, timestamp, bytes, vector and json"},
	{"CREATE TRIGGER", "there are no triggers", ""},
	{"CREATE RULE", "there are no rules of rewriting", ""},
	{"CREATE POLICY", "there are no policies of rows", ""},
	{"CREATE PUBLICATION", "there is no replication", "BACKUP TO 'path' copies the database"},
	{"CREATE SUBSCRIPTION", "there is no replication", "BACKUP TO 'path' copies the database"},
}

const (
	predicted = "SELECT text, label FROM entities(TEXT '…') USING model; COPY corpus USING model TO 'path' " +
		"FORMAT conllu"
	trained = "TRAIN crf AS name ON corpus WHERE … WITH (layer = entities); SHOW KINDS"
	index   = "CREATE INDEX ON name (column)"
	views   = "WITH name AS (SELECT …) SELECT …"
)

// asAbsentStatement returns a better error for a statement that does not parse because PostgreSQL has it and this
// language has not; for others it returns err.
func asAbsentStatement(text string, err error) error {
	var e *ast.Error
	if !errors.As(err, &e) || e.Code != ast.CodeSyntax {
		return err
	}
	tokens := leading(text)
	if len(tokens) > 0 && (tokens[0].Value == "PREPARE" && !startsWith(tokens, []string{"PREPARE", "TRANSACTION"}) ||
		tokens[0].Value == "EXECUTE") {
		return ast.Absent(tokens[0].Value, lex.Position(tokens[0].Pos))
	}
	for _, f := range absentStatements {
		words := strings.Fields(f.words)
		if n := len(words); n <= len(tokens) && startsWith(tokens, words) {
			at := max(slices.Index(words, "*"), 0) // a name that is not wanted
			return &ast.Error{Pos: lex.Position(tokens[at].Pos), Code: ast.CodeFeature, Msg: f.msg, Hint: f.hint}
		}
	}
	return err
}

// startsWith reports whether tokens begin with words.
func startsWith(tokens []lexer.Token, words []string) bool {
	for i, w := range words {
		t := tokens[i]
		fits := t.Type != lex.Quoted && t.Value == w
		if w == "*" {
			fits = t.Type == lex.Quoted || t.Type == lex.Ident && t.Value != "IF"
		}
		if !fits {
			return false
		}
	}
	return true
}

// leading returns the first tokens of a text.
func leading(text string) []lexer.Token {
	const most = 7
	var out []lexer.Token
	for s := lex.NewScanner(text); len(out) < most; {
		t, err := s.Next()
		if err != nil || t.EOF() {
			break
		}
		out = append(out, t)
	}
	return out
}
