import { describe, expect, test } from 'vitest'
import { csvOf } from '../../src/csv/csv.ts'
import { type ActivityPage, maxRows, readActivity } from '../../src/csv/readActivity.ts'
import { activityRows, transferRows } from '../../src/csv/rows.ts'

test('a file has a byte order mark and a line for each row, and its text runs in no spreadsheet', () => {
  expect(csvOf([['a', 'b'], [1], [null, '\0=1+1']])).toBe("\uFEFFa,b\r\n1\r\n,'\0=1+1\r\n")
})

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

const words = (text: string) => ({ kind: 'TEXT' as const, text, address: null, account: null })

test('activityRows has the whole addresses of all others, in the sentence and in a column', () => {
  const spelled = (hexAddress: string) => ({ address: hexAddress, hexAddress, bech32Address: null })
  const [me, other, collection] = ['0x11', '0x22', '0x33'].map((start) => start.padEnd(42, '7'))
  const validator = 'initvaloper1um6gn3cpf0v6k795ca2ytdw9tu7e9f2tf7slkw'
  const action = {
    ...{ actor: spelled(me ?? ''), executor: null, counterparty: spelled(other ?? ''), contract: null },
    ...{ validatorAddress: null, remoteAddress: null },
  }
  const named = (kind: 'ACCOUNT' | 'COLLECTION', text: string, address = '') =>
    ({ kind, text, address, account: { address } }) as const
  const rows = activityRows(
    {
      ...{ cursor: 'c', chain },
      node: {
        ...node,
        messages: [],
        actions: [
          {
            ...action,
            summaryParts: [
              ...[words('Sent NFT '), { ...words('71'), kind: 'NFT' as const }, words(' of ')],
              ...[named('COLLECTION', '0x337777…777777', collection), words(' to ')],
              named('ACCOUNT', '0x227777…777777', other),
            ],
          },
          {
            ...{ ...action, counterparty: null, validatorAddress: validator },
            summaryParts: [
              words('Delegated 5 X to '),
              { kind: 'VALIDATOR', text: 'Polaris', address: validator, account: null },
            ],
          },
        ],
      },
      balanceChanges: [],
    },
    me ?? '',
  )
  expect(rows[0]?.slice(5, 7)).toEqual([
    `Sent NFT 71 of ${collection} to ${other}; Delegated 5 X to Polaris (${validator})`,
    `${other}; ${validator}`,
  ])
})

test('activityRows has columns for received, sent and fee, with all digits', () => {
  const none = { actor: null, executor: null, counterparty: null, contract: null }
  const told = { summaryParts: [words('Sent')], validatorAddress: null, remoteAddress: null, ...none }
  const change = { tokenId: null, objectAddress: null, collection: null, asset: { symbol: 'X' } }
  const rows = activityRows(
    {
      ...{ cursor: 'c', chain },
      node: { ...node, messages: [{ typeUrl: '/x.MsgSend' }], actions: [told] },
      balanceChanges: [
        {
          ...change,
          kind: 'FEE',
          amount: '-5',
          denom: 'x',
          formattedAmount: '-0.000005',
          usdValue: '-1',
        },
        {
          ...{ ...change, kind: 'COIN', amount: '123456789012345678901234567890', denom: 'x' },
          ...{ formattedAmount: '123456789012.34567890123456789', usdValue: null },
        },
        { ...change, kind: 'COIN', amount: '-7', denom: 'y', formattedAmount: null, usdValue: null },
      ],
    },
    '0x01',
  )
  expect(rows.map((row) => row.slice(5).map((cell) => cell ?? ''))).toEqual([
    ['Sent', '', 'fee', '', '', '0.000005', 'X', 'x', '', '1', '5'],
    [
      ...['Sent', '', 'coin', '123456789012.34567890123456789', '', '', 'X', 'x', '', ''],
      '123456789012345678901234567890',
    ],
    ['Sent', '', 'coin', '', '', '', 'X', 'y', '', '', '7'],
  ])
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
  )
  expect(rows.map((row) => row.slice(5, 12))).toEqual([
    ['ERC20', 'init1me', 'init1other', '', '0.5', undefined, '0xab'],
    ['coin', 'init1me', 'init1me', '0.5', '0.5', undefined, 'x'],
  ])
})
