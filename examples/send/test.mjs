// Runs send.mjs over nodes that check each signature: `node test.mjs http://127.0.0.1:4000/graphql`, over a gateway on its sandbox.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fromUtf8, toBase64 } from '@cosmjs/encoding'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx.js'
import { readMessage } from './cosmos.mjs'
import { startCosmosNode, startEvmNode } from './nodes.mjs'

const [GATEWAY = 'http://127.0.0.1:4000/graphql'] = process.argv.slice(2)

// Keys that everybody knows: no account of a real chain has them.
const MNEMONIC = 'test test test test test test test test test test test junk'
const PRIVATE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

const osmosis = await startCosmosNode('osmosis-1', { gasPrice: 0.025, denom: 'uosmo' })
const harbor = await startCosmosNode('harbor-1', { gasPrice: 0.025, denom: 'uosmo' })
const ethereum = await startEvmNode(1, { owner })
const RPC_URLS = `osmosis-1=${osmosis.url},harbor-1=${harbor.url},1=${ethereum.url}`

/** Runs the program until a line, or to its end. */
async function run(args, until, changes = {}) {
  const env = { ...process.env, GATEWAY, MNEMONIC, PRIVATE_KEY, RPC_URLS, ...changes }
  const child = spawn(process.execPath, ['send.mjs', ...args], { cwd: import.meta.dirname, env })
  const lines = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      lines.push(line)
      if (until?.test(line)) child.kill()
    })
  }
  const limit = setTimeout(() => child.kill('SIGKILL'), 120_000)
  await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(limit)
  return lines
}

const post = async (url, method, params) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await fetch(url, { method: 'POST', body })).json()
}

/** The transfers of these hashes are of no record of the sandbox, so that their last digits choose how they go. */
const watched = /^state /

