import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toBech32 } from '../../../../packages/words/src/addresses/bytes.ts'
import { type ActivityPage, maxRows, readActivity } from '../../src/csv/readActivity.ts'
import { chosenRows, ownerOf, transferRows } from '../../src/csv/rows.ts'

interface Edge {
  readonly node: { readonly timestamp: string } | null
}
const edge = (second: number): Edge => ({
  node: { timestamp: new Date(second * 1000).toISOString() },
})
const page = (
  edges: readonly Edge[],
  { next, missing = [] }: { next?: string; missing?: readonly string[] } = {},
): ActivityPage<Edge> => ({
  edges,
  pageInfo: { hasNextPage: next !== undefined, endCursor: next ?? null },
  unavailableChains: missing.map((chainId) => ({ chain: { chainId, prettyName: chainId }, code: 'UPSTREAM_TIMEOUT' })),
})

/** Reads the pages by their cursors, and records which were asked for. */
async function run(
  pages: Readonly<Record<string, ActivityPage<Edge> | Error>>,
  span: { since?: number; until?: number } = {},
) {
  const asked: string[] = []
  const result = await readActivity({
    span: { since: span.since && span.since * 1000, until: span.until && span.until * 1000 },
    read: async (after = 'first') => {
      asked.push(after)
      const found = pages[after]
      if (!found || found instanceof Error) throw found
      return found
    },
    rowsOf: ({ node }: Edge) => [Date.parse(node?.timestamp ?? '') / 1000],
    isAborted: () => false,
  })
  return { ...result, asked }
}

describe('readActivity', () => {
  test('rows include the start and exclude the end, and no older page is loaded', async () => {
    const result = await run(
      {
        first: page([edge(90), edge(80), edge(70)], { next: 'b' }),
        b: page([edge(60), edge(50)], { next: 'c' }),
      },
      { since: 60, until: 80 },
    )
    expect(result.rows).toEqual([70, 60])
    expect(result.asked).toEqual(['first', 'b'])
    expect(result.end).toBe('complete')
  })

  test('a chain missing from one page only is complete, and its newer rows are included', async () => {
    const result = await run(
      {
        first: page([edge(90), edge(40)], { next: 'b', missing: ['a-1'] }),
        b: page([edge(85), edge(30)], { next: 'c' }),
        c: page([edge(20)]),
      },
      { since: 35 },
    )
    expect(result.rows).toEqual([90, 40, 85])
    expect(result.missing).toEqual([])
    expect(result.asked).toEqual(['first', 'b'])
  })

  test('a chain missing from the last page is reported, and loading stops', async () => {
    const result = await run({
      first: page([edge(90)], { next: 'b', missing: ['a-1'] }),
      b: page([], { next: 'b', missing: ['a-1'] }),
    })
    expect(result.missing.map(({ chain }) => chain.chainId)).toEqual(['a-1'])
    expect(result.asked).toEqual(['first', 'b'])
  })

  test('loading stops at the maximum number of rows', async () => {
    const many = Array.from({ length: maxRows }, (_, index) => edge(9_000_000 - index))
    const result = await run({ first: page(many, { next: 'b' }), b: page([edge(1)]) })
    expect([result.rows.length, result.end]).toEqual([maxRows, 'too many rows'])
    // The time of the last row in the file: a file of what is older begins there.
    expect(result.oldest).toBe((9_000_000 - maxRows + 1) * 1000)
  })

  test('loading stops at the maximum number of pages', async () => {
    const result = await run({ first: page([], { next: 'first' }) })
    expect([result.asked.length, result.end]).toEqual([200, 'too many pages'])
  })

  test('a failed page ends with the rows so far, but a failed first page throws', async () => {
    const failed = { first: page([edge(90)], { next: 'b' }), b: new Error('down') }
    expect(await run(failed)).toMatchObject({ rows: [90], end: 'failed' })
    await expect(run({ first: new Error('down') })).rejects.toThrow('down')
  })

  test('unreadable transactions are counted', async () => {
    expect(await run({ first: page([{ node: null }, edge(3)]) })).toMatchObject({
      rows: [3],
      unreadable: 1,
    })
  })
})

const chain = { chainId: 'a-1', prettyName: 'A' }
const node = {
  __typename: 'Transaction' as const,
  ...{ hash: 'AB', height: 7, timestamp: '2026-01-01T00:00:00Z', isSuccessful: true },
}

