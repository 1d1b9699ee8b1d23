package exec

import (
	"context"
	"errors"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/storage/value"
)

// What kinds make is checked here, once: whatever reads it afterwards trusts it.

// tokensOf appends the tokens of documents.
func tokensOf(docs []*text.Document, to []*text.Layer) []*text.Layer {
	for _, d := range docs {
		to = append(to, d.Layer(text.Tokens.Name))
	}
	return to
}

// verify checks the layers that a model has made. tokens are those that the documents had before.
func (c *configured) verify(docs []*text.Document, tokens []*text.Layer, e *Database) error {
	for i, d := range docs {
		for k := range c.schema.Writes {
			name := c.schema.Writes[k].Layer
			l := d.Layer(name)
			if l == nil || !c.run.Wants(name) {
				continue
			}
			def := c.schema.Def(name)
			if def == nil {
				def = e.LayerNamed(name)
			}
			var err error
			if def == nil {
				err = errors.New("nothing declares it")
			} else if c.schema.Writes[k].CutsText() {
				err = d.VerifyTokens(l)
			} else {
				err = d.Verify(l, def, tokens[i])
			}
			if err != nil {
				return c.damaged("layer "+name+" for "+OrText(d.ID, "the text"), err)
			}
		}
	}
	return nil
}

// damaged is the error for what the kind of a model has made wrongly.
func (c *configured) damaged(what string, err error) error {
	e := fault.New("XX000", "model %s of kind %s makes a damaged %s: %v", c.label, c.kind.Name, what, err).(*ast.Error)
	e.Hint = "the fault is in the kind; please report it with the statement"
	return e
}

// verifiedRows checks the batches of a relation of a model.
type verifiedRows struct {
	kind.Rows
	c   *configured
	rel *kind.Relation
}

// open opens a relation of a model.
func (c *configured) open(ctx context.Context, relation string, args []value.Value, run *kind.Run) (kind.Rows, error) {
	rows, err := c.model.Open(ctx, relation, args, run)
	if err != nil {
		return nil, err
	}
	for i := range c.schema.Relations {
		if r := &c.schema.Relations[i]; r.Name == relation {
			return &verifiedRows{rows, c, r}, nil
		}
	}
	return rows, nil
}

// Next implements kind.Rows.
func (v *verifiedRows) Next(ctx context.Context) (*value.Batch, error) {
	b, err := v.Rows.Next(ctx)
	if err != nil || b == nil {
		return nil, err
	}
	if err := v.rel.Verify(b); err != nil {
		return nil, v.c.damaged("relation "+v.rel.Name, err)
	}
	return b, nil
}
