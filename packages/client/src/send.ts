import type { Client } from './client.ts'
import {
  hook,
  type PrepareQuery,
  prepare,
  type SignedOpHookInput,
  type WatchTransferSubscription,
  watchTransfer,
} from './operations/generated/operations.ts'
import { PortolanError } from './portolanError.ts'
import { type FailedStep, SendError, type SentTransaction } from './send/sendError.ts'
import {
  type Approval,
  approvalCall,
  type CosmosMessage,
  type CosmosTransaction,
  type EvmTransaction,
  type Hex,
  type RouteTransaction,
  readTransaction,
} from './send/transaction.ts'

export type {
  Approval,
  CosmosMessage,
  CosmosTransaction,
  EvmTransaction,
  FailedStep,
  Hex,
  RouteTransaction,
  SentTransaction,
}
export { SendError }

/** What `sendRoute` needs of a quote. The answer to `quote` has all of it. */
export interface QuotedRoute {
  readonly routeToken: string | null
  readonly requiresOpHook: boolean
  /** By the clock of this device, nothing is signed after it. Without it, only the router says when a quote has expired. */
  readonly expiresAt?: string | null | undefined
}

/** The messages of a hook: a transaction that a rollup executes on arrival. */
export interface Hook {
  readonly chainId: string
  readonly messages: readonly CosmosMessage[]
}

/** What a wallet does. It keeps its keys: it gets what is to be signed, and returns what came of it. */
export interface Signers {
  /** Signs and broadcasts a Cosmos transaction. Resolves to its hash as soon as a node has accepted it. */
  readonly cosmos?: ((chainId: string, transaction: CosmosTransaction) => Promise<string>) | undefined
  /** Signs and broadcasts an EVM transaction, which can be an approval. Resolves to its hash as soon as a node has it. */
  readonly evm?: ((chainId: string, transaction: EvmTransaction) => Promise<string>) | undefined
  /** Waits until an EVM chain has executed an approval. Rejects if that failed. */
  readonly receipt?: ((chainId: string, hash: string) => Promise<unknown>) | undefined
  /** What the spender of an approval may spend now. An approval that it covers is left out. Default: none is. */
  readonly allowance?: ((chainId: string, approval: Approval, owner: string | null) => Promise<bigint>) | undefined
  /** Signs a hook without a fee, and broadcasts nothing. */
  readonly hook?: ((chainId: string, hook: Hook) => Promise<SignedOpHookInput>) | undefined
}

/** What is sent, and who signs it. */
export interface SendOptions {
  readonly route: QuotedRoute
  /** An address for each of `requiredAddresses` of the route, in order. The last one is the recipient. */
  readonly addresses: readonly string[]
  readonly signers: Signers
  /** Most slippage of swaps, in percent. Default: 0.5. */
  readonly slippage?: string | undefined
  /** Stops before the next signature, or ends the watch. It cannot call back what was sent. */
  readonly signal?: AbortSignal | undefined
}

/** What `sendRoute` does. Each step but `sent`, `state` and `done` comes before what it names. */
export type SendStep =
  /** The recipient is asked to sign the hook. */
  | ({ readonly kind: 'hook' } & Hook)
  /** All that will be signed. Nothing is yet: leave the loop to stop here, for example because of the warning. */
  | {
      readonly kind: 'prepare'
      readonly transactions: readonly RouteTransaction[]
      readonly minAmountOut: string | null
      readonly formattedMinAmountOut: string | null
      readonly warning: NonNullable<PrepareQuery['transferMessages']>['warning']
    }
  /** The wallet is asked for an approval of a token. */
  | { readonly kind: 'approve'; readonly chainId: string; readonly approval: Approval }
  /** The wallet is asked for a transaction of the route. `index` counts from 0. */
  | { readonly kind: 'sign'; readonly index: number; readonly transaction: RouteTransaction }
  /** A transaction was broadcast. */
  | { readonly kind: 'sent'; readonly transaction: SentTransaction }
  /** The state of the transfer that a transaction of the route began. */
  | { readonly kind: 'state'; readonly index: number; readonly transfer: WatchTransferSubscription['transfer'] }
  /** The asset has arrived. `sent` has all transactions. */
  | { readonly kind: 'done'; readonly sent: readonly SentTransaction[] }

type Steps<Result = void> = AsyncGenerator<SendStep, Result, undefined>

/**
 * Sends a quoted route: asks for its transactions, has the wallet sign and broadcast each, with the approvals that it needs, and
 * watches it until it has arrived, before the next one. The loop that reads the steps drives it: nothing happens between two steps
 * until the next one is asked for.
 * @throws SendError, which says what failed and what was sent before.
 */
export async function* sendRoute(client: Client, options: SendOptions): Steps {
  const send: Send = { ...options, client, sent: [] }
  const signedOpHook = options.route.requiresOpHook ? yield* signHook(send) : undefined
  const { transactions, ...messages } = await askMessages(send, signedOpHook)
  yield { kind: 'prepare', transactions, ...messages }
  for (const [index, transaction] of transactions.entries()) {
    const place = `transaction ${index + 1} of ${transactions.length} on ${transaction.chainId}`
    if (transaction.kind === 'evm') yield* approve(send, transaction)
    yield { kind: 'sign', index, transaction }
    const { chainId } = transaction
    const broadcast = () =>
      transaction.kind === 'evm'
        ? signerOf(send, 'evm')(chainId, callOf(transaction))
        : signerOf(send, 'cosmos')(chainId, transaction)
    const hash = await attempt(send, 'sign', `The wallet has not sent ${place}`, async () => hashOf(await broadcast()))
    yield keep(send, { kind: 'transfer', chainId, hash })
    yield* watch(send, { index, chainId, hash, place })
  }
  yield { kind: 'done', sent: send.sent }
}

