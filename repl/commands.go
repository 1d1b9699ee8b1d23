package repl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// metaCommand is a command of the shell.
type metaCommand struct {
	name, args, help string
	line             bool // all that follows on the line is one word
	strict           bool // a variable in the words that is not set is an error, as a path with its name in it is none
	most             int  // number of words
	words            func(c *completer, ctx context.Context, rest string) []string
	run              runs // nil for \if and the like
}

// runs is what runs a command; the first word is its name.
type runs func(sh *shell, ctx context.Context, words []string) error

// chapter are commands that belong together.
type chapter struct {
	title    string
	commands []metaCommand
}

// chapters are all commands, as \? lists them.
var chapters []chapter

// unbounded is the number of words of commands that take as many as there are.
const unbounded = 1 << 30

func init() { // what runs a command may run others
	chapters = []chapter{
		{"Statements", statementCommands()},
		{"Input and output", streamCommands()},
		{"Variables and conditions", variableCommands()},
		{"Rows", rowCommands()},
		{"Help", helpCommands()},
	}
}

func statementCommands() []metaCommand {
	return []metaCommand{
		{name: `\g`, strict: true, args: "[FILE]", help: "run the statement, as a semicolon does, or the last one again; " +
			"rows go to " +
			"the file", most: 1, words: offerPaths, run: (*shell).runTo},
		{name: `\gx`, strict: true, args: "[FILE]", help: "as \\g, with rows shown as vertical", most: 1, words: offerPaths,
			run: (*shell).runTo},
		{name: `\viz`, help: "draw the rows of the statement before it, or those shown last: entities, trees, clusters, " +
			"edits, counts, curves", run: (*shell).visualize},
		{name: `\gset`, args: "[PREFIX]", help: "run the statement and set a variable to each column of its row", most: 1,
			run: (*shell).runInto},
		{name: `\gexec`, help: "run the statement, then each value of its rows as a statement", run: (*shell).runEach},
		{name: `\gdesc`, help: "show the columns that the statement has, and do not run it",
			run: (*shell).describeStatement},
		{name: `\watch`, args: "[SECONDS]", help: "run the statement every SECONDS (2) until Ctrl-C", most: 1,
			run: (*shell).watch},
		{name: `\e`, strict: true, args: "[FILE]", help: "edit the statement, or a script, with $EDITOR and run it", most: 1,
			words: offerPaths, run: (*shell).edit},
		{name: `\p`, help: "show the statement that has begun, or the last one", run: (*shell).printStatement},
		{name: `\r`, help: "forget the statement that has begun", run: (*shell).forget},
		{name: `\w`, strict: true, args: "FILE", help: "write the statement that has begun, or the last one, to a file",
			most:  1,
			words: offerPaths, run: (*shell).writeStatement},
	}
}

func streamCommands() []metaCommand {
	return []metaCommand{
		{name: `\i`, strict: true, args: "FILE", help: "run a script to its first error, with commands such as these",
			most:  1,
			words: offerPaths, run: (*shell).include},
		{name: `\ir`, strict: true, args: "FILE", help: "as \\i, with the path relative to the script that has the command",
			most:  1,
			words: offerPaths, run: (*shell).include},
		{name: `\o`, strict: true, args: "[FILE]", help: "write rows to a file, or show them again", most: 1,
			words: offerPaths,
			run:   (*shell).output},
		{name: `\copy`, args: "… FROM|TO FILE …",
			help: "as COPY, with a file of this machine, stdin, stdout, pstdin or " +
				"pstdout", line: true, most: 1, words: offerCopy, run: (*shell).copy},
		{name: `\echo`, args: "[-n] [WORD…]", help: "write words to standard output; -n for no line end", most: unbounded,
			run: (*shell).echo},
		{name: `\qecho`, args: "[-n] [WORD…]", help: "write words to where rows go", most: unbounded, run: (*shell).echo},
		{name: `\warn`, args: "[-n] [WORD…]", help: "write words to standard error", most: unbounded, run: (*shell).echo},
	}
}

