// Package treebank reads and writes trees between brackets: those of the Penn Treebank and of the Sinica Treebank.
package treebank