/** A route that is being sent. */
interface Send extends SendOptions {
  readonly client: Client
  /** What was broadcast. It grows. */
  readonly sent: SentTransaction[]
}

async function* signHook(send: Send): Steps<SignedOpHookInput> {
  const { client, addresses, signal } = send
  const opHook = await attempt(send, 'hook', 'The router gave no hook', async () => {
    signerOf(send, 'hook')
    const [sourceAddress = '', destinationAddress = ''] = [addresses[0], addresses.at(-1)]
    const data = await hook(client, { routeToken: tokenOf(send), sourceAddress, destinationAddress }, { signal })
    if (!data.opHook) throw new PortolanError('HTTP', 'The route has none.')
    return data.opHook
  })
  yield { kind: 'hook', ...opHook }
  const what = `The wallet has not signed the hook on ${opHook.chainId}`
  return attempt(send, 'hook', what, () => signerOf(send, 'hook')(opHook.chainId, opHook))
}

/** The transactions of the route, of which each has its signer. */
const askMessages = (send: Send, signedOpHook: SignedOpHookInput | undefined) =>
  attempt(send, 'prepare', 'The route has no transactions', async () => {
    const { client, addresses, slippage = '0.5', signal } = send
    const asked = { routeToken: tokenOf(send), addresses, slippage, ...(signedOpHook && { signedOpHook }) }
    const { transferMessages } = await prepare(client, asked, { signal })
    if (!transferMessages?.transactions.length) throw new PortolanError('HTTP', 'The router gave none.')
    const transactions = transferMessages.transactions.map(readTransaction)
    for (const transaction of transactions) {
      signerOf(send, transaction.kind)
      if (transaction.kind === 'evm' && transaction.approvals.length > 0) signerOf(send, 'receipt')
    }
    return { ...transferMessages, transactions }
  })

/** Gives the approvals of a call that are not given yet, in order, and waits for each. */
async function* approve(send: Send, transaction: Extract<RouteTransaction, { kind: 'evm' }>): Steps {
  const { chainId, signer, approvals } = transaction
  for (const approval of approvals) {
    const place = `the approval of ${approval.tokenContract} on ${chainId}`
    const allowance = await attempt(send, 'approve', `Nothing is known of ${place}`, async () =>
      send.signers.allowance?.(chainId, approval, signer),
    )
    if (allowance !== undefined && allowance >= approval.amount) continue
    yield { kind: 'approve', chainId, approval }
    const hash = await attempt(send, 'approve', `The wallet has not sent ${place}`, async () =>
      hashOf(await signerOf(send, 'evm')(chainId, approvalCall(transaction, approval))),
    )
    yield keep(send, { kind: 'approval', chainId, hash })
    const what = `The chain has not executed ${place}`
    await attempt(send, 'approve', what, () => signerOf(send, 'receipt')(chainId, hash))
  }
}

/** Watches the transfer of a transaction until it has arrived. */
async function* watch(
  send: Send,
  { index, chainId, hash, place }: { index: number; chainId: string; hash: string; place: string },
): Steps {
  const what = `The transfer of ${place} has not arrived`
  const live = watchTransfer(send.client, { chainId, hash }, { signal: send.signal })
  let transfer: WatchTransferSubscription['transfer'] | undefined
  try {
    for (;;) {
      const { value: event } = await attempt(send, 'state', what, () => live.next())
      if (!event) break
      if (event.kind !== 'data') continue
      transfer = event.data.transfer
      yield { kind: 'state', index, transfer }
    }
  } finally {
    await live.return()
  }
  await attempt(send, 'state', what, () => {
    if (transfer?.outcome === 'SUCCEEDED') return
    const code = transfer?.outcome === 'FAILED' ? 'TRANSFER_FAILED' : 'TRANSFER_UNKNOWN'
    const state = transfer?.state ?? 'unknown'
    throw new PortolanError(code, `Its last state is ${state}.`, { partialData: { transfer } })
  })
}

/** Does a part of a step, unless the signal has aborted. What is thrown becomes the error of the step. */
async function attempt<Result>(
  { sent, signal, route }: Send,
  step: FailedStep,
  what: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    if (signal?.aborted) throw signal.reason
    if (sent.length === 0) checkFresh(route)
    return await work()
  } catch (cause) {
    throw new SendError(step, what, cause, sent, signal?.aborted === true)
  }
}

/** A route that has begun is carried on: only the router can say that it is too late for the rest. */
function checkFresh({ expiresAt }: QuotedRoute): void {
  if (expiresAt != null && Date.parse(expiresAt) <= Date.now()) {
    throw new PortolanError('QUOTE_EXPIRED', 'The quote has expired. Query the route again.')
  }
}

function tokenOf({ route: { routeToken } }: Send): string {
  if (routeToken === null) throw new PortolanError('HTTP', 'The route has no token.')
  return routeToken
}

function signerOf<Name extends keyof Signers>({ signers }: Send, name: Name): NonNullable<Signers[Name]> {
  const signer = signers[name]
  if (!signer) throw new PortolanError('NO_SIGNER', `The route needs the signer \`${name}\`.`)
  return signer
}

const callOf = ({ approvals: _, ...call }: Extract<RouteTransaction, { kind: 'evm' }>): EvmTransaction => call

function hashOf(hash: unknown): string {
  if (typeof hash !== 'string' || hash === '') throw new TypeError('The signer has returned no hash.')
  return hash
}

/** Keeps what was broadcast before anybody can lose it. */
function keep({ sent }: Send, transaction: SentTransaction): SendStep {
  sent.push(transaction)
  return { kind: 'sent', transaction }
}
