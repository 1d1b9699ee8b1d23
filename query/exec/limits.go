package exec

import (
	"fmt"

	"parlance/query/ast"
)

// Codes of limits.
const (
	CodeStatementBytes = "54000"
	CodeResultRows     = "54P02"
)

// CheckStatement refuses a statement that is longer than max_statement_bytes.
func (e *Database) CheckStatement(statement string) error {
	if limit := e.SystemSettings.Load().MaxStatementBytes; len(statement) > limit {
		return &ast.Error{Code: CodeStatementBytes,
			Msg:  fmt.Sprintf("the statement has %d bytes, more than max_statement_bytes, %d", len(statement), limit),
			Hint: "LOAD and COPY … FROM STDIN take more, parameters too"}
	}
	return nil
}
