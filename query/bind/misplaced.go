package bind

import (
	"fmt"

	"parlance/query/ast"
)

// misplaced is the hint for a model's name where a layer or function belongs, with the layer that the model writes in
// place of %s; else it is other.
func (b *Binder) misplaced(name, format, other string) string {
	m, err := b.Catalog.Model(ast.ModelRef{Name: name})
	if err != nil || len(m.Schema.Writes) == 0 {
		return other
	}
	return fmt.Sprintf("%s is a model: "+format+" USING %[3]s", m.Name, m.Schema.Writes[0].Layer, ast.QuoteName(m.Name))
}
