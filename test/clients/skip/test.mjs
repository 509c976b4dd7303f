import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import {
  assets,
  balances,
  bridges,
  chains,
  executeRoute,
  getTransferEventsFromTxStatusResponse,
  setApiOptions,
  trackTransaction,
  transactionStatus,
  venues,
  waitForTransaction,
} from '@skip-go/client'
import { startSandbox } from '../../../packages/sandbox/dist/sandbox.js'
import { addressesFor, encodableMessages, messagesFor, operationKinds, quote } from './flow.mjs'
import { account, walletStub } from './wallet.mjs'

// The client polls every second of real time. Sandbox time advances only when a test advances it.
let now = Date.UTC(2026, 10, 21, 12)
const sandbox = await startSandbox({ clock: () => now })
after(() => sandbox.close())
setApiOptions({ apiUrl: sandbox.routerUrl })

// The client polls without a limit. This stops a poll that a failed test leaves behind.
setTimeout(() => process.exit(1), 120_000).unref()

// The client also prints every error that it throws.
mock.method(console, 'error', () => {})

const hub = 'harbor-1'
const init = { chainId: hub, denom: 'uinit' }
const osmo = { chainId: 'osmosis-1', denom: 'uosmo' }
const usdc = { chainId: '1', denom: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' }

/** A transaction hash. In the sandbox its last two digits choose the outcome of the transfer. */
const hashEnding = (digits) => `${'c0ffee'.repeat(10)}42${digits}`.toUpperCase()

/** Waits for a transfer as a frontend does. Sandbox time advances three seconds per poll. */
async function watch(digits, options) {
  const seen = []
  const onStatusUpdated = (status) => {
    seen.push(status)
    now += 3_000
  }
  const outcome = await waitForTransaction({
    chainId: hub,
    txHash: hashEnding(digits),
    onStatusUpdated,
    isCancelled: () => seen.length > 20,
    ...options,
  }).catch((error) => error)
  return { outcome, last: seen.at(-1), states: seen.map(({ state }) => state) }
}

test('the client lists chains, assets, bridges and venues', async () => {
  const allChains = await chains({ includeEvm: true, includeSvm: true })
  assert.deepEqual(allChains.map(({ chainId }) => chainId).sort(), [
    '1',
    'galley-1',
    'harbor-1',
    'lantern-1',
    'noble-1',
    'osmosis-1',
  ])
  const assetsByChain = await assets({ chainIds: [hub, '1'] })
  assert.deepEqual(Object.keys(assetsByChain).sort(), ['1', hub])
  const native = assetsByChain[hub].find(({ denom }) => denom === init.denom)
  assert.equal(native.symbol, 'INIT')
  assert.equal(native.decimals, 6)
  assert.equal(native.originChainId, hub)
  assert.ok((await bridges()).some(({ id }) => id === 'OPINIT'))
  assert.ok((await venues()).some(({ chainId }) => chainId === hub))
})

test('the client reads balances with their value', async () => {
  const { chains: balancesByChain } = await balances({
    chains: { 1: { address: account, denoms: [] } },
  })
  const denoms = Object.values(balancesByChain[1].denoms)
  assert.ok(denoms.length > 0)
  for (const { amount, formattedAmount, decimals, valueUsd } of denoms) {
    assert.match(amount, /^[1-9]\d*$/)
    assert.equal(BigInt(formattedAmount.replace('.', '')), BigInt(amount))
    assert.equal(formattedAmount.split('.')[1].length, decimals)
    assert.ok(Number(valueUsd) >= 0)
  }
})

test('a route with a swap becomes one transaction that the client can encode', async () => {
  const quotedRoute = await quote(init, osmo, '25000000')
  assert.equal(quotedRoute.doesSwap, true)
  assert.equal(quotedRoute.txsRequired, 1)
  assert.deepEqual(quotedRoute.chainIds, [hub, 'osmosis-1'])
  assert.deepEqual(operationKinds(quotedRoute).sort(), ['swap', 'transfer'])
  assert.ok(BigInt(quotedRoute.amountOut) > 0n)

  const { txs, minAmountOut } = await messagesFor(quotedRoute)
  assert.ok(BigInt(minAmountOut) < BigInt(quotedRoute.amountOut))
  assert.equal(txs.length, 1)
  const { chainId, signerAddress, msgs } = txs[0].cosmosTx
  assert.equal(chainId, hub)
  assert.match(signerAddress, /^init1/)
  const [encodable] = await encodableMessages(txs[0])
  assert.equal(msgs[0].msgTypeUrl, encodable.typeUrl)
  assert.equal(encodable.value.sender, signerAddress)
})

test('a deposit becomes a message of a type that the client knows', async () => {
  const rollup = { chainId: 'lantern-1' }
  const depositAsset = (await assets({ chainIds: ['lantern-1'] }))['lantern-1'].find(
    ({ denom, symbol }) => symbol === 'INIT' && denom.startsWith('l2/'),
  )
  const quotedRoute = await quote(init, { ...rollup, denom: depositAsset.denom }, '1000000')
  assert.deepEqual(operationKinds(quotedRoute), ['opInitTransfer'])
  const [encodable] = await encodableMessages((await messagesFor(quotedRoute)).txs[0])
  assert.equal(encodable.typeUrl, '/opinit.ophost.v1.MsgInitiateTokenDeposit')
  assert.equal(encodable.value.amount.amount, '1000000')
  assert.ok(BigInt(encodable.value.bridgeId) > 0n)
})

test('a route that requires an op hook is refused, because the client cannot send one', async () => {
  const wrapped = (await assets({ chainIds: ['galley-1'] }))['galley-1'].find(
    ({ denom, symbol }) => symbol === 'INIT' && denom.startsWith('evm/'),
  )
  const quotedRoute = await quote(init, wrapped, '1000000')
  assert.equal(quotedRoute.requiredOpHook, true)
  await assert.rejects(messagesFor(quotedRoute), { code: 3, message: 'signed_op_hook is required' })
})

test('a route of two transactions becomes both transactions', async () => {
  const ether = { chainId: '1', denom: 'ethereum-native' }
  const lant = { chainId: 'lantern-1', denom: 'ulant' }
  const quotedRoute = await quote(ether, lant, '100000000000000000', { allowMultiTx: true })
  assert.equal(quotedRoute.txsRequired, 2)
  const { txs } = await messagesFor(quotedRoute)
  assert.deepEqual(
    txs.map((tx) => (tx.evmTx ?? tx.cosmosTx).chainId),
    ['1', hub],
  )
  assert.deepEqual(
    txs.flatMap(({ operationsIndices }) => operationsIndices),
    quotedRoute.operations.map((_, index) => index),
  )
})

test('the client reports a missing route, a bad price and a malformed request', async () => {
  await assert.rejects(quote(init, osmo, '1000000', { allowSwaps: false }), {
    code: 5,
    message: 'no routes found',
  })
  await assert.rejects(quote(init, { chainId: '1', denom: '0xdead' }, '1'), {
    code: 5,
    message: 'destination asset not found',
  })
  await assert.rejects(quote(init, osmo, '9000000000000', { allowUnsafe: false }), (error) => {
    assert.equal(error.code, 3)
    assert.equal(error.details[0].reason, 'HIGH_LOSS_ERROR')
    return /too large/.test(error.message)
  })
  const { warning } = await quote(init, osmo, '9000000000000')
  assert.equal(warning.type, 'BAD_PRICE_WARNING')
  await assert.rejects(quote(init, osmo, 'much'), /amount_in/)
  await assert.rejects(quote(init, { chainId: 'atlantis-1', denom: 'u' }, '1'), { code: 3 })
})

test('operations that do not match the quote are refused', async () => {
  const quotedRoute = await quote(init, osmo, '25000000')
  const other = { ...quotedRoute, amountIn: '25000001' }
  await assert.rejects(messagesFor(other), { code: 3 })
})

test('a transaction is unknown until it is tracked', async () => {
  const unknown = { chainId: hub, txHash: hashEnding('07') }
  await assert.rejects(transactionStatus(unknown), { code: 5, message: 'tx not found' })
  const { txHash, explorerLink } = await trackTransaction(unknown)
  assert.equal(txHash, unknown.txHash)
  assert.match(explorerLink, new RegExp(unknown.txHash))
  assert.equal((await transactionStatus(unknown)).state, 'STATE_SUBMITTED')
})

test('the client waits until three hops have arrived', async () => {
  const { outcome, states } = await watch('02')
  assert.deepEqual(states, [
    'STATE_SUBMITTED',
    'STATE_PENDING',
    'STATE_PENDING',
    'STATE_PENDING',
    'STATE_COMPLETED_SUCCESS',
  ])
  assert.equal(outcome.status, 'STATE_COMPLETED')
  assert.equal(outcome.transferAssetRelease.released, true)
  const hops = getTransferEventsFromTxStatusResponse([outcome])
  assert.equal(hops.length, 3)
  for (const [index, hop] of hops.entries()) {
    assert.equal(hop.status, 'completed')
    assert.notEqual(hop.transferType, '')
    assert.equal(hop.fromChainId, index === 0 ? hub : hops[index - 1].toChainId)
    assert.ok(hop.fromTxHash && hop.toTxHash)
  }
  assert.equal(hops[0].fromTxHash, hashEnding('02'))
})

test('a failed transfer is an error, and its funds are back on the source chain', async () => {
  const { outcome, last, states } = await watch('e0')
  assert.match(outcome.message, /^STATUS_ERROR_TRANSFER: /)
  assert.deepEqual(states, ['STATE_SUBMITTED', 'STATE_PENDING', 'STATE_PENDING_ERROR', 'STATE_COMPLETED_ERROR'])
  assert.equal(last.transferAssetRelease.chainId, hub)
  assert.equal(last.transferAssetRelease.released, true)
})

test('an abandoned transfer is an error, and can be tracked again', async () => {
  const abandoned = await watch('e2')
  assert.match(abandoned.outcome.message, /abandoned/)
  assert.equal(abandoned.states.at(-1), 'STATE_ABANDONED')
  const revived = await watch('e2')
  assert.equal(revived.states[0], 'STATE_PENDING')
  assert.equal(revived.outcome.state, 'STATE_COMPLETED_SUCCESS')
})

test('a transaction that the router sees late is tracked after retries', async () => {
  const start = sandbox.requests.length
  const { outcome } = await watch('ea', { retryInterval: 10 })
  assert.equal(outcome.state, 'STATE_COMPLETED_SUCCESS')
  const tries = sandbox.requests.slice(start).filter((line) => line.includes('/v2/tx/track'))
  assert.equal(tries.length, 3)
})

test('an unknown bridge and an unknown state do not stop the client', async () => {
  const bridge = await watch('e6')
  assert.equal(bridge.outcome.state, 'STATE_COMPLETED_SUCCESS')
  const [hop] = getTransferEventsFromTxStatusResponse([bridge.outcome])
  assert.equal(hop.transferType, '')
  const state = await watch('e7')
  assert.equal(state.outcome.state, 'STATE_COMPLETED_SUCCESS')
  assert.ok(state.states.some((name) => !/SUBMITTED|PENDING|COMPLETED/.test(name)))
})

test('the client waits for both transfers of one transaction', async () => {
  const { outcome } = await watch('e5')
  assert.equal(outcome.transfers.length, 2)
  for (const { state } of outcome.transfers) assert.equal(state, 'STATE_COMPLETED_SUCCESS')
})

test('a failed status request is an error at once', async () => {
  const { outcome, states } = await watch('ec')
  assert.equal(outcome.code, 8)
  assert.deepEqual(states, [])
})

test('a route from Ethereum is approved, signed, tracked and completed', async () => {
  const txHash = `0x${hashEnding('00').toLowerCase()}`
  const { client, signed } = walletStub(txHash)
  const quotedRoute = await quote(usdc, { chainId: 'noble-1', denom: 'uusdc' }, '20000000')
  const tracked = []
  const completed = []
  const statuses = new Set()
  // No callback runs on each poll here, so a timer advances the time.
  const time = setInterval(() => {
    now += 300
  }, 100)
  try {
    await executeRoute({
      route: quotedRoute,
      userAddresses: await addressesFor(quotedRoute),
      getEvmSigner: async () => client,
      onTransactionTracked: async ({ explorerLink }) => tracked.push(explorerLink),
      onTransactionCompleted: async ({ status }) => completed.push(status.state),
      onRouteStatusUpdated: ({ status }) => statuses.add(status),
    })
  } finally {
    clearInterval(time)
  }
  const [{ evmTx }] = (await messagesFor(quotedRoute)).txs
  assert.deepEqual(
    signed.map(({ to }) => to),
    [usdc.denom, evmTx.to],
  )
  assert.equal(signed[1].data, `0x${evmTx.data}`)
  assert.deepEqual(tracked, [`https://etherscan.io/tx/${txHash}`])
  assert.deepEqual(completed, ['STATE_COMPLETED_SUCCESS'])
  assert.deepEqual([...statuses], ['unconfirmed', 'validating', 'allowance', 'signing', 'pending', 'completed'])
})
