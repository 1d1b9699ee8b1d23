package jsonvalue

import (
	"encoding/json"
	"testing"
)

// TestToolOf tells tools by each of the members that only they write, and no tool where one of two is missing.
func TestToolOf(t *testing.T) {
	for object, want := range map[string]string{
		`{"data": {}, "annotations": []}`:                                  "label_studio",
		`{"data": {}, "completions": []}`:                                  "label_studio",
		`{"data": {}, "predictions": []}`:                                  "label_studio",
		`{"data": {}}`:                                                     "",
		`{"data": 1, "annotations": []}`:                                   "",
		`{"annotations": []}`:                                              "",
		`{"annotation_id": 1, "lead_time": 2}`:                             "label_studio",
		`{"annotation_id": 1}`:                                             "",
		`{"lead_time": 2}`:                                                 "",
		`{"text": "x", "_input_hash": 1}`:                                  "prodigy",
		`{"text": "x", "_task_hash": 1}`:                                   "prodigy",
		`{"text": "x", "_view_id": "ner"}`:                                 "prodigy",
		`{"_input_hash": 1, "_task_hash": 1, "_view_id": "ner"}`:           "",
		`{"text": "x", "spans": [{"start": 0}], "answer": "accept"}`:       "prodigy",
		`{"text": "x", "spans": [{"start": 0}], "tokens": [{"start": 0}]}`: "prodigy",
		`{"text": "x", "spans": [{"start": 0}]}`:                           "",
		`{"text": "x", "answer": "accept"}`:                                "",
		`{"spans": [{"start": 0}], "answer": "accept"}`:                    "",
		`{"text": "x", "spans": [], "answer": "accept"}`:                   "",
		`{"text": "x", "Comments": []}`:                                    "doccano",
		`{"text": "x", "entities": [{"start_offset": 0}]}`:                 "doccano",
		`{"text": "x", "annotations": [{"start_offset": 0}]}`:              "doccano",
		`{"text": "x", "relations": [{"from_id": 0}]}`:                     "doccano",
		`{"Comments": []}`:                                                 "",
		`{"text": "x", "entities": [[0, 1, "PER"]]}`:                       "spacy",
		`{"text": "x", "entities": [[0, 1]]}`:                              "",
		`{"text": "x", "entities": [["0", 1, "PER"]]}`:                     "",
		`{"text": "x", "entities": [[0, 1, 2]]}`:                           "",
		`{"entities": [[0, 1, "PER"]]}`:                                    "",
		`{"paragraphs": [{"sentences": []}]}`:                              "spacy",
		`{"paragraphs": []}`:                                               "",
		`{"paragraphs": {"sentences": []}}`:                                "",
		`{"tokens": ["a"], "ner_tags": []}`:                                "hf",
		`{"tokens": ["a"]}`:                                                "",
		`{"tokens": [], "ner_tags": []}`:                                   "",
		`{"tokens": [1], "ner_tags": []}`:                                  "",
		`{"text": "x"}`:                                                    "",
		`{}`:                                                               "",
	} {
		var m map[string]any
		if err := json.Unmarshal([]byte(object), &m); err != nil {
			t.Fatal(object, err)
		}
		if got := ToolOf(m); got != want {
			t.Errorf("%s is of %q, not %q", object, got, want)
		}
	}
}
