package annotate

import (
	"cmp"
	"errors"

	"parlance/algo/text"
	"parlance/query/models"
)

// tokensOf appends the token layers of documents to a list.
func tokensOf(docs []*text.Document, to []*text.Layer) []*text.Layer {
	for _, d := range docs {
		to = append(to, d.Layer(text.Tokens.Name))
	}
	return to
}

// verify checks the layers that a model has made, once: whatever reads them afterwards trusts them. tokens are those of
// the documents before.
func verify(
	c *models.Configured, docs []*text.Document, tokens []*text.Layer, layers func(string) *text.LayerDef,
) error {
	for i, d := range docs {
		for k := range c.Schema.Writes {
			name := c.Schema.Writes[k].Layer
			l := d.Layer(name)
			if l == nil || !c.Run.Wants(name) {
				continue
			}
			def := c.Schema.Def(name)
			if def == nil {
				def = layers(name)
			}
			var err error
			if def == nil {
				err = errors.New("nothing declares it")
			} else if c.Schema.Writes[k].CutsText() {
				err = d.VerifyTokens(l)
			} else {
				err = d.Verify(l, def, tokens[i])
			}
			if err != nil {
				return c.Damaged("layer "+name+" for "+cmp.Or(d.ID, "the text"), err)
			}
		}
	}
	return nil
}
