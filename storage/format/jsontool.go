package format

// toolNames are the tools that formats of annotations are of.
var toolNames = map[string]string{"prodigy": "Prodigy", "doccano": "doccano", "label_studio": "Label Studio",
	"hf": "a data set for Hugging Face", "spacy": "spaCy"}

// toolOf is the format of the annotation tool that has written an object of JSON, by members that no other has; ""
// without.
func toolOf(m map[string]any) string {
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
	case data && (isArray(m["annotations"]) || isArray(m["completions"]) || isArray(m["predictions"])),
		m["annotation_id"] != nil && m["lead_time"] != nil:
		return "label_studio"
	case content && (m["_input_hash"] != nil || m["_task_hash"] != nil || m["_view_id"] != nil),
		content && has("spans", "start") && (m["answer"] != nil || has("tokens", "start")):
		return "prodigy"
	case content && (isArray(m["Comments"]) || has("entities", "start_offset") || has("annotations", "start_offset") ||
		has("relations", "from_id")):
		return "doccano"
	case content && isPlaces(m["entities"]), isArray(m["paragraphs"]) && has("paragraphs", "sentences"):
		return "spacy"
	case isText(m["tokens"]) && isArray(m["ner_tags"]):
		return "hf"
	}
	return ""
}

// isText reports whether a value is a list that begins with a text.
func isText(v any) bool {
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
	return len(first) == 3 && !isText(first) && isText(first[2:])
}

// ofTool is what is told of a record of a tool that another format reads.
func ofTool(tool string) topic {
	name := toolNames[tool]
	return topic{"1 line is a record of " + name + "; FORMAT " + tool + " reads its annotations as the tool writes them",
		"%d lines are records of " + name + "; FORMAT " + tool + " reads their annotations as the tool writes them"}
}
