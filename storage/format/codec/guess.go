package codec

import "strings"

// Guess is what the beginning of a file looks like.
type Guess struct {
	Format string       // "" where it fits none, or several
	With   []GuessValue // options of the format beside their defaults
	Looks  string       // what the file looks like, such as "a token a line, its label last"
	Hint   string       // what to write where Format is ""
}

// GuessValue is an option of a guess: a text, or a list of names, or false.
type GuessValue struct {
	Name string
	Text string
	List []string
	Off  bool
}

// Statement is the clause that says what a guess says: FORMAT conll WITH (columns = (form, entities)).
func (g Guess) Statement() string {
	text := "FORMAT " + g.Format
	for i, v := range g.With {
		text += []string{" WITH (", ", "}[min(i, 1)] + v.Name + " = "
		switch {
		case v.List != nil:
			text += "(" + strings.Join(v.List, ", ") + ")"
		case v.Off:
			text += "false"
		default:
			text += "'" + strings.ReplaceAll(v.Text, "'", "''") + "'"
		}
	}
	if len(g.With) > 0 {
		text += ")"
	}
	return text
}
