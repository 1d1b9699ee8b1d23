// Package annotation reads and writes files of annotation tools and the data sets made with them: brat, doccano,
// Label Studio, Prodigy, ECB+, and records for Hugging Face.
package annotation
