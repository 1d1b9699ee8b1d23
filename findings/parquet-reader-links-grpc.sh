#!/usr/bin/env bash
# A Go program that only reads or writes Parquet by the Arrow library links a whole RPC stack.
#
# github.com/apache/arrow-go v18.8.0 has two ways to a Parquet file: package parquet/file, columns with their levels,
# and package parquet/pqarrow, Arrow tables, which its documentation leads to. pqarrow imports arrow/flight, the
# transport of Arrow over gRPC, so a program that never opens a connection links gRPC, protobuf and genproto: dozens of
# packages more and 17 MB. parquet/file, arrow/array and arrow/ipc do not, but a program of parquet/file still has
# 33 MB, for the encoders of columns import arrow/compute with all its kernels.
#
# Seen with Go 1.26 on linux/amd64:
#   parquet/file: 0 packages of google.golang.org/grpc
#   parquet/pqarrow: 64 packages of google.golang.org/grpc
#   imported by: github.com/apache/arrow-go/v18/arrow/flight
#   the encoders import: github.com/apache/arrow-go/v18/arrow/compute
#   bytes: 32906757 without, 50324452 with pqarrow
#
# Needs Go and its module proxy. Fails if any of this changes.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
export GOFLAGS=-mod=mod GOWORK=off
arrow=github.com/apache/arrow-go/v18
cat >go.mod <<MOD
module finding

go 1.24

require $arrow v18.8.0
MOD
mkdir low high
cat >low/main.go <<GO
package main

import (
	"fmt"
	"os"

	"$arrow/parquet/file"
)

func main() {
	f, err := file.OpenParquetFile(os.Args[0], false)
	fmt.Println(f != nil, err != nil)
}
GO
cat >high/main.go <<GO
package main

import (
	"context"
	"fmt"
	"os"

	"$arrow/arrow/memory"
	"$arrow/parquet/file"
	"$arrow/parquet/pqarrow"
)

func main() {
	f, err := file.OpenParquetFile(os.Args[0], false)
	if err != nil {
		fmt.Println("no Parquet")
		return
	}
	r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err == nil {
		_, err = r.ReadTable(context.Background())
	}
	fmt.Println(err)
}
GO
go mod tidy >/dev/null 2>&1
count() { go list -deps "$1" | grep -c '^google.golang.org/grpc' || true; }
low=$(count ./low) high=$(count ./high)
echo "parquet/file: $low packages of google.golang.org/grpc"
echo "parquet/pqarrow: $high packages of google.golang.org/grpc"
by=$(go list -f '{{join .Imports "\n"}}' $arrow/parquet/pqarrow | grep '/arrow/flight$')
echo "imported by: $by"
compute=$(go list -f '{{join .Imports "\n"}}' $arrow/parquet/internal/encoding | grep '/arrow/compute$')
echo "the encoders import: $compute"
go build -o small ./low
go build -o large ./high
small=$(wc -c <small) large=$(wc -c <large)
echo "bytes: $small without, $large with pqarrow"
[ "$low" = 0 ] && [ "$high" -gt 10 ] && [ "$by" = $arrow/arrow/flight ] &&
  [ "$compute" = $arrow/arrow/compute ] && [ $((2 * large)) -gt $((3 * small)) ]
echo "as stated"
