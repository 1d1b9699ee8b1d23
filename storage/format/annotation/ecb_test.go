package annotation

import (
	"testing"

	"parlance/storage/format/formattest"
)

func FuzzECB(f *testing.F) {
	formattest.Seeds(f,
		`<Document doc_name="1_a.xml"><token t_id="1" sentence="0">a</token><Markables><X m_id="1"><token_anchor t_id="1"/></X><Y m_id="2"/></Markables><Relations><TLINK r_id="1"><source m_id="1"/><target m_id="1"/></TLINK><CROSS_DOC_COREF note="n"><source m_id="1"/><target m_id="2"/></CROSS_DOC_COREF></Relations></Document>`, "<Document/>", "<Document><token/></Document>")
	f.Fuzz(func(t *testing.T, in string) { suite.CheckRead(t, in, "ecb") })
}

// The counts of published files, taken from their XML by other means.
func TestECBPlus(t *testing.T) {
	for _, c := range []struct {
		pattern                     string
		documents, tokens, mentions int
		clustered, relations        int
	}{
		{"xdoc/ecbplus/*/*.xml", 231, 57519, 6031, 4038, 0},
		{"causal/eventstoryline/*.xml", 69, 20317, 2696, 0, 2497},
	} {
		docs := formattest.ReadPlain(t, suite.Configure(t, "ecb"), formattest.DataFiles(t, c.pattern)...)
		var tokens, mentions, clustered, relations int
		for _, d := range docs {
			tokens += d.Layer("tokens").N
			m := d.Layer("mentions")
			mentions += m.N
			for i := range m.N {
				if m.Strs("cluster")[i] != "" {
					clustered++
				}
			}
			if l := d.Layer("relations"); l != nil {
				relations += l.N
			}
			if d.Field("topic").IsNull() {
				t.Errorf("%s has no topic", d.ID)
			}
		}
		if len(docs) != c.documents || tokens != c.tokens || mentions != c.mentions || clustered != c.clustered ||
			relations != c.relations {
			t.Errorf("%s: %d documents, %d tokens, %d mentions, %d in clusters, %d relations", c.pattern, len(docs), tokens,
				mentions, clustered, relations)
		}
	}
}
