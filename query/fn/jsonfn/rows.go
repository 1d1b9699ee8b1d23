package jsonfn

import (
	"context"
	"encoding/json"
	"strings"

	"parlance/query/fn"
	"parlance/storage/value"
)

// Rows computes the functions that give a row for each member of an object or array, whose names begin with
// json_ or jsonb_. Members of an object come as they are written; those of jsonb once for each key, the last that is
// written, shorter keys first.
func Rows(ctx context.Context, name string, j value.Value) ([][]value.Value, error) {
	raw, err := parseJSON(ctx, j.S)
	if err != nil {
		return nil, fn.Refused(err)
	}
	what, sorted := strings.CutPrefix(name, "jsonb_")
	what = strings.TrimPrefix(what, "json_")
	want := "object"
	if strings.HasPrefix(what, "array") {
		want = "array"
	}
	if kind := kindOfJSON(raw); kind != want {
		return nil, &fn.Fault{Code: "22023", Msg: name + " takes an " + want + ", not " + kind}
	}
	if want == "array" {
		return elementRows(ctx, string(raw), what == "array_elements_text")
	}
	list, err := pairs(ctx, string(raw), sorted)
	if err != nil {
		return nil, err
	}
	out := make([][]value.Value, len(list))
	for i, p := range list {
		out[i] = []value.Value{value.Str(p.key)}
		if what == "object_keys" {
			continue
		}
		v, err := memberValue(p.value, what == "each_text")
		if err != nil {
			return nil, err
		}
		out[i] = append(out[i], v)
	}
	return out, nil
}

func elementRows(ctx context.Context, s string, asText bool) (out [][]value.Value, err error) {
	for raw := range members(s) {
		if len(out) == fn.MaxItems {
			return nil, fn.ErrItems
		}
		if len(out)%fn.CheckInterval == fn.CheckInterval-1 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v, err := memberValue(raw, asText)
		if err != nil {
			return nil, err
		}
		out = append(out, []value.Value{v})
	}
	return out, nil
}

func memberValue(raw string, asText bool) (value.Value, error) {
	v := value.Value{T: value.JSON, S: raw}
	if asText {
		return jsonAsText(v, nil)
	}
	return v, nil
}

// pair is a member of an object.
type pair struct{ key, value string }

// pairs are the members of an object that is valid JSON; distinct ones in the order of jsonb where that is asked for.
func pairs(ctx context.Context, s string, sorted bool) (out []pair, err error) {
	for raw := range members(s) {
		if len(out)%fn.CheckInterval == fn.CheckInterval-1 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		d := json.NewDecoder(strings.NewReader(raw))
		var p pair
		if err := d.Decode(&p.key); err != nil {
			return nil, err
		}
		p.value = strings.TrimSpace(strings.TrimSpace(raw[d.InputOffset():])[len(":"):])
		out = append(out, p)
	}
	if sorted {
		out = value.LastOfKeys(out, func(p pair) string { return p.key })
	}
	return out, nil
}
