package parse

import (
	"strings"

	"parlance/query/ast"
)

// Options parses options as they stand within the parentheses of WITH: window = 3, lower = false. A blank text has
// none.
func Options(text string) ([]ast.Option, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	const before = "TRAIN x ON x WITH ("
	s, err := Parse(before + text + ")")
	if e, ok := err.(*ast.Error); ok {
		e.Pos = ast.Pos{Line: e.Pos.Line, Col: e.Pos.Col, Offset: max(0, e.Pos.Offset-len(before))}
		if e.Pos.Line == 1 {
			e.Pos.Col = max(1, e.Pos.Col-len(before))
		}
		return nil, e
	}
	if err != nil {
		return nil, err
	}
	return s.(*ast.Train).With, nil
}
