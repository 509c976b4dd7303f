import fc from 'fast-check'
import { createClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { transferSource, transferTable } from '../../../apps/export/src/subjects/transfers.ts'
import { bridgeTransferFragments, bridgeTransferOf } from '../../../packages/mcp/src/tools/bridgeTransfer.ts'
import { type NodeTransaction, tellTransaction } from '../../../packages/words/src/words.ts'
import { type Bundle, bundle, expectedOf, played } from '../../support/bundledStories.ts'
import { type Network, openNetwork, play, user } from '../../support/storyNetwork.ts'
import type { Data } from '../../support/world.ts'

// One story through every door: the graph from each transaction and from the list of an account, a subscription, the words, the
// tools for agents, and the export. It is told from what is known to be true of it.

const ofTransfer = `sequence state summary departure { amount address } arrival { amount denom hash } refund { amount denom hash }`

interface Told {
  readonly sequence: number
  readonly state: string
  readonly sent: string | null
  readonly arrived: string | null
  readonly refunded: string | null | undefined
}
const inOrder = (all: readonly Told[]) => all.toSorted((a, b) => a.sequence - b.sequence)

const toldBy = ({ sequence, state, departure, arrival, refund }: Data): Told => ({
  ...{ sequence, state, sent: departure.amount, arrived: arrival.amount },
  refunded: refund ? refund.amount : undefined,
})

async function byTransaction({ ask }: Network, { chainId, hash }: { chainId: string; hash: string }): Promise<Data> {
  const { chain } = await ask(
    `{ chain(chainId: "${chainId}") { transaction(hash: "${hash}") { ... on Transaction {
      bridgeTransfers { ${ofTransfer} } actions { kind bridgeTransfer { sequence } amounts { amount } }
      balanceChanges(address: "${user}") { kind denom amount } } } } }`,
  )
  return chain.transaction
}

/** What the words say that the account got, from the record as a node has it. */
async function gotByWords({ chains }: Network, { chainId, hash }: { chainId: string; hash: string }) {
  const response = await fetch(`${chains.urlOf(chainId)}/indexer/tx/v1/txs/${hash}`)
  const { tx: record } = (await response.json()) as { tx: Data }
  const { actions } = tellTransaction({ tx: record.tx, tx_response: record as NodeTransaction['tx_response'] })
  return actions
    .filter(({ kind, isSuccessful }) => (kind === 'BRIDGE_IN' || kind === 'BRIDGE_REFUND') && isSuccessful)
    .map(({ amounts = [], summary }) => {
      for (const { amount } of amounts) expect(summary).toContain(String(amount))
      return amounts.map(({ amount }) => String(amount)).join()
    })
}

async function byExport({ ask }: Network): Promise<Told[]> {
  const source = transferSource(user, {})
  const page = source.pageIn(await ask(source.document, source.variablesAt({ first: 50, after: undefined })))
  const { account } = await ask(`{ account(address: "${user}") { hexAddress } }`)
  const table = transferTable(account.hexAddress)
  const at = (name: string) => table.columns.findIndex((column) => column.name === name)
  return (page?.edges ?? []).map((edge) => {
    const [row] = table.rowsOf(edge, { lists: {}, notes: {} })
    const text = (name: string) => (row?.[at(name)] ?? null) as string | null
    return {
      ...{ sequence: Number(text('transfer_id')?.split('/').at(-1)), state: String(text('state')) },
      sent: text('sent')?.replace('-', '') ?? null,
      ...{ arrived: text('arrived'), refunded: text('refunded') },
    }
  })
}

/** The last that a subscription says of the only movement. */
async function bySubscription({ url }: Network, hash: string): Promise<Data> {
  const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket })
  let last: Data
  const query = `subscription { transfer(chainId: "roll-1", hash: "${hash}", track: false) {
    isTerminal outcome received { amount } hops { amountOut bridgeTransfer { ${ofTransfer} } } } }`
  for await (const { data, errors } of client.iterate<Data>({ query })) {
    expect(errors).toBeUndefined()
    last = data?.transfer
  }
  await client.dispose()
  return last
}