func variableCommands() []metaCommand {
	return []metaCommand{
		{name: `\set`, strict: true, args: "[NAME [VALUE…]]",
			help: "set a variable, or list all: :name, :'name' as text, :\"name\" as " +
				"name", most: unbounded, words: offerVariables, run: (*shell).set},
		{name: `\unset`, args: "NAME", help: "remove a variable", most: 1, words: offerVariables, run: (*shell).unset},
		{name: `\prompt`, args: "[TEXT] NAME", help: "set a variable to a line that is read", most: 2, run: (*shell).ask},
		{name: `\getenv`, args: "NAME VARIABLE", help: "set a variable to one of the environment", most: 2,
			run: (*shell).getenv},
		{name: `\if`, args: "CONDITION", help: "what follows counts if the condition is true, on, yes or 1; {?name} " +
			"tells whether name is set", most: unbounded},
		{name: `\elif`, args: "CONDITION", help: "else what follows counts if this condition is true", most: unbounded},
		{name: `\else`, help: "else what follows counts"},
		{name: `\endif`, help: "the end of what \\if began"},
	}
}

func rowCommands() []metaCommand {
	return []metaCommand{
		{name: `\a`, help: "show rows as table, or unaligned", run: (*shell).align},
		{name: `\f`, args: "[TEXT]", help: "show or set what separates the columns of unaligned rows", most: 1,
			run: (*shell).separate},
		{name: `\format`, args: "FORMAT", help: "show rows as " + strings.Join(formats, ", "), most: 1,
			words: offer(formats...), run: (*shell).setFormat},
		{name: `\pset`, args: "[NAME [VALUE]]", help: "show or set how rows are shown: " + strings.Join(lookNames(), ", "),
			most: 2, words: offerLooks, run: (*shell).pset},
		{name: `\t`, args: "[on|off]", help: "show rows alone, without names and number", most: 1, words: offer("off",
			"on"), run: (*shell).setTuples},
		{name: `\x`, args: "[on|off|auto]", help: "show rows as vertical, as table, or as what fits on the screen",
			most: 1, words: offer("auto", "off", "on"), run: (*shell).expand},
		{name: `\timing`, args: "[on|off]", help: "show how long statements take, or stop it", most: 1, words: offer("off",
			"on"), run: (*shell).setTiming},
	}
}

func helpCommands() []metaCommand {
	return []metaCommand{
		{name: `\?`, args: "[variables]", help: "this help, or that on variables", most: 1, words: offer("variables"),
			run: (*shell).help},
		{name: `\h`, args: "[TOPIC]", help: "list the topics of the manual, or show one, such as \\h TRAIN", line: true,
			most: 1, words: offerTopics, run: (*shell).explain},
		{name: `\d`, args: "[NAME]", help: "list what there is, or describe one: name.layer is a layer or relation",
			most: 1, words: offerTables, run: (*shell).describe},
		{name: `\d+`, args: "[NAME]", help: "as \\d, with the columns", most: 1, words: offerTables, run: (*shell).describe},
		{name: `\df`, args: "[NAME]", help: "list functions; * and ? in the name stand for other characters", most: 1,
			run: (*shell).functions},
		{name: `\di`, help: "list indexes", run: statement("SHOW INDEXES")},
		{name: `\dn`, help: "list schemas", run: statement(schemasQuery)},
		{name: `\dt`, help: "list tables and layers", run: statement(tablesQuery)},
		{name: `\du`, help: "list users", run: statement("SHOW USERS")},
		{name: `\l`, help: "list databases, of which a file or server has one", run: statement(databasesQuery)},
		{name: `\conninfo`, help: "show which file or server the session is on", run: (*shell).connection},
		{name: `\encoding`, args: "[UTF8]", help: "show the encoding of text", most: 1, words: offer("UTF8"),
			run: (*shell).encoding},
		{name: `\errverbose`, help: "show the last error again, with its statement", run: (*shell).repeatError},
		{name: `\c`, strict: true, args: "[FILE|URL]", help: "open another database file, or a server, or show which it is",
			most:  1,
			words: offerPaths, run: (*shell).changeDatabase},
		{name: `\cd`, strict: true, args: "[FOLDER]", help: "change the folder that paths start from", most: 1,
			words: offerPaths,
			run:   (*shell).changeFolder},
		{name: `\q`, help: "leave", run: (*shell).quit},
	}
}

// commandOf is the command of a name; nil for none.
func commandOf(name string) *metaCommand {
	for _, c := range chapters {
		if i := slices.IndexFunc(c.commands, func(c metaCommand) bool { return c.name == name }); i >= 0 {
			return &c.commands[i]
		}
	}
	return nil
}

