import { createSigner } from '../../src/engine/signing/signer.ts'

/** A signer for tests that run no gateway. */
export const testSigner = createSigner(['the key of tests, 32 bytes long or more'])
