// Package document makes documents of texts: it checks their lengths and ids, adds sentences and tokens, and makes
// other layers fit tokens that have changed. A Maker keeps the documents of texts that come again and again.
package document
