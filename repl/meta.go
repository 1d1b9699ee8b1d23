package repl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
)

// word is the word of a command at a place; "" for none.
func word(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}

// say reports what a command has done.
func (sh *shell) say(format string, args ...any) {
	if !sh.vars.on("QUIET") {
		fmt.Fprintf(sh.s.out, format+"\n", args...)
	}
}

// plainWord is the command that a person means who types a word alone where a statement begins: help, quit or exit;
// empty for anything else.
func plainWord(typed string) string {
	switch strings.ToLower(strings.TrimRight(strings.TrimSpace(typed), "; ")) {
	case "help":
		return `\?`
	case "quit", "exit":
		return `\q`
	}
	return ""
}

func (sh *shell) quit(context.Context, []string) error {
	sh.src.ended = true
	return nil
}

// objectsQuery lists what a database holds, tablesQuery what can be selected from, schemasQuery where that is.
const (
	objectsQuery = "SELECT 'corpus' AS kind, name FROM system.corpora UNION ALL SELECT 'model', name FROM " +
		"system.models WHERE serves UNION ALL " +
		"SELECT 'knowledge base', name FROM system.kbs UNION ALL SELECT 'features', name FROM system.features WHERE NOT " +
		"builtin UNION ALL SELECT 'gazetteer', name FROM system.gazetteers UNION ALL SELECT 'lexicon', name FROM " +
		"system.lexicons"
	tablesQuery = "SELECT CASE table_schema WHEN 'public' THEN table_name ELSE table_schema || '.' || table_name END " +
		"AS name, table_type AS type " +
		"FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema', 'system') " +
		"AND table_schema NOT IN (SELECT name FROM system.models) ORDER BY name"
	schemasQuery = "SELECT schema_name AS name FROM information_schema.schemata ORDER BY name"
	columnsQuery = "SELECT column_name AS column, data_type AS type FROM information_schema.columns WHERE " +
		"table_schema = %s AND table_name = %s ORDER BY ordinal_position"
	databasesQuery = "SELECT datname AS name, pg_encoding_to_char(encoding) AS encoding FROM pg_database ORDER BY name"
)

// describe lists what there is, or describes one.
func (sh *shell) describe(ctx context.Context, words []string) error {
	name := strings.TrimSuffix(word(words, 1), ";")
	switch {
	case name == "":
		sh.own(ctx, objectsQuery)
	case words[0] == `\d+`:
		sh.own(ctx, "DESCRIBE "+name)
		schema, table, qualified := strings.Cut(name, ".")
		if !qualified {
			schema, table = "public", name
		}
		sh.own(ctx, fmt.Sprintf(columnsQuery, quote(schema), quote(table)))
	default:
		sh.own(ctx, "DESCRIBE "+name)
	}
	return nil
}

func (sh *shell) changeFolder(_ context.Context, words []string) (err error) {
	folder := word(words, 1)
	if folder == "" {
		if folder, err = os.UserHomeDir(); err != nil {
			return err
		}
	}
	return os.Chdir(folder)
}

// echo writes words.
func (sh *shell) echo(_ context.Context, words []string) error {
	w := onScreen(sh.s.out)
	switch words[0] {
	case `\qecho`:
		w = sh.out
	case `\warn`:
		w = sh.errs
	}
	end := "\n"
	said := words[1:]
	if word(said, 0) == "-n" {
		said, end = said[1:], ""
	}
	if _, err := fmt.Fprint(w, strings.Join(said, " ")+end); err != nil {
		return err
	}
	return sh.out.Flush() // \qecho
}

// set sets a variable to words without blanks between them, or lists all variables.
func (sh *shell) set(_ context.Context, words []string) error {
	if len(words) == 1 {
		_, err := fmt.Fprint(onScreen(sh.s.out), sh.vars.list())
		return err
	}
	return sh.vars.set(words[1], strings.Join(words[2:], ""))
}

func (sh *shell) unset(_ context.Context, words []string) error {
	if len(words) == 1 {
		return errors.New(`\unset needs the name of a variable`)
	}
	sh.vars.unset(words[1])
	return nil
}

func (sh *shell) getenv(_ context.Context, words []string) error {
	if len(words) < 3 {
		return errors.New(`\getenv needs the names of a variable of the shell and of one of the environment`)
	}
	if value, ok := os.LookupEnv(words[2]); ok {
		return sh.vars.set(words[1], value)
	}
	return nil
}

// ask sets a variable to a line of the terminal, or of standard input.
func (sh *shell) ask(_ context.Context, words []string) error {
	if len(words) < 2 {
		return errors.New(`\prompt needs the name of a variable`)
	}
	prompt := ""
	if len(words) == 3 {
		prompt = words[1]
	}
	line, err := sh.askLine(prompt)
	if err != nil {
		return fmt.Errorf(`\prompt: there is no line to read: %w`, err)
	}
	return sh.vars.set(words[len(words)-1], line)
}

func (sh *shell) askLine(prompt string) (string, error) {
	if sh.keys != nil {
		return sh.plain(prompt)
	}
	fmt.Fprint(sh.errs, prompt)
	line, err := sh.stdin.ReadString('\n')
	if sh.src.in == sh.stdin {
		sh.src.at.Line++
	}
	if line != "" {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

// include runs a script.
func (sh *shell) include(ctx context.Context, words []string) error {
	if len(words) == 1 {
		return fmt.Errorf("%s needs the name of a script", words[0])
	}
	name := words[1]
	if words[0] == `\ir` {
		name = beside(sh.src.name, name)
	}
	return sh.run(ctx, name)
}

// output writes rows to a file, or shows them again.
func (sh *shell) output(_ context.Context, words []string) error { return sh.redirect(word(words, 1)) }
