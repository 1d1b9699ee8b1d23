package layers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
)

// What becomes of a span of several parts: the layers hold spans without gaps.
const (
	Hull    = "hull"
	Parts   = "parts"
	NoParts = "error"
)

// PartsOption declares the option that says what becomes of such spans.
func PartsOption(s *option.Set, p *string) {
	s.Choice(p, "fragments", Hull, []string{Hull, Parts, NoParts},
		"what becomes of a span of several parts: hull, one row from the first part to the last, which a notice tells and "+
			"CHECK finds; parts, a row for each; or an error")
}

// What readers report: spans that no row holds as they are.
var (
	Hulls = codec.Topic{One: "1 span of several parts is stored from its first part to its last, with the text between; " +
		"its parts are in the layer words, and CHECK finds it; WITH (fragments = 'parts') makes a row of each part",
		Many: "%d spans of several parts are stored from their first part to their last, with the text between; their " +
			"parts are in the layer words, and CHECK finds them; WITH (fragments = 'parts') makes a row of each part"}
	EmptyMentions = codec.Topic{
		One: "1 mention of empty nodes alone is no row of mentions; its cluster is in the layer words, and " +
			"CHECK finds it",
		Many: "%d mentions of empty nodes alone are no rows of mentions; their clusters are in the layer words, and CHECK " +
			"finds them"}
	CutAtSentence = codec.Topic{
		One: "1 mention goes on in another sentence and ends with its first one; the layer words has it in " +
			"full",
		Many: "%d mentions go on in another sentence and end with their first one; the layer words has them in full"}
)

// SeveralParts is the error of a span of several parts where the option asks for one.
func SeveralParts(what string) error {
	return fmt.Errorf("%s has several parts; WITH (fragments = 'hull') takes it from the first to the last", what)
}

// JoinParts sorts the parts of a span, as bytes of a text, and joins those between which only white space stands.
func JoinParts(s string, parts [][2]int) [][2]int {
	slices.SortFunc(parts, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	out := parts[:0:0]
	for _, p := range parts {
		if n := len(out); n > 0 && (p[0] <= out[n-1][1] || strings.TrimSpace(s[out[n-1][1]:p[0]]) == "") {
			out[n-1][1] = max(out[n-1][1], p[1])
			continue
		}
		out = append(out, p)
	}
	return out
}

// partsLine is what the layer words holds of a span of several parts; at turns bytes into code points.
func partsLine(layer string, parts [][2]int, at func(int32) int) string {
	list := make([]string, len(parts))
	for i, p := range parts {
		list[i] = strconv.Itoa(at(int32(p[0]))) + " " + strconv.Itoa(at(int32(p[1])))
	}
	return layer + " " + strings.Join(list, ";")
}

// KeepParts notes the parts of a span in the layer words.
func (w *Words) KeepParts(sent int, layer string, parts [][2]int, at func(int32) int) {
	w.Add(sent, text.PartsRow, partsLine(layer, parts, at))
}
