#!/usr/bin/env bash
# Snowball's Turkish stemmer gives nouns that end in n or m another stem than their plurals.
#
# github.com/blevesearch/snowballstem v0.9.0, Go, and snowball-stemmers 0.6.0 of npm, both made from the stemmers of
# snowballstem.org: the last letter of such a noun is taken for an ending, while of the plural -lar or -ler is taken off
# and no more. So "zaman" (time) becomes "zama" and "zamanlar" (times) "zaman"; "kalem" (pen) becomes "kale" (castle)
# and "kalemler" (pens) "kalem". In a search index the two do not find each other, which is what stems are for. Both
# libraries agree, so it is the algorithm.
#
# Seen with Go 1.26 and Node 20 on linux/amd64, of ten nouns and their plurals:
#   go: 3 of 10 pairs have one stem: insan kitap okul
#   npm: 3 of 10 pairs have one stem: insan kitap okul
#
# Needs Go with its module proxy, Node and npm. Fails if this changes.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
export GOFLAGS=-mod=mod GOWORK=off
words="kalem:kalemler kadın:kadınlar insan:insanlar yaşam:yaşamlar dönem:dönemler"
words="$words zaman:zamanlar orman:ormanlar düzen:düzenler kitap:kitaplar okul:okullar"
cat >go.mod <<MOD
module finding

go 1.24

require github.com/blevesearch/snowballstem v0.9.0
MOD
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/turkish"
)

func stem(word string) string {
	env := snowballstem.NewEnv(word)
	turkish.Stem(env)
	return env.Current()
}

func main() {
	same := ""
	for _, pair := range os.Args[1:] {
		one, many, _ := strings.Cut(pair, ":")
		if stem(one) == stem(many) {
			same += " " + one
		}
	}
	fmt.Printf("%d of %d pairs have one stem:%s\n", len(strings.Fields(same)), len(os.Args)-1, same)
}
GO
go mod tidy 2>/dev/null
# shellcheck disable=SC2086
go=$(go run . $words)
npm install --silent --no-audit --no-fund snowball-stemmers@0.6.0 >/dev/null
cat >main.js <<'JS'
const stemmer = require('snowball-stemmers').newStemmer('turkish');
const pairs = process.argv.slice(2).map(p => p.split(':'));
const same = pairs.filter(([one, many]) => stemmer.stem(one) === stemmer.stem(many)).map(p => p[0]);
console.log(`${same.length} of ${pairs.length} pairs have one stem: ${same.join(' ')}`);
JS
# shellcheck disable=SC2086
npm=$(node main.js $words)
echo "go: $go"
echo "npm: $npm"
want="3 of 10 pairs have one stem: insan kitap okul"
[ "$go" = "$want" ] && [ "$npm" = "$want" ]
