package plan

import (
	"parlance/algo/text"
	"parlance/query/ast"
)

// SQLSTATE codes of binding errors.
const (
	CodeUndefinedTable    = "42P01"
	CodeUndefinedColumn   = "42703"
	CodeUndefinedFunction = "42883"
	CodeUndefinedObject   = "42704"
	CodeAmbiguous         = "42702"
	CodeGrouping          = "42803"
	CodeType              = "42804"
	CodeWrongKind         = "42809"
	CodeFeature           = ast.CodeFeature
	CodeInvalid           = "22023"
	CodeEscape            = "22025"
	CodeColumn            = "42P10"
	CodeWindow            = "42P20"
	CodeState             = "55000"
)

// Errorf makes an error at a place of the statement.
func Errorf(pos ast.Pos, code, hint, format string, args ...any) *ast.Error {
	return &ast.Error{Pos: pos, Code: code, Hint: hint, Msg: text.Countf(format, args...)}
}

// CodeRecursion is the code of selects that name themselves where they cannot.
const CodeRecursion = "42P19"
