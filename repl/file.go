package repl

import (
	"os"
	"path/filepath"
	"strings"
)

// quotedPath is what may be typed on in a string that names a file: LOAD '…', COPY … FROM '…' or TO '…', BACKUP TO '…'.
// prefix is what the string holds so far; ok tells whether the text ends in such a string. Files of a server are not
// known here.
func (c *completer) quotedPath(text, after string) (prefix string, found []string, ok bool) {
	list := tokens(text)
	if len(list) == 0 || !openString(list[len(list)-1]) || !namesFile(list[:len(list)-1]) {
		return "", nil, false
	}
	prefix = list[len(list)-1][1:]
	if _, far := c.conn.(*distant); far {
		return prefix, nil, true
	}
	return prefix, quotedPaths(prefix, strings.HasPrefix(after, "'")), true
}

// openString tells whether a token is a string without its end.
func openString(token string) bool {
	return token[0] == '\'' && !strings.Contains(strings.ReplaceAll(token[1:], "''", ""), "'")
}

// namesFile tells whether a string behind some tokens is the name of a file.
func namesFile(list []string) bool {
	depth, begin := 0, 0
	for i, t := range list {
		switch t {
		case ";":
			depth, begin = 0, i+1
		case "(":
			depth++
		case ")":
			depth--
		}
	}
	s := seen{tokens: list[begin:]}
	last := len(s.tokens) - 1
	switch {
	case depth != 0 || last < 0:
		return false
	case s.is(0, "LOAD"):
		return last == 0 || s.tokens[last] == "," && s.tokens[last-1][0] == '\'' && !s.has("INTO")
	case s.is(0, "COPY"):
		return s.is(last, "FROM", "TO")
	}
	return s.is(0, "BACKUP") && s.is(last, "TO")
}

// has tells whether a keyword is among the tokens.
func (s *seen) has(word string) bool {
	for i := range s.tokens {
		if s.is(i, word) {
			return true
		}
	}
	return false
}

// quotedPaths are the files and folders whose paths begin so, as strings hold them; that of a file ends the string
// unless it ends already.
func quotedPaths(begun string, ends bool) (out []string) {
	for _, p := range paths(strings.ReplaceAll(begun, "''", "'")) {
		quoted := strings.ReplaceAll(p, "'", "''")
		if !ends && !strings.HasSuffix(p, string(filepath.Separator)) {
			quoted += "'"
		}
		out = append(out, quoted)
	}
	return out
}

// argumentPaths are what an argument of a command may become that names a file, in quotes or without.
func argumentPaths(begun string) (out []string) {
	if !strings.HasPrefix(begun, "'") {
		return paths(begun)
	}
	for _, p := range quotedPaths(begun[1:], false) {
		out = append(out, "'"+p)
	}
	return out
}

// copyPaths are what the arguments of \copy may become: the file behind FROM or TO.
func copyPaths(rest string) (out []string) {
	head := 0
	for {
		n, token := nextWord(rest[head:])
		if token == "" {
			return nil
		}
		head += n
		if (strings.EqualFold(token, "from") || strings.EqualFold(token, "to")) && strings.HasPrefix(rest[head:], " ") {
			break
		}
	}
	head += len(rest[head:]) - len(strings.TrimLeft(rest[head:], blanks))
	for _, p := range argumentPaths(rest[head:]) {
		out = append(out, rest[:head]+p)
	}
	return out
}

// paths are the files and folders beside which those are that begin so; hidden ones if a dot is typed.
func paths(begun string) (out []string) {
	dir, name := filepath.Split(begun)
	entries, err := os.ReadDir(filepath.Join(".", dir))
	if filepath.IsAbs(begun) {
		entries, err = os.ReadDir(dir)
	}
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(name, ".") {
			continue
		}
		p := dir + e.Name()
		if info, err := os.Stat(p); err == nil && info.IsDir() { // behind a link too
			p += string(filepath.Separator)
		}
		out = append(out, p)
	}
	return out
}