test('an account knows its spellings: in hex, and in bech32 with any prefix', () => {
  const bytes = fc
    .constantFrom(20, 32)
    .chain((size) =>
      fc.uint8Array({ minLength: size, maxLength: size }).map((each) => Buffer.from(each).toString('hex')),
    )
  fc.assert(
    fc.property(bytes, bytes, fc.constantFrom('init', 'osmo', 'a1b'), (own, other, prefix) => {
      const { isOwn } = ownerOf(`0x${own}`)
      const spellings = [
        `0x${own}`,
        `0x${own.toUpperCase()}`,
        toBech32(own, prefix),
        toBech32(own, prefix).toUpperCase(),
      ]
      expect(spellings.filter((text) => !isOwn(text))).toEqual([])
      if (own !== other) expect(isOwn(toBech32(other, prefix))).toBe(false)
    }),
  )
  for (const text of ['', '1', 'init1', 'channel-7']) expect(ownerOf(`0x${'00'.repeat(20)}`).isOwn(text)).toBe(false)
})

test('transferRows merges a coin with its token, and omits the fee and transfers of others', () => {
  const me = { address: 'init1me', hexAddress: '0x01' }
  const other = { address: 'init1other', hexAddress: '0x02' }
  const amount = { amount: '5', formattedAmount: '0.5', usdValue: null, asset: null }
  const rows = transferRows(
    {
      ...{ cursor: 'c', chain },
      node: {
        ...node,
        fee: { amount: [{ amount: '5', denom: 'gas' }], payer: null },
        signers: [{ account: me }],
        coinTransfers: [
          { sender: me, recipient: other, coins: [{ ...amount, denom: 'gas' }] },
          { sender: me, recipient: other, coins: [{ ...amount, denom: 'evm/AB' }] },
          { sender: me, recipient: me, coins: [{ ...amount, denom: 'x' }] },
          { sender: other, recipient: other, coins: [{ ...amount, denom: 'x' }] },
        ],
        tokenTransfers: [
          {
            ...{ ...amount, denom: null, standard: 'ERC20', tokenId: null },
            ...{ from: me, to: other, contract: { address: '0xab' } },
          },
        ],
      },
    },
    me.hexAddress,
    { direction: '', party: '', token: '' },
  )
  expect(rows.map((row) => row.slice(5, 12))).toEqual([
    ['ERC20', 'init1me', 'init1other', null, '0xab', null, '0.5'],
    ['COIN', 'init1me', 'init1me', null, 'x', '0.5', '0.5'],
  ])
})

test('a file has the rows of the transactions that the page lists, and of these the chosen changes', () => {
  const other = 'init17xpfvakm2amg962yls6f84z3kell8c5l70rnql'
  const change = (denom: string, amount: string, kind: 'COIN' | 'FEE' = 'COIN') => ({
    ...{ kind, denom, amount, formattedAmount: amount, usdValueAtTime: null, tokenId: null, objectAddress: null },
    ...{ messageIndex: null, asset: null, contract: null, collection: null },
  })
  const names = { text: '', kind: 'ACCOUNT' as const, address: null, account: { address: other }, amount: null }
  const amount = { text: '', kind: 'AMOUNT' as const, address: null, account: null, amount: { denom: 'uinit' } }
  const action = {
    ...{ kind: 'SEND' as const, messageIndex: 0, actor: null, counterparty: null, remoteAddress: null },
    ...{ channel: null, packetSequence: null, summaryParts: [names, amount] },
  }
  const denoms = (changes: readonly ReturnType<typeof change>[], sides: Partial<Parameters<typeof chosenRows>[2]>) =>
    chosenRows(
      {
        ...{ cursor: 'c', chain, balanceChanges: [...changes] },
        node: { ...node, signers: [{ account: { address: 'init1me' } }], actions: [action] },
      },
      ownerOf('0x01'),
      { direction: '', party: '', token: '', ...sides },
    ).map((cells) => cells[9])
  const swap = [change('uinit', '-1', 'FEE'), change('uosmo', '-5'), change('uinit', '6')]
  expect(denoms(swap, {})).toEqual(['uinit', 'uosmo', 'uinit'])
  expect(denoms(swap, { token: 'uinit', direction: 'out' })).toEqual([])
  expect(denoms(swap, { token: 'uinit', direction: 'in' })).toEqual(['uinit'])
  expect(denoms(swap, { token: 'uinit' })).toEqual(['uinit', 'uinit'])
  expect(denoms(swap, { direction: 'out' })).toEqual(['uosmo'])
  // A fee alone moves no token, and a sentence chooses what changed nothing else.
  const failed = [change('ugas', '-1', 'FEE')]
  expect(denoms(failed, { token: 'ugas' })).toEqual([])
  expect(denoms(failed, { token: 'uinit' })).toEqual(['ugas'])
  // The other address is any that the sentence names, or the signer.
  expect(denoms(failed, { party: other })).toEqual(['ugas'])
  expect(denoms(failed, { party: 'init1me' })).toEqual(['ugas'])
  expect(denoms(failed, { party: 'init1other' })).toEqual([])
})
