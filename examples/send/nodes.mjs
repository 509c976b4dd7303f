// Nodes of chains that stand in for real ones: they know accounts, gas and fees, check each signature, and keep what they accept.
import { createServer } from 'node:http'
import { pubkeyToAddress } from '@cosmjs/amino'
import { Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto'
import { fromBase64, fromBech32, toBase64, toHex } from '@cosmjs/encoding'
import { decodePubkey, makeSignBytes } from '@cosmjs/proto-signing'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth.js'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query.js'
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service.js'
import { AuthInfo, SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx.js'
import {
  decodeFunctionData,
  encodeAbiParameters,
  erc20Abi,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
} from 'viem'

const accountNumber = 7n
const gasUsed = 100_000n

/** Serves JSON-RPC: a method is a function of its parameters. Resolves to the URL, and to what ends it. */
async function serve(methods) {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const { id, method, params } = JSON.parse(text)
    const answer = { jsonrpc: '2.0', id }
    try {
      if (!methods[method]) throw new Error(`no method ${method}`)
      answer.result = await methods[method](params)
    } catch ({ message }) {
      answer.error = { code: methods[method] ? -32_000 : -32_601, message }
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

/** A node of a Cosmos chain. */
export async function startCosmosNode(chainId, { gasPrice, denom }) {
  const accepted = []

  /** What is wrong with a transaction, as a node says it. Undefined if nothing is. */
  const faultOf = async (bytes) => {
    const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(bytes)
    const { signerInfos, fee } = AuthInfo.decode(authInfoBytes)
    const [{ publicKey, sequence }] = signerInfos
    if (sequence !== BigInt(accepted.length)) return `account sequence mismatch, expected ${accepted.length}`
    const due = Math.ceil(Number(fee.gasLimit) * gasPrice)
    if (!fee.amount.some((coin) => coin.denom === denom && Number(coin.amount) >= due)) return 'insufficient fee'
    if (fee.gasLimit < gasUsed) return 'out of gas'
    const signDoc = SignDoc.fromPartial({ bodyBytes, authInfoBytes, chainId, accountNumber })
    const signature = Secp256k1Signature.fromFixedLength(signatures[0])
    const pubkey = decodePubkey(publicKey)
    const isSigned = await Secp256k1.verifySignature(
      signature,
      sha256(makeSignBytes(signDoc)),
      fromBase64(pubkey.value),
    )
    if (!isSigned) return 'signature verification failed'
    const body = TxBody.decode(bodyBytes)
    const address = senderOf(body.messages[0])
    return pubkeyToAddress(pubkey, fromBech32(address).prefix) === address ? undefined : 'pubkey does not match signer'
  }

  const queries = {
    '/cosmos.auth.v1beta1.Query/Account': (data) => {
      const { address } = QueryAccountRequest.decode(data)
      const value = BaseAccount.encode(
        BaseAccount.fromPartial({ address, accountNumber, sequence: BigInt(accepted.length) }),
      ).finish()
      return QueryAccountResponse.encode({ account: { typeUrl: '/cosmos.auth.v1beta1.BaseAccount', value } }).finish()
    },
    '/cosmos.tx.v1beta1.Service/Simulate': () =>
      SimulateResponse.encode(SimulateResponse.fromPartial({ gasInfo: { gasUsed, gasWanted: 0n } })).finish(),
  }
  const node = await serve({
    status: () => statusOf(chainId),
    abci_query({ path, data }) {
      if (!queries[path]) throw new Error(`no query ${path}`)
      const value = toBase64(queries[path](Buffer.from(data, 'hex')))
      return {
        response: {
          code: 0,
          log: '',
          info: '',
          index: '0',
          key: null,
          value,
          proofOps: null,
          height: '1',
          codespace: '',
        },
      }
    },
    async broadcast_tx_sync({ tx }) {
      const bytes = fromBase64(tx)
      const fault = await faultOf(bytes)
      if (fault === undefined) accepted.push(bytes)
      const hash = toHex(sha256(bytes)).toUpperCase()
      return { code: fault === undefined ? 0 : 4, data: '', log: fault ?? '', codespace: '', hash }
    },
  })
  /** Its transactions, with the types of their messages. */
  const transactions = () =>
    accepted.map((bytes) => ({
      bytes,
      hash: toHex(sha256(bytes)).toUpperCase(),
      messages: TxBody.decode(TxRaw.decode(bytes).bodyBytes).messages,
    }))
  return { ...node, transactions }
}

/** The first address in the messages that are used here is the sender's. */
function senderOf({ typeUrl, value }) {
  const text = Buffer.from(value).toString('latin1')
  const found = /[a-z]+1[02-9ac-hj-np-z]{38}/.exec(text)
  if (!found) throw new Error(`no sender in ${typeUrl}`)
  return found[0]
}

const statusOf = (network) => {
  const hash = 'AB'.repeat(32)
  const time = '2026-01-01T00:00:00Z'
  const protocol_version = { p2p: '8', block: '11', app: '0' }
  const other = { tx_index: 'on', rpc_address: 'a' }
  return {
    node_info: {
      protocol_version,
      id: 'ab',
      listen_addr: 'a',
      network,
      version: '0.38.0',
      channels: '40',
      moniker: 'a',
      other,
    },
    sync_info: {
      ...{ latest_block_hash: hash, latest_app_hash: hash, latest_block_height: '1', latest_block_time: time },
      ...{ earliest_block_hash: hash, earliest_app_hash: hash, earliest_block_height: '1', earliest_block_time: time },
      catching_up: false,
    },
    validator_info: {
      address: 'AB'.repeat(20),
      pub_key: { type: 'tendermint/PubKeyEd25519', value: toBase64(new Uint8Array(32)) },
      voting_power: '0',
    },
  }
}

/** A node of an EVM chain, on which a call of a bridge needs the allowance of an approval that was executed before. */
export async function startEvmNode(chainId, { owner }) {
  const accepted = []
  const allowances = new Map()
  const quantity = (value) => `0x${value.toString(16)}`
  const node = await serve({
    eth_chainId: () => quantity(chainId),
    eth_getTransactionCount: () => quantity(accepted.length),
    eth_estimateGas: () => quantity(90_000),
    eth_gasPrice: () => quantity(2_000_000_000),
    eth_maxPriorityFeePerGas: () => quantity(1_000_000_000),
    eth_blockNumber: () => quantity(1),
    eth_getBlockByNumber: () => ({
      number: '0x1',
      baseFeePerGas: quantity(1_000_000_000),
      timestamp: '0x1',
      gasLimit: '0x1c9c380',
      transactions: [],
    }),
    eth_call([{ to, data }]) {
      const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
      if (functionName !== 'allowance') throw new Error('execution reverted')
      return encodeAbiParameters(
        [{ type: 'uint256' }],
        [allowances.get(`${to} ${args[0]} ${args[1]}`.toLowerCase()) ?? 0n],
      )
    },
    async eth_sendRawTransaction([raw]) {
      const transaction = parseTransaction(raw)
      if (transaction.chainId !== chainId) throw new Error('invalid chain id for signer')
      const from = await recoverTransactionAddress({ serializedTransaction: raw })
      if (from.toLowerCase() !== owner.toLowerCase()) throw new Error(`insufficient funds of ${from}`)
      if ((transaction.nonce ?? 0) !== accepted.length) throw new Error('nonce too low')
      if (!(transaction.maxFeePerGas >= 1_000_000_000n) || !(transaction.gas >= 21_000n)) throw new Error('underpriced')
      accepted.push({ raw, hash: keccak256(raw), transaction })
      const { to, data } = transaction
      if (data?.startsWith('0x095ea7b3')) {
        const { args } = decodeFunctionData({ abi: erc20Abi, data })
        allowances.set(`${to} ${owner} ${args[0]}`.toLowerCase(), args[1])
      }
      return keccak256(raw)
    },
    eth_getTransactionReceipt([hash]) {
      const at = accepted.findIndex((one) => one.hash === hash)
      if (at < 0) return null
      const { transaction } = accepted[at]
      return {
        ...{
          transactionHash: hash,
          transactionIndex: '0x0',
          blockHash: hash,
          blockNumber: '0x1',
          from: owner,
          to: transaction.to,
        },
        ...{
          cumulativeGasUsed: '0x1',
          gasUsed: '0x1',
          effectiveGasPrice: '0x1',
          contractAddress: null,
          logs: [],
          logsBloom: `0x${'00'.repeat(256)}`,
        },
        ...{ status: '0x1', type: '0x2' },
      }
    },
  })
  return { ...node, accepted }
}
