import { expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../../src/testing.ts'

// Records that anybody can write: with several transfers in one transaction, and with too much to read.

const now = Date.UTC(2026, 9, 1, 12)

interface Event {
  readonly type: string
  readonly attributes: readonly { readonly key: string; readonly value: string }[]
}

const isSent = ({ type }: Event) => type === 'send_packet'

/** Changes the events of the newest transaction of galley-1 that sends a packet for the traveller, wherever it is listed. */
function change({ sandbox }: TestGateway, changed: (sent: Event, all: readonly Event[]) => readonly Event[]) {
  let newest: string | undefined
  sandbox.faults.set('galley-1', '/indexer/tx/v1/txs/by_account/', {
    kind: 'change',
    change(answer) {
      const page = structuredClone(answer)
      const { txs } = page as { txs: { txhash: string; events: readonly Event[] }[] }
      newest ??= txs.find(({ events }) => events.some(isSent))?.txhash
      for (const record of txs) {
        const sent = record.txhash === newest ? record.events.find(isSent) : undefined
        if (sent) record.events = changed(sent, record.events)
      }
      return page
    },
  })
}

const document = `query ($first: Int, $after: String, $last: Int, $before: String, $order: OrderDirection!) {
  account(address: "init18r8wax2mksax5qe49mfsle6269m35fnhfctxg5") {
    bridgeTransfers(first: $first, after: $after, last: $last, before: $before, order: $order, filter: { chainIds: ["galley-1"] }) {
      nodes { sequence departure { hash } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`

interface Page {
  readonly nodes: readonly { readonly sequence: number }[]
  readonly pageInfo: { readonly startCursor: string; readonly endCursor: string }
}

async function ask({ url }: TestGateway, variables: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: document, variables }),
  })
  return response.json()
}

const withSequence = ({ type, attributes }: Event, sequence: string): Event => ({
  type,
  attributes: attributes.map((each) => (each.key === 'packet_sequence' ? { ...each, value: sequence } : each)),
})

test('several transfers of one transaction are each on one page of one, from both sides', async () => {
  await using gateway = await startTestGateway({ date: now, gateway: { router: undefined } })
  change(gateway, (sent, all) => [...all, withSequence(sent, '901'), withSequence(sent, '902')])
  const { data } = await ask(gateway, { first: 8, order: 'DESC' })
  const whole: { sequence: number }[] = data.account.bridgeTransfers.nodes
  expect(whole.map(({ sequence }) => sequence)).toEqual(expect.arrayContaining([902, 901]))
  const forward: unknown[] = []
  let after: string | null = null
  while (forward.length < 8) {
    const page: Page = (await ask(gateway, { first: 1, after, order: 'DESC' })).data.account.bridgeTransfers
    forward.push(...page.nodes)
    after = page.pageInfo.endCursor
  }
  expect(forward).toEqual(whole)
  const backward: unknown[] = []
  let before: string | null = after
  while (backward.length < 7) {
    const page: Page = (await ask(gateway, { last: 1, before, order: 'DESC' })).data.account.bridgeTransfers
    backward.unshift(...page.nodes)
    before = page.pageInfo.startCursor
  }
  expect(backward).toEqual(whole.slice(0, 7))
})

test('a transaction with too much to read is an error of its own row', async () => {
  await using gateway = await startTestGateway({ date: now, gateway: { router: undefined } })
  const small = { type: 'x', attributes: [{ key: 'msg_index', value: '0' }] }
  change(gateway, (_, all) => [...all, ...Array.from({ length: 20_001 }, () => small)])
  const { data, errors } = await ask(gateway, { first: 8, order: 'DESC' })
  const { nodes } = data.account.bridgeTransfers
  expect(nodes.filter((node: unknown) => node === null)).toHaveLength(1)
  expect(nodes).toHaveLength(8)
  expect(errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX', reason: 'RECORD_TOO_LARGE' } }])
})
