import { join } from 'node:path'
import { expect, test } from 'vitest'
import { apiReport } from '../../../test/support/apiReport.ts'

test('the exports match api.txt', async () => {
  const folder = join(import.meta.dirname, '..')
  const report = apiReport(folder, ['tsconfig.json'])
  await expect(report, 'npm run api writes the report anew').toMatchFileSnapshot('api.txt')
})
