// Reference writes docs/REFERENCE.md, from the declarations in the program and the chapters of the manual (db/manual),
// whose examples it runs. It is started in the folder of the repository:
//
//	go run ./tools/reference
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("reference: ")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	text, err := reference(ctx, ".", nil)
	if err == nil {
		err = os.WriteFile(filepath.Join("docs", "REFERENCE.md"), []byte(text), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}
