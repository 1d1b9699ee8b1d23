package fn

import (
	"parlance/storage/value"
)

var regexpFuncs = []Func{
	{Name: "regexp_count", Doc: "number of matches of the regular expression that do not overlap", Example: "regexp_count('banana', 'an')", Args: []value.Type{text, text}, Result: integer,
		Eval: func(a []value.Value) (value.Value, error) {
			re, err := Regexp(a[1].S)
			if err != nil {
				return value.Value{}, err
			}
			return value.Int(int64(len(re.FindAllStringIndex(a[0].S, -1)))), nil
		}},
	{Name: "regexp_extract_all", Doc: "all matches of the regular expression as a JSON array", Example: "regexp_extract_all('B-PER I-PER', '[BI]-')", Args: []value.Type{text, text}, Result: value.JSON,
		Eval: func(a []value.Value) (value.Value, error) {
			re, err := Regexp(a[1].S)
			if err != nil {
				return value.Value{}, err
			}
			return jsonList(re.FindAllString(a[0].S, -1))
		}},
	{Name: "regexp_split", Doc: "what stands between the matches of the regular expression, as a JSON array", Example: `regexp_split('Case=Nom|Number=Sing', '\|')`, Args: []value.Type{text, text}, Result: value.JSON, Eval: regexpSplit},
	{Name: "regexp_split_to_array", Doc: "the same as regexp_split", Example: `regexp_split_to_array('a  b', '\s+')`, Args: []value.Type{text, text}, Result: value.JSON, Eval: regexpSplit},
}

func regexpSplit(a []value.Value) (value.Value, error) {
	re, err := Regexp(a[1].S)
	if err != nil {
		return value.Value{}, err
	}
	return jsonList(re.Split(a[0].S, -1))
}
