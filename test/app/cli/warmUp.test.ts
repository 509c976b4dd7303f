import { expect, test } from 'vitest'
import { warmUp } from '../../../src/app/cli/warmUp.ts'

test('the documents of the warm-up have answers without errors', async () => {
  // Each is answered at least once, however short the time.
  await expect(warmUp(1)).resolves.toBeUndefined()
})
