#!/usr/bin/env bash
# Beam's Prism keeps a processor busy while it waits for a step that does nothing.
#
# github.com/apache/beam/sdks/v2 v2.77.0, Go, runner prism within the process: as long as a step is at work, the loop in
# which Prism waits for its end turns without a pause; it asks for progress ten times a second, but one of the channels
# that it listens to is closed early and so is always ready. A step that sleeps costs a core for as long as it sleeps,
# beside the work itself. Results are the same.
#
# The step here sleeps four seconds, then the program does. Seen with Go 1.26 on linux/amd64, processor seconds:
#   the step sleeps: 3.6
#   the program sleeps: 0.0
#
# Needs Go and its module proxy. Fails if this changes.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
export GOFLAGS=-mod=mod GOWORK=off
cat >go.mod <<MOD
module finding

go 1.26

require github.com/apache/beam/sdks/v2 v2.77.0
MOD
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

func slow(s string, emit func(string)) {
	time.Sleep(4 * time.Second)
	emit(s)
}

func init() {
	register.Function2x0(slow)
	register.Emitter1[string]()
}

func used() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()).Seconds()
}

func main() {
	log.LogLevel = "error"
	beam.Init()
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo(s, slow, beam.Create(s, "a text"))
	before := used()
	if err := beamx.Run(context.Background(), p); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Printf("the step sleeps: %.1f\n", used()-before)
	before = used()
	time.Sleep(4 * time.Second)
	fmt.Printf("the program sleeps: %.1f\n", used()-before)
}
GO
go mod tidy >/dev/null 2>&1
go run . | tee seen
awk -F': ' '/step/ { a = $2 } /program/ { b = $2 } END { exit !(a > 2 && b < 1) }' seen
echo "as stated"
