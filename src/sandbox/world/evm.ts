import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { memoize } from '../memoize.ts'
import { hexDigest, sequenceHash, sequenceOfHash } from '../random.ts'
import { sequencesAt } from './blocks.ts'
import { type Effects, effectsOf, type LogDraft, partiesOf } from './effects.ts'
import type { Fixtures } from './fixtures.ts'
import { placeOf } from './schedule.ts'
import { type Series, select } from './series.ts'
import type { Cost } from './transactions.ts'
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

/** Receipts kept. */
const maxRecords = 2_000

/** Creates the EVM transactions of a workload. */
export function createEvmTransactions(
  fixtures: Fixtures,
  { evm, evmSpace, shapeAt }: Workload,
  costOf: (sequence: number) => Cost,
): EvmTransactions {
  const { chain, seed } = fixtures
  const scope = [seed, chain.chainId, 'evm'] as const
  const hashOf = (evmSequence: number) => `0x${sequenceHash(evmSequence, ...scope)}`
  const effects = (sequence: number) => effectsOf(fixtures, shapeAt(sequence), sequence)

  const record = memoize(maxRecords, (evmSequence): ReceiptRecord => {
    const sequence = evm.at(evmSequence)
    const shape = shapeAt(sequence)
    const { height } = placeOf(sequence)
    const before = sequencesAt(height).filter(
      (other) => other < sequence && evm.rank(other) > evm.rank(other - 1),
    )
    const { gasUsed } = costOf(sequence)
    const gasBefore = before.reduce((sum, other) => sum + costOf(other).gasUsed, 0n)
    const logsBefore = before.reduce((sum, other) => sum + effects(other).logs.length, 0)
    const { to, contractAddress, logs } = effects(sequence)
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
      effectiveGasPrice: quantity(fixtures.gasPrice),
      from: partiesOf(fixtures, shape)[0].hex,
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
      type: '0x2',
    }
  })

  const addressesOf = memoize(maxRecords, (evmSequence) =>
    namedAddresses(effects(evm.at(evmSequence))),
  )

  return {
    hashOf,
    find: (hash) => sequenceOfHash(hash, ...scope),
    record,
    byAccount: (address, onlySigned) =>
      select(evmSpace, (evmSequence) => {
        const sender = partiesOf(fixtures, shapeAt(evm.at(evmSequence)))[0].hex
        if (onlySigned || sender === address) return sender === address
        return addressesOf(evmSequence).has(address)
      }),
  }
}

/** The addresses a transaction names: contracts called, created or logging, and every log topic after the first that has the form of an address. */
function namedAddresses({ to, contractAddress, logs }: Effects): ReadonlySet<string> {
  const topics = logs
    .flatMap((log) => log.topics.slice(1))
    .filter((topic) => topic.startsWith(`0x${'0'.repeat(24)}`))
    .map((topic) => `0x${topic.slice(26)}`)
  return new Set([to, contractAddress ?? '', ...logs.map(({ address }) => address), ...topics])
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
