package format

import (
	"encoding/json"
	"regexp"
	"strings"
)

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

// isPair reports whether a value is a text and an object with its annotations, as spaCy has them.
func isPair(v any) bool {
	list, _ := v.([]any)
	if len(list) != 2 || !isText(list) {
		return false
	}
	m, _ := list[1].(map[string]any)
	return isArray(m["entities"]) || m["cats"] != nil
}

// tasks matches the beginning of a list of tasks of Label Studio.
var tasks = regexp.MustCompile(`(?s)^\s*\[\s*\{.*"(annotations|completions|predictions)"\s*:\s*\[`)

// looksTool tells files of annotation tools, an object a line or a list of objects.
func looksTool(_ string, lines, full []string) (Guess, bool) {
	found := ""
	switch first := strings.TrimSpace(full[0]); {
	case first[0] == '{':
		if m, err := object(first); err == nil {
			found = toolOf(m)
		}
	case first[0] == '[':
		all := strings.Join(lines, "\n")
		dec := json.NewDecoder(strings.NewReader(all))
		dec.UseNumber()
		var m map[string]any
		if _, err := dec.Token(); err == nil && dec.Decode(&m) == nil {
			found = toolOf(m)
		} else if tasks.MatchString(all) && strings.Contains(all, `"data"`) { // the first task is longer than what was read
			found = "label_studio"
		}
		if found != "label_studio" && found != "spacy" { // the others have an object a line
			found = ""
		}
		dec = json.NewDecoder(strings.NewReader(all))
		var v any
		if found == "" && dec.Decode(&v) == nil {
			list, _ := v.([]any)
			if isPair(v) || len(list) > 0 && isPair(list[0]) {
				found = "spacy"
			}
		}
	}
	return Guess{Format: found, Looks: "annotations of " + toolNames[found]}, found != ""
}

// ofTool is what is told of a record of a tool that another format reads.
func ofTool(tool string) topic {
	name := toolNames[tool]
	return topic{"1 line is a record of " + name + "; FORMAT " + tool + " reads its annotations as the tool writes them",
		"%d lines are records of " + name + "; FORMAT " + tool + " reads their annotations as the tool writes them"}
}
