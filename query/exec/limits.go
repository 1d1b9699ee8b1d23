package exec

import (
	"fmt"

	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage"
)

// Codes of limits.
const (
	CodeStatementBytes = "54000"
	CodeDocumentBytes  = "54P01"
	CodeResultRows     = "54P02"
)

// CheckStatement refuses a statement that is longer than max_statement_bytes.
func (e *Database) CheckStatement(statement string) error {
	if most := e.SystemSettings.Load().MaxStatementBytes; len(statement) > most {
		return &ast.Error{Code: CodeStatementBytes, Msg: fmt.Sprintf("the statement has %d bytes, more than max_statement_bytes, %d", len(statement), most),
			Hint: "LOAD and COPY … FROM STDIN take more, parameters too"}
	}
	return nil
}

// checkLength refuses a document whose text is longer than max_document_bytes; place says where it comes from.
func (e *Database) checkLength(place string, n int) error {
	most := e.SystemSettings.Load().MaxDocumentBytes
	if n <= most {
		return nil
	}
	if place != "" {
		place += ": "
	}
	return &ast.Error{Code: CodeDocumentBytes, Msg: fmt.Sprintf("%sthe text has %d bytes, more than max_document_bytes, %d", place, n, most),
		Hint: "cut it into several documents, or ALTER SYSTEM SET max_document_bytes"}
}

// checkLengths refuses documents that are too long.
func (e *Database) checkLengths(docs []*text.Document, places []string) error {
	for i, d := range docs {
		if err := checkID(places[i], d.ID); err != nil {
			return err
		}
		if err := e.checkLength(places[i], len(d.Text)); err != nil {
			return err
		}
	}
	return nil
}

// checkID refuses an id that is empty or too long; place says where it comes from.
func checkID(place, id string) error {
	switch {
	case id == "":
		return fault.New("23502", "%s: a document needs an id", place)
	case len(id) > storage.MaxDocumentID:
		return fault.New(plan.CodeInvalid, "%s: the id has %d bytes, more than %d", place, len(id), storage.MaxDocumentID)
	}
	return nil
}
