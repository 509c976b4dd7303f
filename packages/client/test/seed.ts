import fc from 'fast-check'

// The same tree passes or fails the same way each time. PROPERTY_SEED chooses other runs.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 3) })