const checks = {
  async 'a transaction of a contract on Osmosis, with its fee, is signed'() {
    const lines = await run(['25000000', 'osmosis-1/uosmo', 'harbor-1/uinit'], watched)
    const [{ hash, messages }] = osmosis.transactions()
    assert.ok(lines.includes(`sent transfer ${hash}`), lines.join('\n'))
    assert.ok(
      lines.some((line) => watched.test(line)),
      lines.join('\n'),
    )
    assert.deepEqual(
      messages.map(({ typeUrl }) => typeUrl),
      ['/cosmwasm.wasm.v1.MsgExecuteContract'],
    )
    const { funds, msg } = MsgExecuteContract.decode(messages[0].value)
    assert.deepEqual(funds, [{ denom: 'uosmo', amount: '25000000' }])
    assert.ok(JSON.parse(fromUtf8(msg)).swap_and_action)
  },
  async 'a transaction with messages of Initia is signed'() {
    const lines = await run(['2500000', 'harbor-1/uinit', 'lantern-1/ulant'], watched)
    const [{ hash, messages }] = harbor.transactions()
    assert.ok(lines.includes(`sent transfer ${hash}`), lines.join('\n'))
    assert.ok(
      messages.some(({ typeUrl }) => typeUrl.startsWith('/initia.move.')),
      JSON.stringify(messages),
    )
  },
  async 'a Cosmos node refuses a transaction whose signature is wrong'() {
    const [{ bytes }] = osmosis.transactions()
    const forged = Uint8Array.from(bytes)
    forged[forged.length - 1] ^= 1
    const { result } = await post(osmosis.url, 'broadcast_tx_sync', { tx: toBase64(forged) })
    assert.notEqual(result.code, 0)
    // The sequence of the first transaction is used up. The first one of a new node fails only by its signature.
    const fresh = await startCosmosNode('osmosis-1', { gasPrice: 0.025, denom: 'uosmo' })
    const sent = await post(fresh.url, 'broadcast_tx_sync', { tx: toBase64(forged) })
    assert.equal(sent.result.log, 'signature verification failed')
    const other = await startCosmosNode('osmosis-2', { gasPrice: 0.025, denom: 'uosmo' })
    const moved = await post(other.url, 'broadcast_tx_sync', { tx: toBase64(bytes) })
    assert.equal(moved.result.log, 'signature verification failed')
    assert.equal((await post(fresh.url, 'broadcast_tx_sync', { tx: toBase64(bytes) })).result.code, 0)
    fresh.close()
    other.close()
  },
  async 'a node that refuses ends the program, and nothing is sent'() {
    const before = osmosis.transactions().length
    const lines = await run(['25000000', 'osmosis-1/uosmo', 'harbor-1/uinit'], undefined, { GAS_PRICE: '0.001uosmo' })
    assert.match(lines.at(-1), /^SIGNER: The wallet has not sent transaction 1 of 1 on osmosis-1: .*insufficient fee/)
    assert.equal(osmosis.transactions().length, before)
  },
  async 'an approval is executed before the call of an EVM chain that needs it'() {
    const lines = await run(['250000000', `1/${usdc}`, 'harbor-1/uinit'], watched)
    const [approval, call] = ethereum.accepted
    assert.deepEqual(
      lines.filter((line) => /^(approve|sign|sent)/.test(line)),
      [`approve 250000000 of ${usdc}`, `sent approval ${approval.hash}`, 'sign 1 on 1', `sent transfer ${call.hash}`],
    )
    assert.equal(approval.transaction.to.toLowerCase(), usdc.toLowerCase())
    assert.equal(call.transaction.to.toLowerCase(), `0x${approval.transaction.data.slice(34, 74)}`)
  },
  async 'a second time, the allowance is enough'() {
    const lines = await run(['250000000', `1/${usdc}`, 'harbor-1/uinit'], watched)
    assert.ok(!lines.some((line) => line.startsWith('approve')), lines.join('\n'))
    assert.equal(ethereum.accepted.length, 3)
  },
  async 'an EVM node refuses a transaction that another key has signed'() {
    const other = `0x${'11'.repeat(32)}`
    const lines = await run(['250000000', `1/${usdc}`, 'harbor-1/uinit'], undefined, { PRIVATE_KEY: other })
    assert.match(lines.join('\n'), /^SIGNER: The wallet has not sent the approval of /m)
    assert.match(lines.join('\n'), /insufficient funds of 0x/)
    assert.ok(!lines.some((line) => line.startsWith('sent')), lines.join('\n'))
    const [{ raw }] = ethereum.accepted
    const forged = raw.slice(0, -1) + (raw.endsWith('0') ? '1' : '0')
    const { error } = await post(ethereum.url, 'eth_sendRawTransaction', [forged])
    assert.ok(error)
    assert.equal(ethereum.accepted.length, 3)
  },
  async 'integers in the message of a contract stay exact'() {
    // A timeout as a router sends it to Osmosis: a number has no room for its digits.
    const raw =
      '{"sender":"a","contract":"b","msg":{"timeout_timestamp":1693012979767514087,"rate":0.125,"memo":"\\"n\\":1693012979767514087"},"funds":[]}'
    const { value } = readMessage({ typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract', raw })
    assert.equal(
      fromUtf8(value.msg),
      '{"timeout_timestamp":1693012979767514087,"rate":0.125,"memo":"\\"n\\":1693012979767514087"}',
    )
    const ibc =
      '{"source_port":"transfer","source_channel":"c","token":{"denom":"a","amount":"1"},"sender":"s","receiver":"r","timeout_height":{},"timeout_timestamp":1688663426558649001}'
    const transfer = readMessage({ typeUrl: '/ibc.applications.transfer.v1.MsgTransfer', raw: ibc })
    assert.equal(transfer.value.timeoutTimestamp, 1688663426558649001n)
  },
}

for (const [name, check] of Object.entries(checks)) {
  try {
    await check()
    process.stdout.write(`ok    ${name}\n`)
  } catch (error) {
    process.exitCode = 1
    process.stdout.write(`FAIL  ${name}: ${error.message}\n`)
  }
}
for (const node of [osmosis, harbor, ethereum]) node.close()