async function tellThroughAll(network: Network, all: Bundle) {
  const transactions = play(network.chains, played(all))
  const expected = all.plans.map((_, nth) => expectedOf(all, nth))
  const { account } = await network.ask(
    `${bridgeTransferFragments} { account(address: "${user}") { bridgeTransfers(first: 50) { nodes { ${ofTransfer} ...movement } } } }`,
  )
  const { nodes } = account.bridgeTransfers
  const listed = inOrder(nodes.map(toldBy))
  expect(listed).toEqual(expected)

  for (const transaction of transactions) {
    const { bridgeTransfers, balanceChanges, actions } = await byTransaction(network, transaction)
    for (const each of bridgeTransfers) expect(expected).toContainEqual(toldBy(each))
    // What the ends in a transaction gave is what its balance changes say.
    const ends = bridgeTransfers.flatMap(({ state, arrival, refund }: Data) =>
      [state === 'ARRIVED' ? arrival : null, refund].filter((end) => end?.hash === transaction.hash),
    )
    if (ends.length > 0 && ends.every(({ amount }: Data) => amount !== null)) {
      const gained = balanceChanges.filter(({ kind }: Data) => kind === 'COIN')
      const sum = ends.reduce((total: bigint, { amount }: Data) => total + BigInt(amount), 0n)
      expect(gained).toEqual([{ kind: 'COIN', denom: ends[0].denom, amount: String(sum) }])
    }
    // Words name the amount where they know the message of each packet.
    const own = ends.map(({ amount }: Data) => amount).toSorted()
    const words = await gotByWords(network, transaction)
    if (words.length > 0) expect(words.toSorted()).toEqual(own)
    const linked = actions.filter(({ bridgeTransfer }: Data) => bridgeTransfer)
    for (const { amounts, kind, bridgeTransfer } of linked.filter(({ kind: k }: Data) => k === 'BRIDGE_IN')) {
      const of = expected.find(({ sequence }) => sequence === bridgeTransfer.sequence)
      expect([kind, of?.state === 'ARRIVED' ? amounts[0]?.amount : null]).toEqual([
        'BRIDGE_IN',
        of?.state === 'ARRIVED' ? of.arrived : null,
      ])
    }
  }

  for (const node of nodes) {
    const { state, summary, arrival } = bridgeTransferOf(node)
    const of = expected.find(({ sequence }) => sequence === node.sequence)
    expect([state, arrival.amount]).toEqual([of?.state, expect.stringContaining(String(of?.arrived))])
    // A sentence that names what was sent names what arrived too, if that is less.
    expect(summary).toContain(`${of?.sent} base units`)
    if (state === 'ARRIVED' && of?.sent !== of?.arrived) expect(summary).toContain(`as ${of?.arrived} base units`)
  }

  const exported = inOrder(await byExport(network))
  expect(exported).toEqual(
    expected.map((of) => ({
      ...of,
      arrived: of.state === 'ARRIVED' ? of.arrived : null,
      refunded: of.refunded ?? null,
    })),
  )

  const [only, ...others] = expected
  if (!only || others.length > 0 || !['ARRIVED', 'REFUNDED', 'TIMED_OUT'].includes(only.state)) return
  const last = await bySubscription(network, transactions[0]?.hash ?? '')
  expect(toldBy(last.hops[0].bridgeTransfer)).toEqual(only)
  expect(last).toMatchObject({ isTerminal: true, outcome: only.state === 'ARRIVED' ? 'SUCCEEDED' : 'FAILED' })
  if (only.state === 'ARRIVED') {
    expect([last.received.amount, last.hops[0].amountOut]).toEqual([only.arrived, only.arrived])
  }
}

test('each door tells the same of each packet, however its steps were put into transactions', async () => {
  await fc.assert(
    fc.asyncProperty(bundle, async (all) => {
      await using network = await openNetwork()
      await tellThroughAll(network, all)
    }),
    { numRuns: 40 },
  )
})
