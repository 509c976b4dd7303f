import { assetBody, assetKey, contractAddress, type RouterAsset } from './assets.ts'
import { type ContractBridgeKind, feeOf, usdText } from './edges.ts'
import type { JsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'
import type { PathStep } from './search.ts'

/** LayerZero's number of the destination chain. */
const endpoint = (chainId: string): number => (chainId === '1' ? 30_101 : 30_326)
const cctpDomain = (chainId: string): number => (chainId === '1' ? 0 : 4)

/** The fields of an operation over a contract bridge, other than those that all transfers have. */
export function bridgeBody(
  network: Network,
  step: PathStep,
  kind: ContractBridgeKind,
  contract: string,
  expiresAt: number,
): JsonObject {
  const { from, to } = step.edge
  const fee = feeOf(step.edge, step.amountIn)
  const messaging = messagingFee(network, from.chainId)
  const onTop = {
    messaging_fee_asset: assetBody(messaging.asset),
    messaging_fee_amount: `${messaging.amount}`,
    messaging_fee_amount_usd: usdText(messaging.asset, messaging.amount),
  }
  const relay = {
    smart_relay: fee > 0n,
    ...(fee > 0n
      ? {
          smart_relay_fee_quote: {
            fee_amount: `${fee}`,
            relayer_address: contractAddress('relayer', from.chainId),
            expiration: new Date(expiresAt).toISOString(),
            fee_denom: from.denom,
            fee_payment_address: contractAddress('relayer fees', from.chainId),
          },
        }
      : {}),
  }
  switch (kind) {
    case 'axelar_transfer':
      return {
        from_chain: network.chains.get(from.chainId)?.prettyName,
        to_chain: network.chains.get(to.chainId)?.prettyName,
        asset: 'weth-wei',
        should_unwrap: to.chainId === '1',
        fee_amount: `${fee}`,
        usd_fee_amount: usdText(from, fee),
        fee_asset: assetBody(from),
        is_testnet: false,
        smart_relay: false,
      }
    case 'cctp_transfer':
      return { burn_token: from.denom, destination_domain: cctpDomain(to.chainId), ...relay }
    case 'hyperlane_transfer':
      return {
        hyperlane_contract_address: contract,
        fee_amount: onTop.messaging_fee_amount,
        usd_fee_amount: onTop.messaging_fee_amount_usd,
        fee_asset: onTop.messaging_fee_asset,
        smart_relay: false,
      }
    case 'go_fast_transfer': {
      const bps = fee - step.edge.fee
      const half = step.edge.fee / 2n
      return {
        fee: {
          fee_asset: assetBody(from),
          bps_fee: `${step.edge.bps}`,
          bps_fee_amount: `${bps}`,
          bps_fee_usd: usdText(from, bps),
          source_chain_fee_amount: `${half}`,
          source_chain_fee_usd: usdText(from, half),
          destination_chain_fee_amount: `${step.edge.fee - half}`,
          destination_chain_fee_usd: usdText(from, step.edge.fee - half),
        },
        source_domain: '1',
        destination_domain: '875',
      }
    }
    case 'stargate_transfer':
      return {
        pool_address: contract,
        destination_endpoint_id: endpoint(to.chainId),
        oft_fee_asset: assetBody(from),
        oft_fee_amount: `${fee}`,
        oft_fee_amount_usd: usdText(from, fee),
        ...onTop,
      }
    case 'layer_zero_transfer':
      return {
        source_oft_contract_address: contract,
        destination_endpoint_id: endpoint(to.chainId),
        ...onTop,
      }
    case 'eureka_transfer':
      return {
        destination_port: 'transfer',
        source_client: from.chainId === '1' ? 'cosmoshub-0' : '08-wasm-1369',
        pfm_enabled: false,
        supports_memo: true,
        entry_contract_address: contract,
        callback_adapter_contract_address: contractAddress('eureka callback', from.chainId),
        ...relay,
      }
  }
}

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
