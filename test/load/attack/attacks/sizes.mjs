// Records with long lists inside, on a chain of each virtual machine.
import { accountOf, kindNames } from '../records.mjs'

/** A record beyond every limit, one that is as long as allowed, and pages of honest sizes. */
const shapes = [
  { transactions: 1, rows: 15_000 },
  { transactions: 1, rows: 4_000 },
  { transactions: 20, rows: 1_000 },
  { transactions: 100, rows: 60 },
  { transactions: 1, rows: 1 },
]

/** A body of an indexer may have so many bytes, by default. */
const maxBytes = 16 * 2 ** 20

/** What wallets and explorers select of a transaction, a document each. */
const selections = [
  'balanceChanges { amount denom account { address } asset { symbol } usdValue }',
  `balanceChanges(address: "${accountOf(3)}") { amount denom isOwnerKnown messageIndex }`,
  'coinTransfers { coins { amount denom asset { symbol } } sender { address } recipient { address } }',
  'actions { title summary amounts { amount denom } counterparty { address } }',
  'tokenTransfers { amount denom from { address } to { address } contract { address } }',
  'events { type attributes { key value } }',
  'messages { typeUrl body } signers { sequence }',
  'fee { amount { amount denom asset { symbol } } } isSuccessful',
]
const ofReceipts = ['tokenTransfers { amount tokenId from { address } }', 'logs { account { address } topics }']

const documents = (chainId) => [
  ...selections.map(
    (fields) => `{ chain(chainId: "${chainId}") { transactions(first: 100) { nodes { hash ${fields} } } } }`,
  ),
  ...(chainId === 'galley-1'
    ? ofReceipts.map(
        (fields) => `{ chain(chainId: "${chainId}") { evmTransactions(first: 100) { nodes { hash ${fields} } } } }`,
      )
    : []),
]

export const sizeAttacks = kindNames.map((kind) => ({
  name: `sizes: ${kind}`,
  isDocument: true,
  async run({ send, upstreams, times }) {
    const codes = new Set()
    const failures = new Set()
    for (const shape of shapes.slice(0, times(shapes.length))) {
      for (const chainId of ['harbor-1', 'galley-1', 'lantern-1']) {
        const bytes = await upstreams.ask('serveRecords', { chainId, kind, ...shape })
        for (const query of bytes > maxBytes ? [] : documents(chainId)) {
          const answer = await send({ query })
          for (const code of answer.codes) codes.add(code)
          // The rows are paid for, so that the client has to wait in the end.
          if (![200, 429].includes(answer.status)) failures.add(`status ${answer.status}`)
        }
      }
    }
    await upstreams.ask('serveRecords', undefined)
    return { note: [...codes].join(' ') || 'ok', failures: [...failures] }
  },
}))
