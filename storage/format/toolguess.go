package format

import (
	"encoding/json"
	"regexp"
	"strings"

	"parlance/storage/format/codec"
	"parlance/storage/format/jsonvalue"
)

// isPair reports whether a value is a text and an object with its annotations, as spaCy has them.
func isPair(v any) bool {
	list, _ := v.([]any)
	if len(list) != 2 || !jsonvalue.IsText(list) {
		return false
	}
	m, _ := list[1].(map[string]any)
	return jsonvalue.IsArray(m["entities"]) || m["cats"] != nil
}

// tasks matches the beginning of a list of tasks of Label Studio.
var tasks = regexp.MustCompile(`(?s)^\s*\[\s*\{.*"(annotations|completions|predictions)"\s*:\s*\[`)

// looksTool recognises files of annotation tools, an object a line or a list of objects.
func looksTool(_ string, lines, full []string) (codec.Guess, bool) {
	found := ""
	switch first := strings.TrimSpace(full[0]); {
	case first[0] == '{':
		if m, err := jsonvalue.Object(first); err == nil {
			found = jsonvalue.ToolOf(m)
		}
	case first[0] == '[':
		all := strings.Join(lines, "\n")
		dec := json.NewDecoder(strings.NewReader(all))
		dec.UseNumber()
		var m map[string]any
		if _, err := dec.Token(); err == nil && dec.Decode(&m) == nil {
			found = jsonvalue.ToolOf(m)
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
	return codec.Guess{Format: found, Looks: "annotations of " + jsonvalue.ToolNames[found]}, found != ""
}
