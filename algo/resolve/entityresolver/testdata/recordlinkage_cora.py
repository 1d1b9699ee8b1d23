"""Resolves Cora with the Python package recordlinkage, to compare with: pairs that share a word of the title, features
by its own measures, its logistic regression learned from every other paper, entities by connected components.

    python3 recordlinkage_cora.py cora.tsv
"""
import itertools
import resource
import sys
from collections import Counter, defaultdict

import pandas
import recordlinkage

table = pandas.read_csv(sys.argv[1], sep="\t", dtype=str, keep_default_na=False).set_index("id")


def candidates(part):
    """All pairs of records that share a word of the title."""
    index = defaultdict(list)
    for key, title in part.title.items():
        for word in set("".join(c if c.isalnum() else " " for c in title.lower()).split()):
            index[word].append(key)
    pairs = set()
    for keys in index.values():
        pairs.update(itertools.combinations(keys, 2))
    return pandas.MultiIndex.from_tuples(sorted(pairs))


def features(part, pairs):
    c = recordlinkage.Compare()
    c.string("title", "title", method="cosine")
    c.string("title", "title", method="qgram")
    c.string("authors", "authors", method="qgram")
    c.string("venue", "venue", method="cosine")
    c.exact("year", "year")
    return c.compute(pairs, part)


def together(part, pairs):
    entity = part.entity
    return pairs[[entity[a] == entity[b] for a, b in pairs]]


def components(part, links):
    root = {k: k for k in part.index}

    def find(k):
        while root[k] != k:
            root[k] = root[root[k]]
            k = root[k]
        return k

    for a, b in links:
        root[find(a)] = find(b)
    return {k: find(k) for k in part.index}


def scores(part, found):
    n, gold, got = Counter(), Counter(part.entity), Counter(found.values())
    for k, e in part.entity.items():
        n[e, found[k]] += 1
    p = sum(v * v / got[f] for (_, f), v in n.items()) / len(part)
    r = sum(v * v / gold[e] for (e, _), v in n.items()) / len(part)
    two = lambda counts: sum(v * (v - 1) / 2 for v in counts.values())
    pp, pr = two(n) / two(got), two(n) / two(gold)
    f = lambda a, b: 2 * a * b / (a + b)
    return "B3 %.3f / %.3f / %.3f, pairs %.3f / %.3f / %.3f" % (p, r, f(p, r), pp, pr, f(pp, pr))


learn, test = table[table.learned == "true"], table[table.learned == "false"]
pairs = candidates(learn)
classifier = recordlinkage.LogisticRegressionClassifier()
classifier.fit(features(learn, pairs), together(learn, pairs))
pairs = candidates(test)
links = classifier.predict(features(test, pairs))
right = len(together(test, links))
p, r = right / len(links), right / sum(v * (v - 1) / 2 for v in Counter(test.entity).values())
print("links alone: pairs %.3f / %.3f / %.3f" % (p, r, 2 * p * r / (p + r)))
print("components:", scores(test, components(test, links)))
use = resource.getrusage(resource.RUSAGE_SELF)
print("%.1f s of processor time, %d MB" % (use.ru_utime + use.ru_stime, use.ru_maxrss // 1024))
