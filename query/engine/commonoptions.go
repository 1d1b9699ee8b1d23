package engine

import (
	"parlance/algo/option"
	"parlance/query/exec"
	"parlance/query/setting"
	"parlance/storage"
)

// NamedOptions are the options of a statement.
type NamedOptions struct {
	Name string
	Set  *option.Set
}

// CommonOptions returns the options that statements have whatever they name.
func CommonOptions() []NamedOptions {
	_, checkSet := exec.NewCheckOptions()
	return []NamedOptions{
		{"CREATE CORPUS", exec.ObjectOptions(storage.CorpusObject)},
		{"CREATE GAZETTEER", exec.ObjectOptions(storage.GazetteerObject)},
		{"CREATE LEXICON", exec.ObjectOptions(storage.LexiconObject)},
		{"CREATE FULLTEXT INDEX", exec.IndexOptions(&exec.FulltextOptions{})},
		{"LOAD, besides those of the format", &exec.NewLoadOptions().Set},
		{"TRAIN, besides those of the kind", &exec.NewTrainOptions(nil).Set},
		{"ANNOTATE, besides those of the models", &exec.NewAnnotateOptions().Set},
		{"EVALUATE", &exec.NewEvaluateOptions().Set},
		{"CHECK CORPUS and check(corpus)", checkSet},
		{"DIFF MODEL", &exec.NewDiffOptions().Set},
		{"features(TEXT …)", &exec.NewFeatureOptions().Set},
		{"features(corpus, …)", &exec.NewPlaceOptions().Set},
		{"SET, for the session", &setting.New().Set},
		{"ALTER SYSTEM SET, for the database", &setting.NewDatabase().Set},
	}
}
