// Command parlance is a database for language data that trains and serves the models that
// read it.
package main

import (
	"os"

	"parlance/repl"
)

func main() { os.Exit(repl.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
