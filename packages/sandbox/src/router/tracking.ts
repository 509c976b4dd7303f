import type { Reply } from '../http.ts'
import type { ChainTransactions } from './chainTransactions.ts'
import { fieldReader, parseJsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'
import type { RecordedTransactions } from './recordedTransfer.ts'
import { invalidArgument, rpcError, validationError } from './replyError.ts'
import { type ScenarioName, scenarioOf } from './scenarios.ts'
import { abandonedAfterMs, hasEnded, statusBody, statusReply, type TrackedTransfer } from './status.ts'

/** The transactions that the router tracks. */
export interface Tracking {
  /** POST /v2/tx/track and retry_track. The reply is the same for a new, a known and an abandoned transaction. */
  track(body: string): Reply
  /** GET /v2/tx/status. */
  status(query: URLSearchParams): Reply
}

/** Attempts to track that fail in the scenario `lateToTrack`. */
const lateAttempts = 2
/** How long the status fails in scenarios with a fault, in milliseconds. */
const faultDuration = 4_000
/** Milliseconds without a request for its status after which nobody watches a transfer: gateways ask more often. */
const unwatchedAfterMs = 8_000
/** The maximum number of tracked transactions. The oldest are removed. */
const maxTracked = 10_000

/** Starts with no transactions. */
export function createTracking(
  network: Network,
  transactions: ChainTransactions,
  recorded: RecordedTransactions,
  clock: () => number,
  isRestartable: boolean,
): Tracking {
  const tracked = new Map<string, TrackedTransfer>()
  const attempts = new Map<string, number>()

  /** The transfer of a key for a request to track it. Undefined if it has ended or nobody watches it, so that it begins again. */
  const findToTrack = (key: string): TrackedTransfer | undefined => {
    const known = tracked.get(key)
    if (!known || !isRestartable || isAbandoned(known, clock())) return known
    const isWatched = clock() < (known.askedAt ?? known.trackedAt) + unwatchedAfterMs
    if (isWatched && !hasEnded(network, known, clock())) return known
    tracked.delete(key)
    attempts.delete(key)
    return undefined
  }

  /** Tracks a hash that no sandbox chain has. */
  const trackScenario = (key: string, begun: TrackedTransfer) => {
    const known = findToTrack(key)
    const attempt = (attempts.get(key) ?? 0) + 1
    if (known === undefined && scenarioOf(begun.hash).name === 'lateToTrack') {
      attempts.set(key, attempt)
      if (attempt <= lateAttempts) throw notFound()
    }
    if (known === undefined) tracked.set(key, begun)
    else if (isAbandoned(known, clock())) tracked.set(key, { ...known, revivedAt: clock() })
  }

  return {
    track(body) {
      const fields = fieldReader(parseJsonObject(body))
      const txHash = fields.text('tx_hash')
      const chainId = fields.text('chain_id')
      fields.check()
      const hash = readHash(network, txHash, chainId)
      const key = `${chainId}/${hash}`
      const record = recorded(chainId, hash)
      if (record?.hasFailed) throw invalidArgument('tx is invalid on chain')
      if (record?.transfers.length === 0) throw notFound()
      if (record) tracked.set(key, { chainId, hash, trackedAt: clock() })
      else trackScenario(key, { chainId, hash, trackedAt: clock() })
      for (const oldest of tracked.keys()) {
        if (tracked.size <= maxTracked) break
        tracked.delete(oldest)
      }
      const explorer_link = transactions.link(chainId, hash)
      return { status: 200, json: { tx_hash: hash.toUpperCase(), explorer_link } }
    },

    status(query) {
      const missing = ['tx_hash', 'chain_id'].filter((name) => !query.get(name))
      if (missing.length > 0) throw validationError(missing.map((name) => `${name} should not be empty`))
      const chainId = query.get('chain_id') ?? ''
      const hash = readHash(network, query.get('tx_hash') ?? '', chainId)
      const key = `${chainId}/${hash}`
      const transaction = tracked.get(key)
      if (transaction === undefined) throw notFound()
      const record = recorded(chainId, hash)
      if (record) return { status: 200, json: statusBody(record.transfers) }
      const now = clock()
      const fault = faults[scenarioOf(hash).name]
      if (fault !== undefined && now < transaction.trackedAt + faultDuration) return fault
      tracked.set(key, { ...transaction, askedAt: now })
      return { status: 200, json: statusReply(network, transactions, transaction, now) }
    },
  }
}

const faults: Partial<Record<ScenarioName, Reply>> = {
  rateLimited: {
    status: 429,
    json: { code: 8, message: 'rate limit exceeded', details: [] },
    headers: { 'retry-after': '1' },
  },
  serverError: { status: 500, json: { code: 2, message: 'internal server error', details: [] } },
  plainText: { status: 502, text: 'Bad Gateway' },
  malformedJson: {
    status: 200,
    text: '{"transfers":[{"state":"STATE_PEND',
    headers: { 'content-type': 'application/json' },
  },
}

function isAbandoned({ hash, trackedAt, revivedAt }: TrackedTransfer, now: number): boolean {
  const abandons = scenarioOf(hash).name === 'abandoned' && revivedAt === undefined
  return abandons && now >= trackedAt + abandonedAfterMs
}

function readHash(network: Network, text: string, chainId: string): string {
  if (!network.chains.has(chainId)) throw rpcError(404, 5, 'chain ID not supported')
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1]
  if (digits === undefined) throw invalidArgument('invalid tx_hash')
  return digits.toLowerCase()
}

function notFound(): Error {
  return rpcError(404, 5, 'tx not found')
}
