import { assetBody, assetKey, contractAddress, type RouterAsset } from '../assets.ts'
import { feeOf, usdText } from '../edges.ts'
import type { JsonObject } from '../jsonObject.ts'
import type { Network } from '../network.ts'
import type { HopSnapshot, QuotedTransfer, StuckTransactions } from './bridge.ts'

/** The fee for messaging, paid on top of the amount: about 0.4 USD in the fee token of the sending chain. */
export function messagingFee(
  network: Network,
  chainId: string,
): { readonly asset: RouterAsset; readonly amount: bigint } {
  const asset = network.assets.get(assetKey(chainId, network.chains.get(chainId)?.feeDenom ?? ''))
  if (asset === undefined) throw new RangeError(`no fee token on ${chainId}`)
  const micros = Math.round((0.4 / asset.token.usd) * 1e6)
  return { asset, amount: (BigInt(micros) * 10n ** BigInt(asset.decimals)) / 1_000_000n }
}

/** The fields of an operation that say what messaging costs. */
export function messagingBody({ network, step }: QuotedTransfer) {
  const { asset, amount } = messagingFee(network, step.edge.from.chainId)
  return {
    messaging_fee_asset: assetBody(asset),
    messaging_fee_amount: `${amount}`,
    messaging_fee_amount_usd: usdText(asset, amount),
  }
}

/** The fields of an operation that say what a relayer takes. */
export function relayBody({ step, expiresAt }: QuotedTransfer): JsonObject {
  const { from } = step.edge
  const fee = feeOf(step.edge, step.amountIn)
  if (fee === 0n) return { smart_relay: false }
  return {
    smart_relay: true,
    smart_relay_fee_quote: {
      fee_amount: `${fee}`,
      relayer_address: contractAddress('relayer', from.chainId),
      expiration: new Date(expiresAt).toISOString(),
      fee_denom: from.denom,
      fee_payment_address: contractAddress('relayer fees', from.chainId),
    },
  }
}

/** The names of a state in the first half, in the second half, and at the end. */
export type StateNames = readonly [string, string, string]

/** The name of the state at a time. */
export function stateName(progress: number, [first, second, last]: StateNames): string {
  if (progress < 0) return 'UNKNOWN'
  return progress < 0.5 ? first : progress < 1 ? second : last
}

/** The transactions at both ends of a hop. */
export function bothEnds({ progress, fails, sent, received }: HopSnapshot): JsonObject {
  return {
    send_tx: progress >= 0 ? sent() : null,
    receive_tx: progress >= 1 && !fails ? received() : null,
  }
}

/** The transaction with which a hop failed. */
export function errorOf({ progress, fails, received }: HopSnapshot): JsonObject | null {
  return progress >= 1 && fails ? received() : null
}

/** The body of most hops that stay in one state. */
export const stuckBothEnds = ({ sent, received, hasFailed }: StuckTransactions): JsonObject => ({
  txs: hasFailed ? { send_tx: sent, receive_tx: null, error_tx: received } : { send_tx: sent, receive_tx: received },
})

/** A state in which a delivery failed on the destination chain. */
export const stuckFailure = { state: 'STATE_COMPLETED_ERROR', isReceived: true } as const

/** How most hops end. */
export const outcomeOf = ({ fails }: HopSnapshot): string => (fails ? 'FAILED' : 'RECEIVED')
