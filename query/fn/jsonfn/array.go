package jsonfn

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strconv"
	"strings"

	"parlance/query/fn"
	"parlance/storage/value"
)

// There is no type of arrays: an array is a JSON array. Where an array is expected, a text is accepted too: '{a,b}' as
// PostgreSQL writes arrays, '["a", "b"]', or '1 2', numbers with spaces between them.

// Array makes an array of values; NULL becomes null.
func Array(items []value.Value) (value.Value, error) { return ArrayWithin(context.Background(), items) }

func ArrayWithin(ctx context.Context, items []value.Value) (value.Value, error) {
	b := ArrayBuilder{Ctx: ctx}
	for _, v := range items {
		if err := b.Append(v); err != nil {
			return value.Value{}, err
		}
	}
	return b.Result(), nil
}

// ArrayBuilder builds an array member by member.
type ArrayBuilder struct {
	Ctx context.Context // may be nil
	b   strings.Builder
	n   int
}

func (b *ArrayBuilder) Append(v value.Value) error {
	j, err := elementWithin(orBackground(b.Ctx), v)
	switch {
	case err != nil:
		return err
	case b.b.Len()+len(j)+2 > fn.MaxTextBytes:
		return fn.ErrTooLong
	case b.n == fn.MaxItems:
		return fn.ErrItems
	case b.n%fn.CheckInterval == fn.CheckInterval-1 && b.Ctx != nil && b.Ctx.Err() != nil:
		return b.Ctx.Err()
	case b.n == 0:
		b.b.WriteByte('[')
	default:
		b.b.WriteByte(',')
	}
	b.n++
	b.b.WriteString(j)
	return nil
}

// Result returns the array so far. More members may follow.
func (b *ArrayBuilder) Result() value.Value {
	if b.n == 0 {
		return value.Value{T: value.JSON, S: "[]"}
	}
	return value.Value{T: value.JSON, S: b.b.String() + "]"}
}

// orBackground is a context, or one that never ends in place of nil.
func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// elementWithin returns a value as JSON; it stops when its context ends.
func elementWithin(ctx context.Context, v value.Value) (string, error) {
	switch v.T {
	case value.Null:
		return "null", nil
	case value.Integer, value.Boolean, value.JSON:
		return v.String(), nil
	case value.Float:
		if s := v.String(); json.Valid([]byte(s)) {
			return s, nil
		}
	case value.Vector:
		return v.String(), nil
	}
	return quotedWithin(ctx, v.String())
}

