package files

// ExchangeInSteps is what file systems need that cannot exchange.
var ExchangeInSteps = exchangeInSteps
