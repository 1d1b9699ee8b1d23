//go:build !unix

package repl

import "github.com/reeflective/readline"

func bindSuspend(*readline.Shell, func()) {}

func (*shell) suspend() {}