// quoted returns a text as JSON.
func quoted(s string) (string, error) {
	if needsNoEscape(s) {
		return `"` + s + `"`, nil
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(s)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// quotedWithin is quoted, but stops when its context ends.
func quotedWithin(ctx context.Context, s string) (string, error) {
	if len(s) <= fn.ChunkBytes {
		return quoted(s)
	}
	var b fn.TextBuilder
	b.Append(`"`)
	for part := range fn.Chunks(ctx, s) {
		q, err := quoted(part)
		if err != nil {
			return "", err
		}
		b.Append(q[1 : len(q)-1])
	}
	b.Append(`"`)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	v, err := b.Result()
	return v.S, err
}

// needsNoEscape reports whether a text is the same in JSON, between quotes.
func needsNoEscape(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// Items returns the members of an array: NULL, numbers, booleans, texts, and JSON for what is nested.
func Items(v value.Value) ([]value.Value, error) { return ItemsWithin(context.Background(), v) }

// ItemsWithin is Items, but stops when its context ends.
func ItemsWithin(ctx context.Context, v value.Value) ([]value.Value, error) {
	if v.IsNull() {
		return nil, nil
	}
	s := strings.TrimSpace(v.String())
	switch {
	case v.T == value.Text && strings.HasPrefix(s, "{"):
		return bracedItems(ctx, s)
	case !strings.HasPrefix(s, "["):
		return spacedItems(ctx, v, s)
	}
	if ok, err := value.ValidJSON(ctx, s); err != nil {
		return nil, err
	} else if !ok {
		return nil, notArray(s)
	}
	var out []value.Value
	for raw := range members(s) {
		if len(out) == fn.MaxItems {
			return nil, fn.ErrItems
		}
		if len(out)%fn.CheckInterval == fn.CheckInterval-1 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out = append(out, valueOfJSON(json.RawMessage(raw)))
	}
	return out, nil
}

// members yields the members of an array that is valid JSON, as they are written.
func members(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		depth, from := 0, 1
		for i := 0; i < len(s); i++ {
			switch s[i] {
			case '"':
				for i++; s[i] != '"'; i++ {
					if s[i] == '\\' {
						i++
					}
				}
				continue
			case '[', '{':
				depth++
				continue
			case ']', '}':
				depth--
			case ',':
			default:
				continue
			}
			if last := depth == 0; last || depth == 1 && s[i] == ',' {
				raw := strings.TrimSpace(s[from:i])
				if raw != "" && !yield(raw) || last {
					return
				}
				from = i + 1
			}
		}
	}
}

// membersWithin returns the members of an array. It stops when its context ends.
func membersWithin(ctx context.Context, s string) ([]string, error) {
	var out []string
	for m := range members(s) {
		if len(out)%fn.CheckInterval == fn.CheckInterval-1 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out = append(out, m)
	}
	return out, nil
}

func notArray(s string) error {
	return value.Malformed(value.ErrMalformed, "'%s' is no array: write ARRAY[…] or '{a,b}'", fn.Abbreviate(s))
}

// spacedItems reads whole numbers with spaces between them.
func spacedItems(ctx context.Context, v value.Value, s string) ([]value.Value, error) {
	var out []value.Value
	for f := range strings.FieldsSeq(s) {
		switch {
		case len(out) == fn.MaxItems:
			return nil, fn.ErrItems
		case len(out)%fn.CheckInterval == fn.CheckInterval-1 && ctx.Err() != nil:
			return nil, ctx.Err()
		}
		i, err := strconv.ParseInt(f, 10, 64)
		if err != nil || v.T != value.Text {
			return nil, notArray(s)
		}
		out = append(out, value.Int(i))
	}
	return out, nil
}

// valueOfJSON returns a JSON value as a value of the language.
func valueOfJSON(raw json.RawMessage) value.Value {
	switch kindOfJSON(raw) {
	case "null":
		return value.Value{}
	case "string":
		if s := string(raw[1 : len(raw)-1]); needsNoEscape(s) {
			return value.Str(s)
		}
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return value.Str(s)
		}
	case "boolean":
		return value.Bool(raw[0] == 't')
	case "number":
		if i, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
			return value.Int(i)
		}
		if f, err := strconv.ParseFloat(string(raw), 64); err == nil {
			return value.Real(f)
		}
	}
	return value.Value{T: value.JSON, S: string(raw)}
}

// bracedItems reads {a,"b c",NULL}; arrays in arrays become JSON.
func bracedItems(ctx context.Context, s string) ([]value.Value, error) {
	p := &braceParser{ctx: ctx, s: s}
	out, ok := p.list(0)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if !ok || p.at != len(s) {
		return nil, notArray(s)
	}
	return out, nil
}

type braceParser struct {
	ctx context.Context
	s   string
	at  int
}

// maxNesting bounds arrays within arrays.
const maxNesting = 6

func (p *braceParser) list(depth int) (out []value.Value, ok bool) {
	if depth > maxNesting || !p.take('{') {
		return nil, false
	}
	if p.take('}') {
		return nil, true
	}
	for {
		v, ok := p.item(depth)
		if !ok {
			return nil, false
		}
		out = append(out, v)
		switch {
		case len(out)%fn.CheckInterval == 0 && p.ctx.Err() != nil:
			return nil, false
		case p.take('}'):
			return out, true
		case !p.take(','):
			return nil, false
		}
	}
}

