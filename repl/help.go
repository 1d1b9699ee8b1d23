package repl

import (
	"context"
	"fmt"
	"strings"

	"parlance/db/manual"
	"parlance/query/parse"
)

// explain shows the syntax of statements that begin with a topic and the section of the manual about it, or lists
// the topics.
func (sh *shell) explain(ctx context.Context, words []string) error {
	topic := strings.Join(strings.Fields(strings.TrimSuffix(word(words, 1), ";")), " ")
	all, err := manual.Sections()
	if err != nil {
		return err
	}
	found := about(all, topic)
	shown := len(found) == 1 && topic != "" && strings.HasPrefix(strings.TrimSpace(found[0].Text),
		strings.ToUpper(topic)+" ")
	syntax := parse.Synopsis(topic)
	screen := min(screenWidth(sh.s.out), widestHelp)
	var b strings.Builder
	if syntax != "" && !shown {
		b.WriteString("Syntax:\n")
		for _, l := range strings.Split(syntax, "\n") {
			b.WriteString(strings.Join(hang(l, screen), "\n") + "\n")
		}
		b.WriteString("\n")
	}
	switch {
	case len(found) == 1:
		fmt.Fprintf(&b, "%s\n\n%s", found[0].Title, reflow(found[0].Text, screen))
	case len(found) == 0 && syntax == "":
		return fmt.Errorf(`the manual has no section %s; \h lists them, DESCRIBE KIND and DESCRIBE FORMAT tell the options of one`, topic)
	default:
		b.WriteString(titles(found))
	}
	return sh.page(ctx, b.String())
}

// about are the sections with a title or a statement of that name, else those whose titles begin so, else
// those whose titles have it; "" is in all.
func about(all []manual.Section, topic string) []manual.Section {
	is := func(title string) bool {
		for part := range strings.SplitSeq(title, ", ") {
			if strings.EqualFold(part, topic) {
				return true
			}
		}
		return strings.EqualFold(title, topic)
	}
	begins := func(title string) bool {
		return len(title) >= len(topic) && strings.EqualFold(title[:len(topic)], topic)
	}
	has := func(title string) bool {
		return strings.Contains(strings.ToLower(title), strings.ToLower(topic))
	}
	for _, fits := range []func(string) bool{is, begins, has} {
		var out []manual.Section
		for _, s := range all {
			if fits(s.Title) {
				out = append(out, s)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// titles lists sections below their chapters.
func titles(list []manual.Section) string {
	var b strings.Builder
	chapter := ""
	for _, s := range list {
		if s.Chapter != chapter {
			chapter = s.Chapter
			fmt.Fprintf(&b, "%s\n", chapter)
		}
		if s.Title != s.Chapter {
			fmt.Fprintf(&b, "  %s\n", s.Title)
		}
	}
	return b.String()
}
