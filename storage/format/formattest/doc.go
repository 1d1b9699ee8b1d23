// Package formattest helps the tests of formats: it reads and writes texts and files, draws documents and rows, and
// checks what holds for all formats, such as that workers do not change what is read.
package formattest
