import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Account } from '../address.ts'
import { hexDigest, itemAt, pick } from '../random.ts'
import { type Fixtures, wholeTokens } from './fixtures.ts'
import { type Shape, sourceOf } from './shape.ts'

/** An EVM log without its place in a block. */
export interface LogDraft {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** The call that a transaction makes to the EVM, and its result. */
export interface Effects {
  /** Empty if a contract is created. */
  readonly to: string
  readonly contractAddress: string | null
  readonly value: bigint
  readonly input: string
  readonly logs: readonly LogDraft[]
}

const transferTopic = signature('Transfer(address,address,uint256)')
const swapTopic = signature('Swap(address,uint256,uint256,address)')
const singleTopic = signature('TransferSingle(address,address,address,uint256,uint256)')
const batchTopic = signature('TransferBatch(address,address,address,uint256[],uint256[])')
/** The address of nobody. */
export const zeroAddress = `0x${'0'.repeat(40)}`

/** The parties of a transaction: its first signer and the counterparty. */
export function partiesOf({ users, relayer }: Fixtures, shape: Shape): [Account, Account] {
  const peer = itemAt(users, shape.peer)
  return [shape.kind === 'receive' ? relayer : itemAt(users, shape.sender), peer]
}

/** The amount that a transaction moves, in base units of the fee token. */
export function amountOf({ chain, seed }: Fixtures, shape: Shape, sequence: number): bigint {
  const parts = [seed, chain.chainId, 'amount', sourceOf(shape, sequence)]
  const thousandths = 1 + pick(250_000, ...parts)
  return (wholeTokens(chain, 1) / 1000n) * BigInt(thousandths)
}

/** The EVM side of a transaction. A failed one has no logs and creates no contract. */
export function effectsOf(fixtures: Fixtures, shape: Shape, sequence: number): Effects {
  const effects = intended(fixtures, shape, sequence)
  return shape.failed ? { ...effects, contractAddress: null, logs: [] } : effects
}

function intended(fixtures: Fixtures, shape: Shape, sequence: number): Effects {
  const [sender, peer] = partiesOf(fixtures, shape)
  const { token, dex } = fixtures
  const amount = amountOf(fixtures, shape, sequence)
  const call = { contractAddress: null, value: 0n }
  const transferLog = (from: string, to: string, contract = token.hex): LogDraft => ({
    address: contract,
    topics: [transferTopic, word(from), word(to)],
    data: word(amount),
  })

  switch (shape.kind) {
    case 'createCollection': {
      const collection = itemAt(fixtures.collections, shape.collection)
      const logs = collection.tokens.map(({ tokenId, firstOwner }) =>
        nftTransferLog(
          collection.address.hex,
          zeroAddress,
          itemAt(fixtures.users, firstOwner).hex,
          tokenId,
        ),
      )
      const contractAddress = collection.address.hex
      return { to: '', contractAddress, value: 0n, input: bytecode(contractAddress), logs }
    }
    case 'deploy': {
      const contractAddress = `0x${hexDigest(20, sender.hex, peer.hex, 'deploy', shape.token)}`
      return { to: '', contractAddress, value: 0n, input: bytecode(contractAddress), logs: [] }
    }
    case 'transferNft': {
      const { address, tokens } = itemAt(fixtures.collections, shape.collection)
      const { tokenId } = itemAt(tokens, shape.token)
      const input = `0x23b872dd${[sender.hex, peer.hex, BigInt(tokenId)].map(hexWord).join('')}`
      const logs = [nftTransferLog(address.hex, sender.hex, peer.hex, tokenId)]
      return { ...call, to: address.hex, input, logs }
    }
    case 'receive': {
      const input = `0x40c10f19${hexWord(peer.hex)}${hexWord(amount)}`
      return { ...call, to: token.hex, input, logs: [transferLog(zeroAddress, peer.hex)] }
    }
    default:
  }
  if (shape.variant === 0) {
    const input = `0xa9059cbb${hexWord(peer.hex)}${hexWord(amount)}`
    return { ...call, to: token.hex, input, logs: [transferLog(sender.hex, peer.hex)] }
  }
  if (shape.variant === 1) {
    const swap = {
      address: dex.hex,
      topics: [swapTopic, word(sender.hex), word(peer.hex)],
      data: `${word(amount)}${hexWord((amount * 97n) / 100n)}`,
    }
    const moved = [transferLog(sender.hex, dex.hex), transferLog(dex.hex, peer.hex), swap]
    const logs = [...moved, ...voucherLogs(dex.hex, peer.hex, amount)]
    return { ...call, to: dex.hex, input: `0x7ff36ab5${hexWord(amount)}`, logs }
  }
  return { ...call, to: peer.hex, value: amount, input: '0x', logs: [] }
}

/** The logs of an ERC-1155 contract that mints one voucher, and two more in a batch. */
function voucherLogs(contract: string, to: string, amount: bigint): LogDraft[] {
  const parties = [word(contract), word(zeroAddress), word(to)]
  const batch = [64n, 160n, 2n, 2n, 3n, 2n, amount, 1n]
  return [
    { address: contract, topics: [singleTopic, ...parties], data: `${word(1n)}${hexWord(amount)}` },
    {
      address: contract,
      topics: [batchTopic, ...parties],
      data: `0x${batch.map((value) => hexWord(value)).join('')}`,
    },
  ]
}

function nftTransferLog(contract: string, from: string, to: string, tokenId: string): LogDraft {
  const topics = [transferTopic, word(from), word(to), word(BigInt(tokenId))]
  return { address: contract, topics, data: '0x' }
}

function signature(declaration: string): string {
  return `0x${bytesToHex(keccak_256(utf8ToBytes(declaration)))}`
}

function word(value: string | bigint): string {
  return `0x${hexWord(value)}`
}

function hexWord(value: string | bigint): string {
  return (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')
}

function bytecode(address: string): string {
  return `0x6080604052${hexDigest(32, 'code', address)}${hexDigest(32, 'tail', address)}`
}
