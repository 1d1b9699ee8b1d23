package db

import "strings"

// Section is a part of the manual under one title.
type Section struct {
	Chapter string // title of the chapter; that of the section itself for what a chapter begins with
	Title   string
	Text    string // Markdown without fences: what stood between them is indented
}

// Manual returns the sections of the manual in their order.
func Manual() ([]Section, error) {
	list, err := chapters("manual")
	if err != nil {
		return nil, err
	}
	var out []Section
	for _, c := range list {
		for _, b := range c.blocks {
			out = b.sections(out)
		}
	}
	for i := range out {
		out[i].Text = strings.Trim(out[i].Text, "\n") + "\n"
	}
	return out, nil
}

// sections adds what a block holds to the last section, and the sections that begin in it.
func (b *block) sections(out []Section) []Section {
	for line := range strings.Lines(b.text) {
		title, chapter := strings.CutPrefix(line, "## ")
		section := false
		if !chapter {
			title, section = strings.CutPrefix(line, "### ")
		}
		title = strings.TrimSpace(title)
		switch {
		case b.kind == "" && chapter:
			out = append(out, Section{Chapter: title, Title: title})
		case b.kind == "" && section && len(out) > 0:
			out = append(out, Section{Chapter: out[len(out)-1].Chapter, Title: title})
		case len(out) == 0: // before the first title
		case b.kind != "" && line != "\n":
			out[len(out)-1].Text += "  " + line
		default:
			out[len(out)-1].Text += line
		}
	}
	return out
}
