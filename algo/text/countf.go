package text

import (
	"fmt"
	"strings"
)

// Countf is fmt.Sprintf for sentences with numbers: of words between braces it writes those before the bar after the
// number 1, else those behind it.
//
//	Countf("%d {sentence is|sentences are} left out", 1)   →   1 sentence is left out
//
// The number is the whole number written last; where none was, there are several. Texts that are written with %s may
// hold braces.
func Countf(format string, args ...any) string {
	if !strings.Contains(format, "{") {
		return fmt.Sprintf(format, args...) // go vet sees by this call what the arguments of Countf are
	}
	return counted(format, args)
}

func counted(format string, args []any) string {
	var out strings.Builder
	one := false
	for {
		open := strings.IndexByte(format, '{')
		if open < 0 {
			out.WriteString(fmt.Sprintf(format, args...))
			return out.String()
		}
		part := format[:open]
		n := strings.Count(part, "%") - 2*strings.Count(part, "%%")
		for _, a := range args[:n] {
			switch a.(type) {
			case int, int32, int64, uint32, uint64:
				one = fmt.Sprint(a) == "1"
			}
		}
		out.WriteString(fmt.Sprintf(part, args[:n]...))
		words, rest, _ := strings.Cut(format[open+1:], "}")
		singular, plural, _ := strings.Cut(words, "|")
		if one {
			out.WriteString(singular)
		} else {
			out.WriteString(plural)
		}
		format, args = rest, args[n:]
	}
}
