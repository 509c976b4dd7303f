import { addressHex } from './addresses.ts'
import { assetKey } from './assets.ts'
import { type Hop, minimumOut } from './calls.ts'
import { operationKeyOf, quote } from './edges.ts'
import { fieldReader, isJsonObject, type JsonObject, parseJsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'
import { groupSteps } from './operations.ts'
import { readAssetNames, resolveAssets } from './quote.ts'
import { needsHook, quoteTerms, relayFees, requiredChains } from './quoteRoute.ts'
import { bodyOf, isSigned } from './quoteSignature.ts'
import { invalidArgument, validationError } from './replyError.ts'
import type { PathStep } from './search.ts'
import { bankSend, buildTransaction, type Transaction } from './transactions.ts'

/** The reply to POST /v2/fungible/msgs: the transactions of a quoted route, ready to sign. */
export function messagesReply(network: Network, seed: string, now: number, text: string): JsonObject {
  const body = parseJsonObject(text)
  const fields = fieldReader(body)
  const amountIn = fields.amount('amount_in')
  const amountOut = fields.amount('amount_out')
  const names = readAssetNames(fields)
  const addresses = fields.list('address_list').filter((item) => typeof item === 'string')
  const operations = fields.list('operations').filter(isJsonObject)
  const slippage = readSlippage(fields.text('slippage_tolerance_percent'))
  const timeout = fields.has('timeout_seconds') ? fields.amount('timeout_seconds') : 300n
  fields.check()
  const { source, dest } = resolveAssets(network, names)
  const terms = quoteTerms({ source, dest, amountIn, amountOut })
  if (operations.length === 0 || !isSigned(seed, terms, operations)) {
    throw invalidArgument('operations do not match a quoted route')
  }
  refuseExpired(operations, now)
  const steps = stepsOf(network, operations)
  checkAddresses(network, requiredChains({ source, steps }), addresses)
  const hook = readHook(network, body, steps)
  const options = { slippage, hook, timeoutAt: now + Number(timeout) * 1000 }

  const hops = hopsOf(steps, addresses)
  const txs =
    steps.length === 0
      ? [bankSend(network, source, amountIn, addresses)]
      : transactionsOf(hops).map((txHops) => buildTransaction(network, txHops, options))
  const indices = groupSteps(steps).map(([first]) => first?.txIndex ?? 0)
  return {
    msgs: txs.map(olderForm),
    txs: txs.map((tx, index) => ({
      ...tx,
      operations_indices: steps.length === 0 ? [0] : indices.flatMap((at, place) => (at === index ? [place] : [])),
    })),
    min_amount_out: `${minimumOut(amountOut, options)}`,
    estimated_fees: relayFees(steps),
    warning: null,
  }
}

/** A percentage in millionths. */
function readSlippage(text: string): bigint {
  const percent = Number(text)
  if (text === '') return 0n
  if (!/^\d{1,3}(\.\d+)?$/.test(text) || percent > 100) {
    throw validationError(['slippage_tolerance_percent must be a number string between 0 and 100'])
  }
  return BigInt(Math.round(percent * 10_000))
}

function refuseExpired(operations: readonly JsonObject[], now: number): void {
  for (const operation of operations) {
    const relay = bodyOf(operation)?.[1].smart_relay_fee_quote
    if (isJsonObject(relay) && Date.parse(`${relay.expiration}`) < now) {
      throw invalidArgument('smart relay fee quote has expired')
    }
  }
}

function checkAddresses(network: Network, required: readonly string[], addresses: readonly string[]): void {
  if (addresses.length !== required.length) {
    throw invalidArgument(`address_list must have ${required.length} addresses: ${required.join()}`)
  }
  for (const [index, chainId] of required.entries()) {
    const chain = network.chains.get(chainId)
    if (chain === undefined || addressHex(chain, addresses[index] ?? '') === undefined) {
      throw invalidArgument(`invalid address for chain ${chainId}: ${addresses[index]}`)
    }
  }
}

/** The signed hook in base64. Empty on routes that need none. */
function readHook(network: Network, body: JsonObject, steps: readonly PathStep[]): string {
  const step = steps.find(needsHook)
  if (step === undefined) return ''
  const signed = body.signed_op_hook
  if (signed === undefined || signed === null) throw invalidArgument('signed_op_hook is required')
  const chain = network.chains.get(step.edge.to.chainId)
  if (
    !isJsonObject(signed) ||
    chain === undefined ||
    typeof signed.signer !== 'string' ||
    typeof signed.hook !== 'string' ||
    addressHex(chain, signed.signer) === undefined ||
    !/^[A-Za-z0-9+/]+={0,2}$/.test(signed.hook)
  ) {
    throw invalidArgument('invalid signed_op_hook')
  }
  return signed.hook
}

/** The steps of signed operations, found by the assets and pools that the operations name. */
function stepsOf(network: Network, operations: readonly JsonObject[]): readonly PathStep[] {
  return operations.flatMap((operation) => {
    const [kind, inner] = bodyOf(operation) ?? []
    if (kind === undefined || inner === undefined || kind === 'bank_send') return []
    const chainId = `${inner.from_chain_id}`
    const pairs = kind === 'swap' ? poolsOf(inner) : [inner]
    let amount = BigInt(`${operation.amount_in}`)
    return pairs.map((pair) => {
      const edge = network.edgesFrom
        .get(assetKey(chainId, `${pair.denom_in}`))
        ?.find(
          (each) =>
            operationKeyOf(each) === kind &&
            each.to.denom === pair.denom_out &&
            each.to.chainId === (inner.to_chain_id ?? chainId) &&
            (pair.pool === undefined || ('pool' in each.via && each.via.pool === pair.pool)),
        )
      if (edge === undefined) throw invalidArgument('operations are no longer possible')
      const amountIn = amount
      amount = quote(edge, amountIn)
      return { edge, amountIn, amountOut: amount, txIndex: Number(operation.tx_index) }
    })
  })
}

function poolsOf(swap: JsonObject): readonly JsonObject[] {
  const how = [swap.swap_in, swap.swap_out, swap.smart_swap_in].find(isJsonObject)
  const split = Array.isArray(how?.swap_routes) ? how.swap_routes.find(isJsonObject) : undefined
  const pools = (split ?? how)?.swap_operations
  return Array.isArray(pools) ? pools.filter(isJsonObject) : []
}

/** The steps with the sender and receiver of each. */
function hopsOf(steps: readonly PathStep[], addresses: readonly string[]): readonly Hop[] {
  let index = 0
  return steps.map((step) => {
    const sender = addresses[index] ?? ''
    if (step.edge.from.chainId !== step.edge.to.chainId) index++
    return { ...step, sender, receiver: addresses[index] ?? '' }
  })
}

function transactionsOf(hops: readonly Hop[]): readonly (readonly Hop[])[] {
  const count = 1 + Math.max(...hops.map((hop) => hop.txIndex), 0)
  return Array.from({ length: count }, (_, index) => hops.filter((hop) => hop.txIndex === index))
}

/** The transaction in the older form, which the `msgs` field keeps for older clients. */
function olderForm(tx: Transaction): JsonObject {
  if ('evm_tx' in tx) return tx
  const { chain_id, path, msgs } = tx.cosmos_tx
  return { multi_chain_msg: { chain_id, path, ...msgs[0] } }
}
