#!/bin/sh
# Installs or builds the programs that Parlance is measured beside into a folder, and prints tables of BENCHMARKS.md:
#
#   PARLANCE_DATA=folder tools/peers.sh FOLDER [ROW,…]
#
# Debian 12, as root or with sudo; git and a network for KenLM, CRFsuite and fast_align, which have no package. A
# source that lies in FOLDER already, kenlm, crfsuite or fast_align, is taken as it is.
set -eu
[ $# -eq 1 ] || [ $# -eq 2 ] || { echo "usage: PARLANCE_DATA=folder tools/peers.sh FOLDER [ROW,…]" >&2; exit 2; }
[ -d "${PARLANCE_DATA:-}" ] || { echo "PARLANCE_DATA names no folder with the corpora" >&2; exit 2; }
mkdir -p "$1/bin"
peers=$(cd "$1" && pwd)
root=; [ "$(id -u)" -eq 0 ] || root=sudo
$root apt-get install -y --no-install-recommends time sqlite3 liblinear-tools fasttext postgresql git cmake make g++ \
  automake libtool liblbfgs-dev zlib1g-dev libeigen3-dev libboost-program-options-dev libboost-system-dev \
  libboost-thread-dev libboost-test-dev libsparsehash-dev >"$peers/apt.log"

# source clones a repository at a commit, unless it is there, and tells its version to the benchmark.
source() {
  [ -d "$peers/$1" ] || git clone -q "https://github.com/$2" "$peers/$1"
  git -C "$peers/$1" checkout -q "$3"
}
source kenlm kpu/kenlm 4cb443e60b7bf2c0ddf3c745378f76cb59e254e5
source crfsuite chokkan/crfsuite a2a1547727985e3aff6a35cffe073f57f0223e9d
source fast_align clab/fast_align cab1e9aac8d3bb02ff5ae58218d8d225a039fa11

[ -x "$peers/bin/lmplz" ] || {
  mkdir -p "$peers/kenlm/build"
  (cd "$peers/kenlm/build" && cmake .. -DCMAKE_BUILD_TYPE=Release && make -j2 lmplz build_binary query) \
    >"$peers/kenlm.log" 2>&1
  for p in lmplz build_binary query; do
    cp "$peers/kenlm/build/bin/$p" "$peers/bin/"
    echo "KenLM 4cb443e" >"$peers/bin/$p.version"
  done
}
[ -x "$peers/bin/crfsuite" ] || {
  (cd "$peers/crfsuite" && ./autogen.sh && ./configure --disable-shared CFLAGS=-O3 && make -j2) \
    >"$peers/crfsuite.log" 2>&1
  cp "$peers/crfsuite/frontend/crfsuite" "$peers/bin/"
  echo "CRFsuite a2a1547" >"$peers/bin/crfsuite.version"
}
[ -x "$peers/bin/fast_align" ] || {
  mkdir -p "$peers/fast_align/build"
  (cd "$peers/fast_align/build" && cmake .. -DCMAKE_BUILD_TYPE=Release && make -j2) >"$peers/fast_align.log" 2>&1
  cp "$peers/fast_align/build/fast_align" "$peers/fast_align/build/atools" "$peers/bin/"
  echo "fast_align cab1e9a" >"$peers/bin/fast_align.version"
}
cd "$(dirname "$0")/.."
PATH=$peers/bin:$PATH exec go run ./tools/bench peers ${2:+--rows=$2}
