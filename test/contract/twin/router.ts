import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from './records.ts'

// A router that knows only the contract: it knows nothing of a transaction before it is tracked, and follows it then to its
// end. What it says of one that is not tracked is not in the contract, so it is what a test chooses.

type Reply = readonly [status: number, body: Json | '']

const hop = { ibc_transfer: { from_chain_id: 'twin-1', to_chain_id: 'twin-2', state: 'TRANSFER_PENDING' } }

/** What a router could say of a transaction that it does not track. */
export const untrackedReplies: Readonly<Record<string, Reply>> = {
  404: [404, { fault: 'none' }],
  400: [400, { fault: 'not tracked' }],
  500: [500, { fault: 'internal' }],
  'an empty object': [200, {}],
  'nothing at all': [200, ''],
  'an unknown state': [200, { state: 'STATE_ASTRAY' }],
  'STATE_SUBMITTED without hops': [200, { state: 'STATE_SUBMITTED' }],
  'STATE_SUBMITTED with no transfers': [200, { state: 'STATE_SUBMITTED', transfers: [] }],
  'STATE_SUBMITTED with hops': [200, { state: 'STATE_SUBMITTED', transfer_sequence: [hop] }],
  STATE_UNKNOWN: [200, { state: 'STATE_UNKNOWN' }],
  'STATE_UNKNOWN with hops': [200, { state: 'STATE_UNKNOWN', transfer_sequence: [hop] }],
}

export interface RouterChoices {
  readonly untracked: keyof typeof untrackedReplies
  /** What the first requests to track a transaction are answered. The one after them is taken. */
  readonly trackingFaults: readonly Reply[]
  /** How often the status of a tracked transaction is answered as if it were not tracked. */
  readonly slowPolls: number
  /** What a tracked transaction goes through, a state for each status after that. The last one stays. */
  readonly states: readonly string[]
}

export const plainRouter: RouterChoices = {
  untracked: '404',
  trackingFaults: [],
  slowPolls: 0,
  states: ['STATE_PENDING', 'STATE_PENDING', 'STATE_COMPLETED'],
}

/** Starts the router on a free port of loopback. */
export async function startTwinRouter(choices: RouterChoices) {
  const requests: string[] = []
  /** How often the status of each tracked transaction was read. */
  const tracked = new Map<string, number>()
  const faults = [...choices.trackingFaults]
  const keyOf = (chainId: unknown, hash: unknown) => `${chainId} ${String(hash).toLowerCase().replace(/^0x/, '')}`

  function respond(method: string, url: URL, body: string): Reply {
    const given = body === '' ? {} : JSON.parse(body)
    switch (`${method} ${url.pathname}`) {
      case 'POST /v2/tx/track': {
        const fault = faults.shift()
        if (fault) return fault
        const key = keyOf(given.chain_id, given.tx_hash)
        tracked.set(key, tracked.get(key) ?? 0)
        return [200, {}]
      }
      case 'GET /v2/tx/status': {
        const key = keyOf(url.searchParams.get('chain_id'), url.searchParams.get('tx_hash'))
        const reads = tracked.get(key)
        const untracked = untrackedReplies[choices.untracked] ?? [404, '']
        if (reads === undefined) return untracked
        tracked.set(key, reads + 1)
        if (reads < choices.slowPolls) return untracked
        const state = choices.states[reads - choices.slowPolls] ?? choices.states.at(-1) ?? ''
        const hopState = state === 'STATE_COMPLETED' ? 'TRANSFER_SUCCESS' : 'TRANSFER_PENDING'
        return [200, { state, transfer_sequence: [{ ibc_transfer: { ...hop.ibc_transfer, state: hopState } }] }]
      }
      case 'POST /v2/fungible/route':
        return [200, { amount_out: '99', operations: [{ transfer: { port: 'transfer' } }], required_op_hook: true }]
      case 'POST /op-hook':
        // The contract shows no field of it, so it is the one of the router that exists.
        return [200, { chain_id: 'twin-2', hook: [{ msg_type_url: '/twin.Hook', msg: '{}' }] }]
      case 'POST /v2/fungible/msgs':
        return [200, { msgs: [{ multi_chain_msg: { chain_id: 'twin-1', msg: '{}', msg_type_url: '/twin.Msg' } }] }]
    }
    return [404, { fault: 'no such route' }]
  }

  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://router')
      requests.push(`${request.method} ${url.pathname}`)
      const [status, answer] = respond(request.method ?? '', url, body)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(answer === '' ? '' : JSON.stringify(answer))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
