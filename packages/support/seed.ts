import fc from 'fast-check'

// The same tree passes or fails the same way each time. Set the environment variable PROPERTY_SEED to a number
// to look for other counterexamples, and add each that is found to its property as an example.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 3) })
