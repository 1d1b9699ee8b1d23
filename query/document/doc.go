// Package document makes documents of texts: it checks their lengths and ids, adds sentences and tokens, and makes other
// layers fit tokens that have changed.
package document