// commandNames are the names of all commands.
func commandNames() (out []string) {
	for _, c := range chapters {
		for _, c := range c.commands {
			out = append(out, c.name)
		}
	}
	return out
}

// meta runs a command of the shell.
func (sh *shell) meta(ctx context.Context, e *entry) {
	err := errors.Join(e.err, sh.out.Flush())
	sh.at = e.at
	switch {
	case err != nil:
	case e.command == nil:
		err = fmt.Errorf(`there is no %s; \? helps`, e.words[0])
	case len(e.words) > 1+e.command.most:
		err = fmt.Errorf("%s takes %s, and %s is too much", e.words[0], cmp.Or(e.command.args, "nothing"),
			quoted(e.words[1+e.command.most]))
	default:
		err = e.command.run(sh, ctx, e.words)
	}
	if err != nil {
		sh.complain(e.at, err)
	}
}

// widestHelp bounds the lines of \?.
const widestHelp = 110

// help shows all commands, or all special variables.
func (sh *shell) help(ctx context.Context, words []string) error {
	screen := screenWidth(sh.s.out)
	if len(words) == 1 {
		return sh.page(ctx, commandList(screen))
	}
	if words[1] != "variables" {
		return fmt.Errorf(`\? takes variables or nothing; \h %s asks the manual`, words[1])
	}
	var b strings.Builder
	for _, s := range specials {
		helpLine(&b, s.name, s.doc, screen)
	}
	return sh.page(ctx, b.String())
}

// commandList is all commands by chapter, for a screen of some cells; 0 for no screen.
func commandList(screen int) string {
	var b strings.Builder
	b.WriteString("Statements end with a semicolon and may take several lines.\n")
	for _, c := range chapters {
		fmt.Fprintf(&b, "\n%s\n", c.title)
		for _, c := range c.commands {
			helpLine(&b, strings.TrimSpace(c.name+" "+c.args), c.help, screen)
		}
	}
	b.WriteString("\n" + strings.Join(wrap("Tab completes keywords, names and options; the history keeps whole "+
		"statements. Ctrl-C cancels the statement that runs.", helpWidth(screen)), "\n") + "\n")
	return b.String()
}

// helpWidth is how wide help is on a screen.
func helpWidth(screen int) int {
	if screen <= 0 {
		return widestHelp
	}
	return min(screen, widestHelp)
}

// helpLine writes what a name means beside it, or below where the name is long.
func helpLine(b *strings.Builder, name, help string, screen int) {
	const margin = 24
	lines := wrap(help, max(narrowestText, helpWidth(screen)-margin))
	head := "  " + name
	if n := text.StringWidth(head); n+1 < margin {
		head += strings.Repeat(" ", margin-n)
	} else {
		head += "\n" + strings.Repeat(" ", margin)
	}
	b.WriteString(head + strings.Join(lines, "\n"+strings.Repeat(" ", margin)) + "\n")
}

// statement is a command that runs a statement.
func statement(text string) func(*shell, context.Context, []string) error {
	return func(sh *shell, ctx context.Context, _ []string) error {
		sh.own(ctx, text)
		return nil
	}
}

// own runs a statement of the shell itself.
func (sh *shell) own(ctx context.Context, text string) {
	sh.statements(ctx, &entry{text: text, at: sh.at})
}

// Words that commands offer to be completed.

func offer(words ...string) func(*completer, context.Context, string) []string {
	return func(*completer, context.Context, string) []string { return words }
}

func offerPaths(_ *completer, _ context.Context, rest string) []string { return argumentPaths(rest) }

func offerCopy(_ *completer, _ context.Context, rest string) []string { return copyPaths(rest) }

func offerTopics(*completer, context.Context, string) []string { return topics() }

func offerTables(c *completer, ctx context.Context, _ string) []string {
	return c.catalog(ctx).names("table", "model")
}

func offerVariables(c *completer, _ context.Context, _ string) (out []string) {
	if c.vars != nil {
		out = slices.Collect(maps.Keys(c.vars.values))
	}
	for _, s := range specials {
		for _, w := range s.words {
			out = append(out, s.name+" "+w)
		}
	}
	return out
}

func offerLooks(*completer, context.Context, string) []string {
	out := []string{"pager", "pager off", "pager on"}
	for _, o := range lookOptions {
		out = append(out, o.name)
		for _, v := range o.values {
			out = append(out, o.name+" "+v)
		}
	}
	return out
}
