import { expect, test } from 'vitest'
import { routerAnswers } from '../support/recorded.ts'
import { startRecordedWorld } from '../support/recordedWorld.ts'
import type { Data } from '../support/world.ts'

// What the gateway shows is compared with what this file reads from the bodies by itself.

const routeInput = `input: {
  source: { chainId: "137", denom: "polygon-native" }, destination: { chainId: "osmosis-1", denom: "uosmo" }
  amountIn: "1000000000000000000"
}`

test.concurrent('a route is shown with its operations and their fees', async () => {
  await using world = await startRecordedWorld()
  const [{ body } = { body: {} }] = routerAnswers('/v2/fungible/route')
  const { route } = await world.data(`{ route(${routeInput}) {
    amountIn amountOut estimatedAmountOut usdAmountIn usdAmountOut swapPriceImpactPercent chainIds doesSwap
    transactionCount estimatedDurationSeconds requiredAddresses { chainId } swapVenues { name chainId logoUrl }
    operations { transactionIndex rawKind rawBridge fromChainId toChainId denomIn denomOut
      fees { kind amount denom usdValue asset { symbol decimals } }
      details {
        ... on AxelarTransferDetails { axelarAsset isUnwrapped isTestnet }
        ... on SwapDetails { priceImpactPercent affiliateFee { amount denom } venues { name chainId }
          paths { amountIn steps { pool denomIn denomOut } } }
      }
    }
  } }`)
  const [{ axelar_transfer: transfer }, { swap }] = body.operations
  const { fee_asset: asset } = transfer
  const { swap_in: direction } = swap
  expect(route).toEqual({
    ...{ amountIn: body.amount_in, amountOut: body.amount_out, estimatedAmountOut: body.estimated_amount_out },
    ...{ usdAmountIn: body.usd_amount_in, usdAmountOut: body.usd_amount_out, doesSwap: body.does_swap },
    ...{ swapPriceImpactPercent: body.swap_price_impact_percent, chainIds: body.chain_ids },
    ...{ transactionCount: body.txs_required, estimatedDurationSeconds: body.estimated_route_duration_seconds },
    requiredAddresses: body.required_chain_addresses.map((chainId: string) => ({ chainId })),
    swapVenues: body.swap_venues.map(({ name, chain_id, logo_uri }: Data) => ({
      ...{ name, chainId: chain_id, logoUrl: logo_uri },
    })),
    operations: [
      {
        ...{ transactionIndex: 0, rawKind: 'axelar_transfer', rawBridge: transfer.bridge_id },
        ...{ fromChainId: transfer.from_chain_id, toChainId: transfer.to_chain_id, denomIn: null, denomOut: null },
        fees: [
          {
            ...{ kind: 'BRIDGE', amount: transfer.fee_amount, usdValue: transfer.usd_fee_amount, denom: asset.denom },
            asset: { symbol: asset.symbol, decimals: asset.decimals },
          },
        ],
        details: {
          ...{ axelarAsset: transfer.asset, isUnwrapped: transfer.should_unwrap, isTestnet: transfer.is_testnet },
        },
      },
      {
        ...{ transactionIndex: 0, rawKind: 'swap', rawBridge: null, fees: [] },
        ...{ fromChainId: swap.from_chain_id, toChainId: swap.chain_id },
        ...{ denomIn: swap.denom_in, denomOut: swap.denom_out },
        details: {
          priceImpactPercent: direction.price_impact_percent,
          affiliateFee: { amount: '0', denom: swap.estimated_affiliate_fee.replace('0', '') },
          venues: [{ name: direction.swap_venue.name, chainId: direction.swap_venue.chain_id }],
          paths: [
            {
              amountIn: direction.swap_amount_in,
              steps: direction.swap_operations.map(({ pool, denom_in, denom_out }: Data) => ({
                ...{ pool, denomIn: denom_in, denomOut: denom_out },
              })),
            },
          ],
        },
      },
    ],
  })
})

const senders = [
  'axelar1x8ad0zyw52mvndh7hlnafrg0gt284ga7u3rez0',
  'osmo1x8ad0zyw52mvndh7hlnafrg0gt284ga7syxplu',
  'cosmos1x8ad0zyw52mvndh7hlnafrg0gt284ga7cl43fw',
]

