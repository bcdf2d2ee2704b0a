package bundle

// NetworkFacts is for tests of what the rest of the package reaches only through files.
var NetworkFacts = networkFacts
