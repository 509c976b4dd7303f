import { assertObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../../src/schema/schema.ts'

const fields = assertObjectType(schema.getType('ChainExplorer')).getFields()
const resolve = (field: string, explorer: unknown, args: unknown) =>
  (fields[field]?.resolve as ((...given: unknown[]) => unknown) | undefined)?.(explorer, args)

test('explorer URLs are made from the templates of the registry', () => {
  const hash = 'AB'.repeat(32)
  const of = (page: string | null) => resolve('transactionUrl', { transactionPage: page }, { hash })
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the registry's own placeholder
  expect(of('https://scan/txs/${txHash}')).toBe(`https://scan/txs/${hash}`)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the registry's own placeholder
  for (const page of [null, 'https://scan', 'no url ${txHash}']) expect(of(page)).toBeNull()
  const address = 'a/../?b\ud800'
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the registry's own placeholder
  const accountPage = 'https://scan/accounts/${accountAddress}'
  expect(resolve('accountUrl', { accountPage }, { address })).toBe('https://scan/accounts/a%2F..%2F%3Fb%EF%BF%BD')
})