test.concurrent.each([...routerAnswers('/v2/fungible/msgs').entries()])(
  'the messages of answer %i are those to sign, to the last digit',
  async (_index, answer) => {
    await using world = await startRecordedWorld(answer)
    const { route } = await world.data(`{ route(${routeInput}) { routeToken } }`)
    const document = `{ transferMessages(
      input: { routeToken: "${route.routeToken}", addresses: ${JSON.stringify(senders)} }
    ) { minAmountOut transactions { chainId signer operationIndices
      ... on CosmosTransactionRequest { path messages { typeUrl raw body } } } } }`
    const { transferMessages } = await world.data(document)
    const { min_amount_out: minAmountOut = null, txs, msgs } = answer.body
    const transactions = txs
      ? txs.map(({ cosmos_tx, operations_indices }: Data) => [cosmos_tx, cosmos_tx.msgs, operations_indices])
      : msgs.map(({ multi_chain_msg }: Data) => [multi_chain_msg, [multi_chain_msg], []])
    expect(transferMessages).toEqual({
      minAmountOut,
      transactions: transactions.map(([body, messages, operationIndices]: Data) => ({
        ...{ chainId: body.chain_id, signer: body.signer_address ?? null, path: body.path, operationIndices },
        messages: messages.map(({ msg, msg_type_url }: Data) => ({
          ...{ typeUrl: msg_type_url, raw: msg, body: JSON.parse(msg) },
        })),
      })),
    })
    const [timeout = 'none'] = /"timeout_timestamp":\d{19}/.exec(transactions[0][1][0].msg) ?? []
    expect(await world.text(document)).toContain(timeout)
  },
)

/** The transactions of a hop: those of Axelar are in a group of their own. */
const transactionsOf = ({ packet_txs, txs }: Data): [slot: string, transaction: Data][] =>
  Object.entries<Data>(packet_txs ?? txs?.send_token_txs ?? txs).filter(([slot, value]) => slot !== 'error' && value)

test.concurrent.each([...routerAnswers('/v2/tx/status').entries()])(
  'the transfer of status %i is shown with the states, hops and transactions that were sent',
  async (_index, { body }) => {
    await using world = await startRecordedWorld()
    const [, chainId, hash] = /"chain_id":"([\w-]+)","tx_hash":"(\w+)"/.exec(JSON.stringify(body)) ?? []
    const { transfer } = await world.data(`{ transfer(chainId: "${chainId}", hash: "${hash}") {
      state rawState error { message } legs {
        rawState assetRelease { chainId denom amount isReleased } hops {
          rawBridge rawState fromChainId toChainId transactions { rawKind chainId hash explorerUrl timestamp }
          details { ... on AxelarHopDetails { rawMode scanUrl } }
        }
      }
    } }`)
    expect(transfer).toEqual({
      ...{ state: 'COMPLETED_SUCCESS', rawState: body.state ?? 'STATE_COMPLETED_SUCCESS', error: null },
      legs: body.transfers.map(({ state, transfer_sequence, transfer_asset_release: release }: Data) => ({
        rawState: state,
        assetRelease: release
          ? {
              ...{ chainId: release.chain_id, denom: release.denom, amount: release.amount ?? null },
              isReleased: release.released,
            }
          : null,
        hops: transfer_sequence.flatMap((hop: Data) =>
          Object.entries<Data>(hop).map(([rawBridge, sent]) => ({
            ...{ rawBridge, rawState: sent.state, fromChainId: sent.from_chain_id, toChainId: sent.to_chain_id },
            transactions: transactionsOf(sent).map(([rawKind, { chain_id, tx_hash, explorer_link, on_chain_at }]) => ({
              ...{ rawKind, chainId: chain_id, hash: tx_hash },
              ...{ explorerUrl: explorer_link ?? null, timestamp: on_chain_at ?? null },
            })),
            details: sent.axelar_scan_link ? { rawMode: sent.type, scanUrl: sent.axelar_scan_link } : null,
          })),
        ),
      })),
    })
  },
)

test.concurrent('a transfer that the router does not know is null, and a tracked one has a link', async () => {
  const [, answer] = routerAnswers('/v2/tx/track')
  if (!answer) throw new Error('not recorded')
  await using world = await startRecordedWorld(answer)
  const known = 'chainId: "osmosis-1", hash: "19444D7C23B4C1FB96649EFECA5CCBDF88A6937D6EFDAFD41B96B3CE7BAC12B0"'
  const { trackTransfer } = await world.data(`mutation { trackTransfer(input: { ${known} }) { explorerUrl } }`)
  expect(trackTransfer.explorerUrl).toBe(answer.body.explorer_link)
  const { transfer } = await world.data(`{ transfer(chainId: "osmosis-1", hash: "${'0'.repeat(64)}") { state } }`)
  expect(transfer).toBeNull()
})
