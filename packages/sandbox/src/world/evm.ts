import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { memoize } from '../memoize.ts'
import { hexDigest, sequenceHash, sequenceOfHash } from '../random.ts'
import { sequencesAt } from './blocks.ts'
import { type Effects, effectsOf } from './effects.ts'
import { isSignedAsEthereum, madeHash } from './ethereum.ts'
import type { Fixtures } from './fixtures.ts'
import { type LogDraft, zeroAddress } from './logs.ts'
import { partiesOf } from './parties.ts'
import { placeOf } from './schedule.ts'
import { type Series, select } from './series.ts'
import type { Transactions } from './transactions.ts'
import type { Workload } from './workload.ts'

/** An EVM log with its place in the chain. */
interface LogRecord extends LogDraft {
  readonly blockNumber: string
  readonly transactionHash: string
  readonly transactionIndex: string
  readonly blockHash: string
  readonly logIndex: string
  readonly removed: boolean
}

/** An EVM receipt as the indexer returns it. Quantities are hex. */
interface ReceiptRecord {
  readonly blockHash: string
  readonly blockNumber: string
  readonly contractAddress: string | null
  readonly cumulativeGasUsed: string
  readonly effectiveGasPrice: string
  readonly from: string
  readonly gasUsed: string
  readonly logs: readonly LogRecord[] | null
  readonly logsBloom: string
  readonly status: string
  readonly to: string
  readonly transactionHash: string
  readonly transactionIndex: string
  readonly type: string
}

/** The EVM transactions of a chain, numbered from 1. The number is the rank among the native transactions. */
export interface EvmTransactions {
  hashOf(evmSequence: number): string
  /** The EVM sequence of a hash of 64 lower-case digits. Its block may not exist yet. */
  find(hash: string): number | undefined
  record(evmSequence: number): ReceiptRecord
  /** The transactions that the 0x address sent or, unless `onlySigned`, that name it. */
  byAccount(address: string, onlySigned: boolean): Series
}

/** Hashes kept by which a receipt is found again. */
const maxMade = 100_000

/** Receipts kept. */
const maxRecords = 2_000

/** Creates the EVM transactions of a workload. */
export function createEvmTransactions(
  fixtures: Fixtures,
  workload: Workload,
  { costOf, hashOf: nativeHashOf }: Pick<Transactions, 'costOf' | 'hashOf'>,
): EvmTransactions {
  const { chain, seed } = fixtures
  const { evm, shapeAt } = workload
  const scope = [seed, chain.chainId, 'evm'] as const
  const isSigned = (sequence: number) => isSignedAsEthereum(fixtures, shapeAt(sequence))
  /** The EVM sequences of hashes that were made of native ones, which nothing can be read from. */
  const made = new Map<string, number>()
  const hashOf = (evmSequence: number) => {
    const sequence = evm.at(evmSequence)
    if (isSigned(sequence)) return `0x${sequenceHash(evmSequence, ...scope)}`
    const hash = madeHash(nativeHashOf(sequence))
    made.delete(hash)
    made.set(hash, evmSequence)
    const [oldest] = made.keys()
    if (oldest !== undefined && made.size > maxMade) made.delete(oldest)
    return hash
  }
  const effects = (sequence: number) => effectsOf(fixtures, shapeAt(sequence))

  const senderOf = (sequence: number) =>
    isSigned(sequence) ? partiesOf(fixtures, shapeAt(sequence))[0].hex : zeroAddress
  const record = memoize(maxRecords, (evmSequence): ReceiptRecord => {
    const sequence = evm.at(evmSequence)
    const shape = shapeAt(sequence)
    const { height } = placeOf(sequence)
    const before = sequencesAt(height).filter((other) => other < sequence && evm.rank(other) > evm.rank(other - 1))
    const { gasUsed } = costOf(sequence)
    const gasBefore = before.reduce((sum, other) => sum + costOf(other).gasUsed, 0n)
    const logsBefore = before.reduce((sum, other) => sum + effects(other).logs.length, 0)
    const { logs, ...call } = effects(sequence)
    const sender = senderOf(sequence)
    // Of a native transaction, MiniEVM makes one without a signature, a recipient or a price.
    const { to, contractAddress } = isSigned(sequence) ? call : { to: '', contractAddress: null }
    const place = {
      blockNumber: quantity(height),
      transactionHash: hashOf(evmSequence),
      // MiniEVM counts them from 1.
      transactionIndex: quantity(before.length + 1),
      blockHash: `0x${hexDigest(32, ...scope, 'block', height)}`,
    }
    return {
      blockHash: place.blockHash,
      blockNumber: place.blockNumber,
      contractAddress,
      cumulativeGasUsed: quantity(gasBefore + gasUsed),
      effectiveGasPrice: quantity(isSigned(sequence) ? fixtures.gasPrice : 0),
      from: sender,
      gasUsed: quantity(gasUsed),
      logs:
        shape.kind === 'deploy'
          ? null
          : logs.map((log, index) => ({
              ...log,
              ...place,
              logIndex: quantity(logsBefore + index),
              removed: false,
            })),
      logsBloom: bloomOf(logs),
      status: shape.failed ? '0x0' : '0x1',
      to,
      transactionHash: place.transactionHash,
      transactionIndex: place.transactionIndex,
      type: isSigned(sequence) ? '0x2' : '0x0',
    }
  })

  const addressesOf = memoize(maxRecords, (evmSequence) =>
    namedAddresses(effects(evm.at(evmSequence)), isSigned(evm.at(evmSequence))),
  )

  return {
    hashOf,
    find: (hash) => sequenceOfHash(hash, ...scope) ?? made.get(`0x${hash}`),
    record,
    byAccount: (address, onlySigned) =>
      select(workload.evmSpace, (evmSequence) => {
        const sender = senderOf(evm.at(evmSequence))
        if (onlySigned || sender === address) return sender === address
        return addressesOf(evmSequence).has(address)
      }),
  }
}

/**
 * The addresses that a transaction names: contracts that log, every log topic after the first that has the form of
 * an address, and contracts called or created by a transaction that is signed as an EVM transaction.
 */
function namedAddresses({ to, contractAddress, logs }: Effects, isSigned: boolean): ReadonlySet<string> {
  const call = isSigned ? [to, contractAddress ?? ''] : []
  const topics = logs
    .flatMap((log) => log.topics.slice(1))
    .filter((topic) => topic.startsWith(`0x${'0'.repeat(24)}`))
    .map((topic) => `0x${topic.slice(26)}`)
  return new Set([...call, ...logs.map(({ address }) => address), ...topics])
}

function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`
}

/** The 2048-bit Bloom filter of the addresses and topics of the logs, with three bits for each. */
function bloomOf(logs: readonly LogDraft[]): string {
  const bloom = new Uint8Array(256)
  const items = new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))
  for (const item of items) {
    const hash = new DataView(keccak_256(hexToBytes(item.slice(2))).buffer)
    for (const offset of [0, 2, 4]) {
      const bit = hash.getUint16(offset) & 2047
      const byte = 255 - (bit >> 3)
      bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit & 7))
    }
  }
  return `0x${bytesToHex(bloom)}`
}
