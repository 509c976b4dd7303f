import { getNamedType, isAbstractType, isLeafType, isObjectType, isRequiredArgument } from 'graphql'
import { bridgeRows } from '../schema/router/bridgeRows.ts'
import { publicSchema } from './fieldRequests.ts'
import type { Request } from './gateway.ts'
import { testGolden } from './golden.ts'

// Answers of a router that the sandbox does not give: every bridge, every kind of operation and of transaction.

/** All fields of a type without required arguments, with those of the records in them down to `depth` levels. */
function allFields(typeName: string, depth = 1): string {
  const type = publicSchema.getType(typeName)
  if (!isObjectType(type)) throw new Error(`${typeName} has no fields.`)
  const fields = Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument))
  return fields
    .flatMap(({ name, type: inner, args }) => {
      if (args.some((each) => each.name === 'last')) return []
      const named = getNamedType(inner)
      if (isLeafType(named)) return [name]
      return depth > 0 && isObjectType(named) ? [`${name} { ${allFields(named.name, depth - 1)} }`] : []
    })
    .join(' ')
}

/** All fields of each case of a union, each case in a document of its own. */
const cases = (union: string): string[] => {
  const type = publicSchema.getType(union)
  return isAbstractType(type) ? publicSchema.getPossibleTypes(type).map(({ name }) => name) : []
}

const coin = { denom: 'uinit', chain_id: 'harbor-1', symbol: 'INIT', decimals: 6 }
const fees = [
  {
    ...{ fee_type: 'SMART_RELAY', bridge_id: 'CCTP', amount: '5', usd_amount: '0.1' },
    ...{ origin_asset: coin, chain_id: 'harbor-1', tx_index: 0, operation_index: 1 },
    fee_behavior: 'FEE_BEHAVIOR_ADDITIONAL',
  },
]

/** One operation of each kind. */
const operations = [
  ...Object.values(bridgeRows).flatMap(({ keys, operation, fees: own }) =>
    keys.map((key) => ({
      [key]: {
        ...{ from_chain_id: 'harbor-1', to_chain_id: 'galley-1', denom_in: 'uinit' },
        ...{ denom_out: 'uout', ...operation.wire, ...own.wire },
      },
      ...{ tx_index: 0, amount_in: '7', amount_out: '6' },
    })),
  ),
  {
    evm_swap: {
      from_chain_id: '1',
      input_token: '0xin',
      swap_calldata: '0xdata',
      swap_venues: [{ name: 'a' }],
    },
  },
  { bank_send: { chain_id: 'harbor-1', denom: 'uinit' } },
  { ferry_transfer: { from_chain_id: 'harbor-1', to_chain_id: 'far-1' } },
]
const quote = {
  ...{ amount_in: '7', amount_out: '6', operations, chain_ids: ['harbor-1', 'galley-1'] },
  ...{ source_asset_chain_id: 'harbor-1', source_asset_denom: 'uinit' },
  ...{ dest_asset_chain_id: 'galley-1', dest_asset_denom: 'uout' },
  ...{ estimated_fees: fees, warning: { type: 'LOW_INFO_WARNING', message: 'No price.' } },
  ...{ required_op_hook: true, required_chain_addresses: ['harbor-1'] },
}
const message = { msg_type_url: '/cosmos.bank.v1beta1.MsgSend', msg: '{"amount":[]}' }
const messages = {
  ...{ min_amount_out: '5', estimated_fees: fees },
  warning: { type: 'BAD_PRICE_WARNING', message: 'Much is lost.' },
  txs: [
    {
      cosmos_tx: {
        chain_id: 'harbor-1',
        path: ['harbor-1'],
        signer_address: 'init1',
        msgs: [message],
      },
    },
    {
      evm_tx: {
        ...{ chain_id: '1', to: '0xa', value: '5', data: '00', signer_address: '0xb' },
        required_erc20_approvals: [{ token_contract: '0xc', spender: '0xd', amount: '9' }],
      },
    },
    { svm_tx: { chain_id: 'solana', signer_address: 's', tx: 'AA==' } },
    { ton_tx: { chain_id: 'ton', signer_address: 't' } },
  ],
}
const hops = {
  state: 'STATE_COMPLETED_ERROR',
  error: { type: 'STATUS_ERROR_TRANSFER', message: 'It failed.', details: { code: 5 } },
  transfer_asset_release: { chain_id: 'harbor-1', denom: 'uinit', amount: '7', released: true },
  transfer_sequence: [
    {
      axelar_transfer: {
        ...{
          from_chain_id: 'harbor-1',
          to_chain_id: 'galley-1',
          type: 'AXELAR_TRANSFER_SEND_TOKEN',
        },
        ...{ state: 'AXELAR_TRANSFER_SUCCESS', axelar_scan_link: 'https://scan.example/1' },
        txs: {
          send_tx: {
            chain_id: 'harbor-1',
            tx_hash: 'ab'.repeat(32),
            on_chain_at: '2026-10-01T11:59:00Z',
          },
        },
      },
    },
    { ferry_transfer: { from_chain_id: 'galley-1', to_chain_id: 'far-1', state: 'FERRY_LOST' } },
  ],
}

