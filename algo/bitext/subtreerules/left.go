package subtreerules

import (
	"strconv"
	"strings"

	"parlance/algo/bitext"
)

// unit parts the fields of what is counted; words with it are in no rule.
const unit = "\x1f"

// classes are the tags of nouns and verbs.
type classes struct{ nouns, verbs tags }

// tags are names, and beginnings of names.
type tags struct {
	names    map[string]bool
	prefixes []string
}

func newClasses(nouns, verbs []string) classes { return classes{newTags(nouns), newTags(verbs)} }

func newTags(list []string) tags {
	t := tags{names: map[string]bool{}}
	for _, x := range list {
		if p, ok := strings.CutSuffix(x, "*"); ok {
			t.prefixes = append(t.prefixes, p)
		} else {
			t.names[x] = true
		}
	}
	return t
}

func (t tags) has(tag string) bool {
	if t.names[tag] {
		return true
	}
	for _, p := range t.prefixes {
		if strings.HasPrefix(tag, p) {
			return true
		}
	}
	return false
}

// of is N, V, or nothing.
func (c classes) of(tag string) string {
	switch {
	case c.nouns.has(tag):
		return "N"
	case c.verbs.has(tag):
		return "V"
	}
	return ""
}

// left is the source side of a rule, whose words are in the order of the sentence: N, V, or the word with its tag, each
// with the place of its head, or 0. It is "" unless two words and all nouns and verbs have a link.
func (c classes) left(forms, tagsOf []string, heads []int, linked []bool) string {
	n := 0
	for i, ok := range linked {
		if ok {
			n++
		} else if c.of(tagsOf[i]) != "" {
			return ""
		}
	}
	if n < 2 {
		return ""
	}
	var b strings.Builder
	for i, w := range forms {
		if i > 0 {
			b.WriteString(unit)
		}
		name := c.of(tagsOf[i])
		if name == "" {
			if strings.Contains(w, unit) || strings.Contains(tagsOf[i], unit) {
				return ""
			}
			name = w + "/" + tagsOf[i]
		}
		b.WriteString(name)
		b.WriteString(unit)
		b.WriteString(strconv.Itoa(heads[i] + 1))
	}
	return b.String()
}

// right writes the target side of a rule, in four fields a word.
func right(slots []bitext.Slot) string {
	var parts []string
	for _, s := range slots {
		if strings.Contains(s.Word, unit) || strings.Contains(s.Tag, unit) {
			return ""
		}
		parts = append(parts, strconv.Itoa(s.Source+1), s.Word, s.Tag, strconv.Itoa(s.Head+1))
	}
	return strings.Join(parts, unit)
}

// readRight reads what right wrote, nil for what is none: two or three words with one root.
func readRight(s string, sources int) []bitext.Slot {
	f := strings.Split(s, unit)
	if len(f) != 8 && len(f) != 12 {
		return nil
	}
	var out []bitext.Slot
	roots := 0
	for ; len(f) > 0; f = f[4:] {
		source, err1 := strconv.Atoi(f[0])
		head, err2 := strconv.Atoi(f[3])
		if err1 != nil || err2 != nil || source < 0 || source > sources || head < 0 || head > 3 ||
			(source == 0) != (f[1] != "") {
			return nil
		}
		if head == 0 {
			roots++
		}
		out = append(out, bitext.Slot{Source: source - 1, Word: f[1], Tag: f[2], Head: head - 1})
	}
	for i, s := range out {
		if s.Head >= len(out) || s.Head == i {
			return nil
		}
	}
	if roots != 1 {
		return nil
	}
	return out
}

// shown prints both sides as the papers do.
func shown(left string, slots []bitext.Slot) string {
	var b strings.Builder
	for i, f := 0, strings.Split(left, unit); i+1 < len(f); i += 2 {
		if i > 0 {
			b.WriteByte('-')
		}
		b.WriteString(f[i] + ":" + f[i+1])
	}
	b.WriteString(" => ")
	for i, s := range slots {
		if i > 0 {
			b.WriteByte('-')
		}
		switch {
		case s.Source >= 0:
			b.WriteString("W_" + strconv.Itoa(s.Source+1))
		case s.Tag != "":
			b.WriteString(s.Word + "/" + s.Tag)
		default:
			b.WriteString(s.Word)
		}
		b.WriteString(":" + strconv.Itoa(s.Head+1))
	}
	return b.String()
}
