package annotation

import (
	"testing"

	"parlance/storage/format/formattest"
)

func FuzzTools(f *testing.F) {
	formattest.Seeds(f, `{"id":1,"text":"A 🍞 Ann","label":[[5,8,"PER"]],"cats":["a"],"entities":[{"id":1,"label":"L","start_offset":0,"end_offset":1}],"relations":[{"from_id":1,"to_id":1,"type":"r"}]}`,
		`{"text":"Ann B","tokens":[{"start":0,"end":3}],"spans":[{"start":0,"end":3,"label":"P"}],"relations":[{"head":0,"child":0,"label":"r"}],"accept":["x"],"answer":"accept","_input_hash":3}`,
		`[{"id":1,"data":{"text":"Ann"},"annotations":[{"completed_by":1,"result":[{"id":"x","type":"labels","value":{"start":0,"end":3,"text":"Ann","labels":["P"]}},{"type":"relation","from_id":"x","to_id":"x"},{"type":"choices","value":{"choices":["c"]}}]}]}]`,
		`{"id":"0","text":" Ann ate.","tokens":["Ann","ate","."],"ner_tags":["B-P","O","I-P"],"label":[1,"x"]}`,
		`[{"id":3,"text":"Ann","ner":[{"start":0,"end":3,"labels":["P"]}],"annotation_id":8}]`, `[`, `[{}`, "\n[\n]", `{"data":{}}`)
	f.Fuzz(func(t *testing.T, in string) {
		for _, name := range []string{"doccano", "prodigy", "label_studio", "hf"} {
			suite.CheckRead(t, in, name)
		}
	})
}
