package jsonvalue

import "parlance/storage/format/codec"

// ToolNames are the tools that formats of annotations are of.
var ToolNames = map[string]string{"prodigy": "Prodigy", "doccano": "doccano", "label_studio": "Label Studio",
	"hf": "a data set for Hugging Face", "spacy": "spaCy"}

// ToolOf is the format of the annotation tool that has written an object of JSON, by members that no other has; ""
// without.
func ToolOf(m map[string]any) string {
	_, content := m["text"].(string)
	_, data := m["data"].(map[string]any)
	has := func(name, member string) bool { // a list whose first object has a member
		list, _ := m[name].([]any)
		if len(list) == 0 {
			return false
		}
		first, _ := list[0].(map[string]any)
		return first[member] != nil
	}
	switch {
	case data && (IsArray(m["annotations"]) || IsArray(m["completions"]) || IsArray(m["predictions"])),
		m["annotation_id"] != nil && m["lead_time"] != nil:
		return "label_studio"
	case content && (m["_input_hash"] != nil || m["_task_hash"] != nil || m["_view_id"] != nil),
		content && has("spans", "start") && (m["answer"] != nil || has("tokens", "start")):
		return "prodigy"
	case content && (IsArray(m["Comments"]) || has("entities", "start_offset") || has("annotations", "start_offset") ||
		has("relations", "from_id")):
		return "doccano"
	case content && isPlaces(m["entities"]), IsArray(m["paragraphs"]) && has("paragraphs", "sentences"):
		return "spacy"
	case IsText(m["tokens"]) && IsArray(m["ner_tags"]):
		return "hf"
	}
	return ""
}

// IsText reports whether a value is a list that begins with a text.
func IsText(v any) bool {
	list, _ := v.([]any)
	if len(list) == 0 {
		return false
	}
	_, ok := list[0].(string)
	return ok
}

// isPlaces reports whether a value is a list that begins with a list of two numbers and a text.
func isPlaces(v any) bool {
	list, _ := v.([]any)
	if len(list) == 0 {
		return false
	}
	first, _ := list[0].([]any)
	return len(first) == 3 && !IsText(first) && IsText(first[2:])
}

// OfTool is what is told of a record of a tool that another format reads.
func OfTool(tool string) codec.Topic {
	name := ToolNames[tool]
	return codec.Topic{One: "1 line is a record of " + name + "; FORMAT " + tool +
		" reads its annotations as the tool writes them",
		Many: "%d lines are records of " + name + "; FORMAT " + tool + " reads their annotations as the tool writes them"}
}
