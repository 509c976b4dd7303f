import { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { OperationRequest, OperationResult } from '../../../src/server/operation/operation.ts'
import { createMissingRecords } from '../../../src/server/routes/missingRecords.ts'
import { deferred } from '../../support/deferred.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { testClient } from '../../support/testClient.ts'

const records = [
  { pattern: /^\/tx(?:\/(?<chainId>[^/]+))?\/(?<hash>[^/]+)\/?$/, queries: ['tx'] },
  { pattern: /^\/asset\/(?<chainId>[^/]+)\/(?<denom>.+?)\/?$/, queries: ['asset', 'holders'] },
]

/** Asks for a path, where the graph answers as told. */
function open(answer: (query: unknown) => Promise<OperationResult> | OperationResult, hasAccess = true) {
  const asked: OperationRequest[] = []
  const clock = fakeClock()
  const client = testClient('ip:1')
  const noKey = { status: 401, code: 'UNAUTHENTICATED', message: '', headers: {} } as const
  const ofRequest = () => (hasAccess ? client : noKey)
  const pipeline = {
    async run(request: OperationRequest) {
      asked.push(request)
      return answer(request.query)
    },
  }
  const services = { identify: { ofRequest }, clock } as never
  const isMissing = createMissingRecords(records, pipeline, services)
  return { asked, clock, ask: (path: string) => isMissing(path, {} as never) }
}

const found = { data: { transaction: { __typename: 'Transaction' } } }
const none = { data: { transaction: null } }
const failed = (code: string) => ({ ...none, errors: [new GraphQLError('No.', { extensions: { code } })] })

describe('the record of a page', () => {
  test.each<[string, OperationResult, boolean]>([
    ['is there if the graph has it', found, false],
    ['is missing if the graph answers null', none, true],
    ['is missing if what holds it is', { data: { chain: { block: null } } }, true],
    ['is missing if no record can have its name', failed('BAD_USER_INPUT'), true],
    ['is missing if a variable is refused', { errors: failed('BAD_USER_INPUT').errors }, true],
    ['may be there if a service refuses', failed('UPSTREAM_REJECTED'), false],
    ['may be there if a service failed', failed('UPSTREAM_TIMEOUT'), false],
    ['may be there if the client may ask no more', { errors: failed('RATE_LIMITED').errors }, false],
  ])('%s', async (_, result, isMissing) => {
    expect(await open(() => result).ask('/tx/AB')).toBe(isMissing)
  })

  test.each<[string, OperationResult, boolean]>([
    ['is there if somebody holds it', { data: { chain: { richList: { nodes: [{ __typename: 'Holder' }] } } } }, false],
    ['is missing if nobody holds it', { data: { chain: { richList: { nodes: [] } } } }, true],
    ['is missing if the indexer does not know its denom', failed('UPSTREAM_REJECTED'), true],
    ['may be there if the indexer failed', failed('UPSTREAM_UNAVAILABLE'), false],
  ])('that is in no list %s', async (_, holders, isMissing) => {
    const { ask } = open((query) => (query === 'asset' ? { data: { asset: null } } : holders))
    expect(await ask('/asset/a-1/nope')).toBe(isMissing)
  })

  test('is asked for by the parts of its path, as they are decoded', async () => {
    const { ask, asked } = open(() => found)
    for (const path of ['/tx/AB', '/tx/a-1/AB/', '/asset/a-1/ibc/27', '/asset/a-1/ibc%2F27%20%C3%A4']) await ask(path)
    expect(asked).toEqual([
      { query: 'tx', variables: { chainId: null, hash: 'AB' } },
      { query: 'tx', variables: { chainId: 'a-1', hash: 'AB' } },
      { query: 'asset', variables: { chainId: 'a-1', denom: 'ibc/27' } },
      { query: 'asset', variables: { chainId: 'a-1', denom: 'ibc/27 ä' } },
    ])
  })

  test('is missing where no text has such an encoding', async () => {
    const { ask, asked } = open(() => found)
    expect([await ask('/tx/%E0%A4%A'), asked]).toEqual([true, []])
  })

  test('is not looked for on other pages, or by a client without the key that it needs', async () => {
    const { ask, asked } = open(() => none)
    expect(await ask('/status')).toBe(false)
    const keyless = open(() => none, false)
    expect(await keyless.ask('/tx/AB')).toBe(false)
    expect([...asked, ...keyless.asked]).toEqual([])
  })

  test('holds its page for a tenth of a second at most', async () => {
    const late = deferred<OperationResult>()
    const { ask, clock } = open(() => late.promise)
    let answer: boolean | undefined
    const done = ask('/tx/AB').then((missing) => {
      answer = missing
    })
    await clock.advance(99)
    expect(answer).toBeUndefined()
    await clock.advance(1)
    await done
    expect(answer).toBe(false)
    late.resolve(none)
  })
})
