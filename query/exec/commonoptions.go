package exec

import (
	"parlance/algo/option"
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
	_, checkSet := newCheckOptions()
	return []NamedOptions{
		{"CREATE CORPUS", objectOptions(storage.CorpusObject)},
		{"CREATE GAZETTEER", objectOptions(storage.GazetteerObject)},
		{"CREATE LEXICON", objectOptions(storage.LexiconObject)},
		{"CREATE FULLTEXT INDEX", indexOptions(&fulltextOptions{})},
		{"LOAD, besides those of the format", &newLoadOptions().set},
		{"TRAIN, besides those of the kind", &newTrainOptions(nil).set},
		{"ANNOTATE, besides those of the models", &newAnnotateOptions().set},
		{"EVALUATE", &newEvaluateOptions().set},
		{"CHECK CORPUS and check(corpus)", checkSet},
		{"DIFF MODEL", &newDiffOptions().set},
		{"features(TEXT …)", &newFeatureOptions().set},
		{"features(corpus, …)", &newPlaceOptions().set},
		{"SET, for the session", &setting.New().Set},
		{"ALTER SYSTEM SET, for the database", &setting.NewDatabase().Set},
	}
}