func (p *braceParser) take(c byte) bool {
	for p.at < len(p.s) && p.s[p.at] == ' ' {
		p.at++
	}
	if p.at < len(p.s) && p.s[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *braceParser) item(depth int) (value.Value, bool) {
	switch {
	case p.take('"'):
		return p.quoted()
	case p.at < len(p.s) && p.s[p.at] == '{':
		list, ok := p.list(depth + 1)
		if !ok {
			return value.Value{}, false
		}
		v, err := Array(list)
		return v, err == nil
	}
	n := strings.IndexAny(p.s[p.at:], `,{}"\`)
	if n <= 0 || p.s[p.at+n] != ',' && p.s[p.at+n] != '}' {
		return value.Value{}, false
	}
	word := strings.TrimSpace(p.s[p.at : p.at+n])
	p.at += n
	if strings.EqualFold(word, "null") {
		return value.Value{}, true
	}
	return value.Str(word), word != ""
}

func (p *braceParser) quoted() (value.Value, bool) {
	var b strings.Builder
	for ; p.at < len(p.s); p.at++ {
		switch c := p.s[p.at]; {
		case c == '"':
			p.at++
			return value.Str(b.String()), true
		case c == '\\' && p.at+1 < len(p.s):
			p.at++
			b.WriteByte(p.s[p.at])
		default:
			b.WriteByte(c)
		}
	}
	return value.Value{}, false
}

// The functions that stand for syntax: ARRAY[…], x[i], (x).field and x::type[].
var (
	ArrayOf = &fn.Func{Name: "array", Args: []value.Type{fn.Any}, Variadic: true, Optional: 1, Result: value.JSON,
		Nulls: true, Eval: Array}
	ArrayItem  = &fn.Func{Name: "array_item", Args: []value.Type{fn.Any, integer}, Result: fn.Any, Long: arrayItem}
	ArraySlice = &fn.Func{Name: "array_slice", Args: []value.Type{fn.Any, integer, integer}, Result: value.JSON,
		Long: arraySlice}
	RowField  = &fn.Func{Name: "row_field", Args: []value.Type{value.JSON, text}, Result: fn.Any, Long: rowField}
	ArrayCast = &fn.Func{Name: "array_cast", Args: []value.Type{fn.Any, text}, Result: value.JSON, Long: arrayCast}
)

// arrayItem is the i-th member, 1-based; 0-based where the array is a text of numbers, as
// vectors of the catalog are.
func arrayItem(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := ItemsWithin(ctx, a[0])
	if err != nil {
		return value.Value{}, err
	}
	i, first := a[1].Int(), firstPlace(a[0])
	if i < first || i-first >= int64(len(items)) {
		return value.Value{}, nil
	}
	return items[i-first], nil
}

// firstPlace returns the number of the first member.
func firstPlace(array value.Value) int64 {
	if array.T != value.Text || strings.HasPrefix(strings.TrimSpace(array.S), "{") {
		return 1
	}
	return 0
}

// arraySlice is the members from one place to another that there are.
func arraySlice(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := ItemsWithin(ctx, a[0])
	if err != nil {
		return value.Value{}, err
	}
	first := firstPlace(a[0])
	from, to := max(a[1].Int(), first), min(a[2].Int(), int64(len(items))-1+first)
	if from > to {
		return ArrayWithin(ctx, nil)
	}
	return ArrayWithin(ctx, items[from-first:to-first+1])
}

func rowField(ctx context.Context, a []value.Value) (value.Value, error) {
	v, err := jsonGet(ctx, a)
	if err != nil || v.IsNull() {
		return value.Value{}, err
	}
	return valueOfJSON(json.RawMessage(v.S)), nil
}

func arrayCast(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := ItemsWithin(ctx, a[0])
	if err != nil {
		return value.Value{}, err
	}
	t, ok := value.ParseType(a[1].S)
	if !ok {
		return value.Value{}, errors.New("unknown type " + a[1].S)
	}
	return castItems(ctx, items, t)
}

// castItems makes an array of members of a type; arrays among them have such members.
func castItems(ctx context.Context, items []value.Value, t value.Type) (value.Value, error) {
	for i, v := range items {
		if i%fn.CheckInterval == fn.CheckInterval-1 && ctx.Err() != nil {
			return value.Value{}, ctx.Err()
		}
		cast, err := castItem(ctx, v, t)
		if err != nil {
			return value.Value{}, err
		}
		items[i] = cast
	}
	return ArrayWithin(ctx, items)
}

func castItem(ctx context.Context, v value.Value, t value.Type) (value.Value, error) {
	if v.T == value.JSON && t != value.JSON {
		if inner, err := ItemsWithin(ctx, v); err == nil {
			return castItems(ctx, inner, t)
		}
	}
	return value.Cast(v, t)
}
