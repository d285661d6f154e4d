// Orders what the search finds. Without it, pages that contain all words are ordered by their titles.
// Who searches for several words has a task; a single word is often a key or a call of the reference.
const ASKS = /\S\s+\S/.test(new URLSearchParams(location.search).get("q") || "");
const WEIGHTS = [
  [/^schema\/howto\/questions$/, ASKS ? 2.5 : 1],
  [/^schema\/howto\//, ASKS ? 3 : 1],
  [/^schema\/reference\/errors$/, -0.5],
  [/^schema\/reference\//, 2],
  [/^schema\/(tutorials|explanation)\//, 1],
  [/^schema\//, 0.5],
  [/^(tests|codegen|generated|CHANGELOG)/, -2],
  [/^runtime\/.*README$/, -2],
];

var Scorer = {
  // A result is [page, title, anchor, description, score, file, kind]. Names and titles keep their scores.
  score: ([page, , , , score, , kind]) => {
    const weight = kind === "text" && WEIGHTS.find(([pattern]) => pattern.test(page));
    return score + (weight ? weight[1] : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
