package pg

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"

	"parlance/storage/value"
)

// Members are types of members of arrays that clients get as arrays, by name: those of texts, of names and of whole
// numbers.
var Members = map[string]uint32{"text": TextOID, "name": nameOID, "integer": Int8OID}

// MembersArrayOID is the number of the type of arrays of such members.
func MembersArrayOID(members string) uint32 { return arrays[Members[members]] }

var errMembers = errors.New("an array whose members clients do not know")

// AppendArray appends an array, which is a JSON array, in the text or the binary format.
func AppendArray(b []byte, array value.Value, members string, inBinary bool) ([]byte, error) {
	var items []any
	d := json.NewDecoder(strings.NewReader(array.S))
	d.UseNumber()
	if err := d.Decode(&items); err != nil {
		return b, errMembers
	}
	if inBinary {
		return appendArrayBinary(b, items, Members[members])
	}
	return appendArrayText(b, items)
}

// appendArrayText appends {a,b}: texts that could be taken for something else are in quotes.
func appendArrayText(b []byte, items []any) ([]byte, error) {
	b = append(b, '{')
	for i, x := range items {
		if i > 0 {
			b = append(b, ',')
		}
		if inner, ok := x.([]any); ok {
			var err error
			if b, err = appendArrayText(b, inner); err != nil {
				return b, err
			}
			continue
		}
		s, null, err := memberText(x)
		switch {
		case err != nil:
			return b, err
		case null:
			b = append(b, "NULL"...)
		case s == "" || strings.EqualFold(s, "null") || strings.ContainsAny(s, "{},\"\\ \t\n\r\v\f"):
			b = append(b, '"')
			b = append(b, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)...)
			b = append(b, '"')
		default:
			b = append(b, s...)
		}
	}
	return append(b, '}'), nil
}

// memberText is a member as text.
func memberText(x any) (s string, null bool, err error) {
	switch x := x.(type) {
	case nil:
		return "", true, nil
	case string:
		return x, false, nil
	case json.Number:
		return x.String(), false, nil
	case bool:
		return string(AppendText(nil, value.Bool(x))), false, nil
	}
	raw, err := json.Marshal(x)
	return string(raw), false, err
}

// appendArrayBinary appends dimensions, whether there are NULLs, the type of the members, the length and the first
// index, then the members with their lengths, -1 for NULL.
func appendArrayBinary(b []byte, items []any, oid uint32) ([]byte, error) {
	shape := []uint32{1, 0, oid, uint32(len(items)), 1}
	if len(items) == 0 {
		shape = []uint32{0, 0, oid}
	}
	at := len(b)
	for _, n := range shape {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	for _, x := range items {
		s, null, err := memberText(x)
		if err != nil {
			return b[:at], err
		}
		v := value.Str(s)
		if oid == Int8OID && !null {
			if v, err = value.Cast(v, value.Integer); err != nil {
				return b[:at], errMembers
			}
		}
		if null {
			b[at+7] = 1
			b = binary.BigEndian.AppendUint32(b, 1<<32-1)
			continue
		}
		from := len(b)
		b = AppendBinary(append(b, 0, 0, 0, 0), v)
		binary.BigEndian.PutUint32(b[from:], uint32(len(b)-from-4))
	}
	return b, nil
}

// ArrayJSON reads the text of an array of one dimension as a JSON array; ok is false for another text.
func ArrayJSON(s string, oid uint32) (array value.Value, ok bool) {
	s, open := strings.CutPrefix(s, "{")
	s, closed := strings.CutSuffix(s, "}")
	if !open || !closed {
		return value.Value{}, false
	}
	var parts []string
	for s != "" {
		member, rest, ok := cutMember(s, oid == arrays[Int8OID])
		if !ok {
			return value.Value{}, false
		}
		parts, s = append(parts, member), rest
	}
	return value.Value{T: value.JSON, S: "[" + strings.Join(parts, ",") + "]"}, true
}

// cutMember cuts the first member off, as JSON, with the comma behind it.
func cutMember(s string, numbers bool) (member, rest string, ok bool) {
	if s[0] != '"' {
		member, rest, _ = strings.Cut(s, ",")
		switch {
		case member == "NULL":
			return "null", rest, true
		case numbers:
			return member, rest, member != ""
		}
		return quotedJSON(member), rest, member != "" && !strings.ContainsAny(member, "{}")
	}
	var text strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i++; i < len(s) {
				text.WriteByte(s[i])
			}
		case '"':
			return quotedJSON(text.String()), strings.TrimPrefix(s[i+1:], ","), true
		default:
			text.WriteByte(s[i])
		}
	}
	return "", "", false
}

// quotedJSON is a text as JSON.
func quotedJSON(s string) string {
	b, _ := json.Marshal(s) // a text is always marshalled
	return string(b)
}
