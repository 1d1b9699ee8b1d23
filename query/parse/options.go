package parse

import (
	"strings"

	"parlance/query/ast"
)

// Options parses options as they stand within the parentheses of WITH: window = 3, lower = false. A blank text has
// none. Places of options and of errors are those in the text.
func Options(text string) ([]ast.Option, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	const before = "TRAIN x ON x WITH ("
	within := func(p *ast.Pos) {
		p.Offset = max(0, p.Offset-len(before))
		if p.Line == 1 {
			p.Col = max(1, p.Col-len(before))
		}
	}
	s, err := Parse(before + text + ")")
	if e, ok := err.(*ast.Error); ok {
		within(&e.Pos)
		return nil, e
	}
	if err != nil {
		return nil, err
	}
	list := s.(*ast.Train).With
	for i := range list {
		within(&list[i].Pos)
	}
	return list, nil
}
