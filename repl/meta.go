package repl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

const help = `Statements end with a semicolon and may take several lines.
  \?            this help
  \h            list the topics of the manual
  \h topic      show one, such as \h TRAIN
  \d            list corpora, knowledge bases, models, feature sets, gazetteers, lexicons
  \d name       describe an object, name.layer a layer or relation
  \i file       run a script to its first error, with commands such as these
  \e [file]     edit the last statements, or a script, with $EDITOR and run them
  \o [file]     write rows to a file, or show them again
  \watch [n]    run the last statements every n seconds (2) until Ctrl-C
  \format f     show rows as table, vertical, markdown, csv, tsv or jsonl
  \x [on|off|auto]
                show rows as vertical or as table, or as what fits on the screen
  \pset pager   turn the pager for long answers on or off: $PAGER, or less
  \timing [on|off]
                show how long statements take, or stop it
  \q            leave
Tab completes keywords, names and options; the history keeps whole statements.
Ctrl-C cancels the statement that runs.
`

// commands are those of the shell.
var commands = []string{`\?`, `\h`, `\d`, `\i`, `\e`, `\o`, `\watch`, `\format`, `\x`, `\pset`, `\timing`, `\q`}

// formats are those in which rows are shown.
var formats = []string{"csv", "jsonl", "markdown", "table", "tsv", "vertical"}

// meta runs a command of the shell.
func (sh *shell) meta(ctx context.Context, words []string) {
	run := func(text string) { sh.statements(ctx, "shell", 0, text) }
	arg := ""
	if len(words) > 1 {
		arg = words[1]
	}
	switch words[0] {
	case `\q`:
		sh.ended = true
	case `\?`:
		fmt.Fprint(sh.s.out, help)
	case `\h`:
		sh.explain(strings.TrimSuffix(strings.Join(words[1:], " "), ";"))
	case `\timing`:
		if on, ok := sh.onOff(words, sh.timing); ok {
			sh.timing = on
			fmt.Fprintln(sh.s.out, "Timing is", map[bool]string{true: "on.", false: "off."}[on])
		}
	case `\x`:
		if strings.EqualFold(arg, "auto") && len(words) == 2 {
			sh.format = "auto"
			fmt.Fprintln(sh.s.out, "Rows are shown as vertical where a table is wider than the screen.")
		} else if on, ok := sh.onOff(words, sh.format == "vertical"); ok {
			sh.format = map[bool]string{true: "vertical", false: "table"}[on]
			fmt.Fprintf(sh.s.out, "Rows are shown as %s.\n", sh.format)
		}
	case `\o`:
		if err := sh.redirect(arg); err != nil {
			sh.complain("%w", err)
		}
	case `\e`:
		if err := sh.edit(ctx, arg); err != nil {
			sh.complain("%w", err)
		}
	case `\watch`:
		if err := sh.watch(ctx, arg); err != nil {
			sh.complain("%w", err)
		}
	case `\pset`:
		sh.setPager(words[1:])
	case `\format`:
		if !slices.Contains(formats, arg) {
			sh.complain(`\format takes table, vertical, markdown, csv, tsv or jsonl`)
			break
		}
		sh.format = arg
	case `\d`:
		if arg != "" {
			run("DESCRIBE " + strings.TrimSuffix(arg, ";"))
			break
		}
		run("SELECT 'corpus' AS kind, name FROM system.corpora UNION ALL SELECT 'model', name FROM system.models UNION ALL " +
			"SELECT 'knowledge base', name FROM system.kbs UNION ALL SELECT 'features', name FROM system.features WHERE NOT builtin UNION ALL SELECT 'gazetteer', name FROM system.gazetteers UNION ALL SELECT 'lexicon', name FROM system.lexicons")
	case `\i`:
		if arg == "" {
			sh.complain(`\i needs the name of a script`)
			break
		}
		sh.source(ctx, arg)
	default:
		sh.complain(`there is no %s; \? helps`, words[0])
	}
}

// onOff is what a command without or with on or off makes of what is on or not; ok is false after a complaint.
func (sh *shell) onOff(words []string, is bool) (on, ok bool) {
	switch {
	case len(words) == 1:
		return !is, true
	case len(words) == 2 && (strings.EqualFold(words[1], "on") || strings.EqualFold(words[1], "off")):
		return strings.EqualFold(words[1], "on"), true
	}
	sh.complain("%s takes on, off%s or nothing", words[0], map[bool]string{true: ", auto"}[words[0] == `\x`])
	return false, false
}

// edit opens the last statements, or a script, in an editor and runs what was written.
func (sh *shell) edit(ctx context.Context, script string) (err error) {
	if sh.terminal == nil {
		return errors.New(`\e needs a terminal`)
	}
	name := script
	if name == "" {
		f, err := os.CreateTemp("", "parlance-*.sql")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
		_, err = f.WriteString(sh.last)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		name = f.Name()
	}
	editor := cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi")
	cmd := exec.CommandContext(ctx, "sh", "-c", editor+` "$1"`, editor, name)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = sh.s.in, sh.s.out, sh.s.err
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w; EDITOR names another one", editor, err)
	}
	text, err := os.ReadFile(name)
	if err != nil || strings.TrimSpace(string(text)) == "" {
		return err
	}
	sh.last = string(text)
	fmt.Fprintln(sh.s.out, strings.TrimRight(sh.last, "\n"))
	sh.statements(ctx, cmp.Or(script, "shell"), 0, sh.last)
	return nil
}

// watch runs the last statements again and again, until Ctrl-C or an error.
func (sh *shell) watch(ctx context.Context, seconds string) error {
	pause, err := strconv.ParseFloat(cmp.Or(seconds, "2"), 64)
	if err != nil || pause < 0.1 || pause > 86400 {
		return errors.New(`\watch takes seconds from 0.1 to 86400`)
	}
	if sh.last == "" {
		return errors.New(`\watch runs the last statements again; there are none`)
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	pager := sh.pager
	sh.pager = nil
	defer func() { sh.pager = pager }()
	for {
		fmt.Fprintf(sh.s.out, "%s (every %g s)\n", time.Now().Format(time.DateTime), pause)
		if err := sh.script(ctx, "shell", sh.last); err != nil {
			if ctx.Err() == nil {
				sh.fail(err)
				sh.restore(ctx)
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Duration(pause * float64(time.Second))):
		}
	}
}

// setPager turns the pager on or off, or over.
func (sh *shell) setPager(words []string) {
	if len(words) == 0 || words[0] != "pager" || len(words) > 2 || len(words) == 2 && words[1] != "on" && words[1] != "off" {
		sh.complain(`\pset takes pager, pager on or pager off; \format and \x say how rows are shown`)
		return
	}
	on, _ := sh.onOff(words, sh.pager != nil)
	sh.pager = nil
	if on {
		sh.pager = newPager(sh.s.out)
	}
	fmt.Fprintln(sh.s.out, "The pager is", map[bool]string{true: "on.", false: "off."}[sh.pager != nil])
}
