import { join } from 'node:path'
import { expect, test } from 'vitest'
import { apiReport } from '../../../packages/support/apiReport.ts'

test('the exports match api.txt', async () => {
  const report = apiReport(join(import.meta.dirname, '..'))
  await expect(report, 'npm run api writes the report anew').toMatchFileSnapshot('api.txt')
})
