// node send.mjs 25000000 osmosis-1/uosmo harbor-1/uinit
import { createClient } from '@portolan/client'
import { sendRoute } from '@portolan/client/send'
import { cosmosAccount } from './cosmos.mjs'
import { evmAccount } from './evm.mjs'

const say = (text) => process.stdout.write(`${text}\n`)

const { GATEWAY = 'http://127.0.0.1:4000/graphql', RPC_URLS = '', GAS_PRICE = '0.025uosmo' } = process.env
const rpcUrls = Object.fromEntries(RPC_URLS.split(',').map((pair) => pair.split('=')))
const rpcUrlOf = (chainId) => {
  if (!rpcUrls[chainId]) throw new Error(`RPC_URLS has no node of ${chainId}.`)
  return rpcUrls[chainId]
}

const { addressOn, cosmos } = await cosmosAccount(process.env.MNEMONIC, { rpcUrlOf, gasPrice: GAS_PRICE })
const { address, ...evmSigners } = evmAccount(process.env.PRIVATE_KEY, { rpcUrlOf })

const [amountIn, ...ends] = process.argv.slice(2)
const [source, destination] = ends.map((end) => {
  const [chainId, ...denom] = end.split('/')
  return { chainId, denom: denom.join('/') }
})

const document = `query Quote($input: RouteInput!) {
  route(input: $input) {
    formattedAmountOut
    assetOut { symbol }
    requiresOpHook
    requiredAddresses { chainId chain { kind bech32Prefix } }
    expiresAt
    routeToken
  }
}`
const client = createClient({ url: GATEWAY })
const { route } = await client.query(document, { input: { amountIn, source, destination } })
if (!route) throw new Error('There is no route.')
say(`quote ${route.formattedAmountOut} ${route.assetOut?.symbol}`)

const addresses = route.requiredAddresses.map(({ chain }) =>
  chain.kind === 'EVM' ? address : addressOn(chain.bech32Prefix),
)
try {
  for await (const step of sendRoute(client, { route, addresses, signers: { cosmos, ...evmSigners } })) {
    if (step.kind === 'prepare') say(`at least ${step.formattedMinAmountOut} ${step.warning?.message ?? ''}`)
    if (step.kind === 'approve') say(`approve ${step.approval.amount} of ${step.approval.tokenContract}`)
    if (step.kind === 'sign') say(`sign ${step.index + 1} on ${step.transaction.chainId}`)
    if (step.kind === 'sent') say(`sent ${step.transaction.kind} ${step.transaction.hash}`)
    if (step.kind === 'state') say(`state ${step.transfer.state}`)
    if (step.kind === 'done') say('done')
  }
} catch (error) {
  for (const { chainId, hash } of error.sent ?? []) say(`was sent on ${chainId}: ${hash}`)
  say(`${error.code}: ${error.message}`)
  process.exitCode = 1
}