const answers = (path: string, json: unknown): NonNullable<Request['faults']> => [
  ['router', path, { kind: 'answer', json }],
]

const routeInput = `input: { amountIn: "7", source: { chainId: "harbor-1", denom: "uinit" }
  destination: { chainId: "galley-1", denom: "uout" } }`
const route = (fields: string): Request => ({
  query: `{ route(${routeInput}) { ${fields} } }`,
  faults: answers('/v2/fungible/route', quote),
})
const transfer = (fields: string): Request => ({
  query: `{ transfer(chainId: "harbor-1", hash: "${'ab'.repeat(32)}") { ${fields} } }`,
  faults: answers('/v2/tx/status', hops),
})
const transaction = (type: string) => `transactions { __typename ... on ${type} { ${allFields(type, 2)} } }`

testGolden('scripted', {
  requestsOf: async (gateway) => {
    const { body } = await gateway.send(route('routeToken'))
    const token = `routeToken: "${body.data.route.routeToken}"`
    const ends = '"init1wllqcgh04444mr53tegtrkdlc970awqhddazg3"'
    const signed = (fields: string): Request => ({
      query: `{ transferMessages(input: { ${token}, addresses: [${ends}] }) { ${fields} } }`,
      faults: answers('/v2/fungible/msgs', messages),
    })
    const hook: Request = {
      query: `{ opHook(input: { ${token}, sourceAddress: ${ends}, destinationAddress: ${ends} }) { ${allFields('OpHook')} } }`,
      faults: answers('/v2/fungible/ophook', {
        chain_id: 'galley-1',
        msgs: [message],
        hook: [message],
      }),
    }
    const nfts: Request = {
      query: `{ nftTransferMessages(input: { sourceChainId: "harbor-1", sourceAddress: ${ends},
        destinationChainId: "harbor-1", destinationAddress: ${ends}
        collectionAddress: "0xa24e1fbdd213712dfff32fe545d49345e26dad72", tokenIds: ["7"] }) { ${allFields('NftTransferMessage')} } }`,
    }
    return new Map<string, Request>([
      ['fees of a route', route(`fees { ${allFields('RouteFee')} } warning { kind rawKind message }`)],
      ['operations', route(`operations { ${allFields('RouteOperation', 0)} fees { ${allFields('OperationFee')} } }`)],
      ...cases('RouteOperationDetails').map(
        (type) => [type, route(`operations { details { __typename ... on ${type} { ${allFields(type)} } } }`)] as const,
      ),
      ['transfer messages', signed(`minAmountOut fees { ${allFields('RouteFee')} } warning { kind message }`)],
      ...cases('TransactionRequest').map((type) => [type, signed(transaction(type))] as const),
      ['operator hook', hook],
      ['NFT messages', nfts],
      [
        'a transfer that failed',
        transfer(`state error { ${allFields('TransferProblem')} } assetRelease { ${allFields('AssetRelease')} }`),
      ],
      ['hops', transfer(`hops { ${allFields('TransferHop')} }`)],
      ...cases('TransferHopDetails').map(
        (type) => [type, transfer(`hops { details { __typename ... on ${type} { ${allFields(type)} } } }`)] as const,
      ),
    ])
  },
})
