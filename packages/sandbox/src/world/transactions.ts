import { memoize } from '../memoize.ts'
import { itemAt, sequenceHash, sequenceOfHash } from '../random.ts'
import { type Cost, costOf } from './costs.ts'
import { ethereumMemo, isSignedAsEthereum } from './ethereum.ts'
import type { Fixtures } from './fixtures.ts'
import { messagesOf } from './messages.ts'
import { amountOf, partiesOf } from './parties.ts'
import { lastSequence, placeOf } from './schedule.ts'
import { representative, type Series, select } from './series.ts'
import type { Shape } from './shape.ts'
import {
  createRecord,
  eventsOfRecord,
  namedAddresses,
  type TransactionParts,
  type TransactionRecord,
} from './transactionRecord.ts'
import type { Workload } from './workload.ts'

/** The native transactions of a chain. Sequences count them from 1. */
export interface Transactions {
  hashOf(sequence: number): string
  /** The sequence of a hash of 64 digits, in any case. Its block may not exist yet. */
  find(hash: string): number | undefined
  costOf(sequence: number): Cost
  record(sequence: number): TransactionRecord
  /** The transactions whose events name the 0x address or, if `onlySigned`, whose first signer it is. */
  byAccount(address: string, onlySigned: boolean): Series
  /** Reads whom each of them names, for `byAccount`, and pauses after each. It begins with the newest ones at a height. */
  prepare(height: number): Iterator<void>
  /** The transactions with a message of any of these types, without the leading slash. */
  byMessages(types: readonly string[]): Series
}

const memos = ['', '', '', 'ahoy', 'tip for the crew ⚓', '', 'half a NUL: \ufffd', '', '고마워요']
const outOfGas = 11
const extension = { '@type': '/sandbox.v1.Note', text: 'ignored by nodes' }
/** Records kept, a few kilobytes each. */
const maxRecords = 4_000

/** Creates the native transactions of a workload. */
export function createTransactions(fixtures: Fixtures, workload: Workload): Transactions {
  const { chain, seed } = fixtures
  const scope = [seed, chain.chainId, 'tx'] as const

  const costAt = (sequence: number): Cost => costOf(fixtures, workload.shapeAt(sequence))

  const partsOf = (sequence: number): TransactionParts => {
    const shape = workload.shapeAt(sequence)
    const { height } = placeOf(sequence)
    const cost = costAt(sequence)
    const isEthereum = isSignedAsEthereum(fixtures, shape)
    return {
      get hash() {
        return sequenceHash(sequence, ...scope).toUpperCase()
      },
      height,
      cost,
      messages: messagesOf(fixtures, shape, sequence),
      signer: signerOf(sequence),
      accountSequence: Math.floor(sequence / fixtures.users.length),
      seal: [...scope, sequence],
      failure: shape.failed ? failureOf(fixtures, cost, shape) : undefined,
      mode: isEthereum ? 'SIGN_MODE_ETHEREUM' : 'SIGN_MODE_DIRECT',
      memo: isEthereum ? ethereumMemo(fixtures) : itemAt(memos, sequence),
      timeoutHeight: sequence % 5 === 2 ? height + 100 : 0,
      extensions: sequence % 11 === 4 ? [extension] : [],
      isTipped: sequence % 13 === 5,
    }
  }
  const signerOf = (sequence: number) => partiesOf(fixtures, workload.shapeAt(sequence))[0]
  const typesOf = memoize(maxRecords, (sequence) =>
    messagesOf(fixtures, workload.shapeAt(sequence), sequence).map(({ type }) => type.slice(1)),
  )
  const addressesOf = memoize(maxRecords, (sequence) =>
    namedAddresses(eventsOfRecord(fixtures, partsOf(sequence)), chain.bech32Prefix),
  )

  return {
    hashOf: (sequence) => sequenceHash(sequence, ...scope).toUpperCase(),
    find: (hash) => sequenceOfHash(hash.toLowerCase(), ...scope),
    costOf: costAt,
    record: memoize(maxRecords, (sequence) => createRecord(fixtures, partsOf(sequence))),
    byAccount: (address, onlySigned) =>
      select(workload.space, (sequence) =>
        onlySigned ? signerOf(sequence).hex === address : addressesOf(sequence).has(address),
      ),
    *prepare(height) {
      const { head, span } = workload.space
      const newest = lastSequence(Math.max(1, height))
      for (let sequence = newest; sequence > Math.max(0, newest - span); sequence--) {
        addressesOf(representative(workload.space, sequence))
        yield
      }
      for (let sequence = 1; sequence <= head + span; sequence++) {
        addressesOf(sequence)
        yield
      }
    },
    byMessages: (types) => select(workload.space, (sequence) => typesOf(sequence).some((type) => types.includes(type))),
  }
}

function failureOf(fixtures: Fixtures, cost: Cost, shape: Shape) {
  const { variant } = shape
  const { denom } = fixtures.chain
  if (variant === 0) {
    const used = `gasWanted: ${cost.gasWanted}, gasUsed: ${cost.gasUsed}`
    const log = `out of gas in location: WriteFlat; ${used}: out of gas`
    return { codespace: 'sdk', code: outOfGas, log }
  }
  if (variant === 1) {
    const amount = amountOf(fixtures, shape)
    const log = `spendable balance ${amount / 2n}${denom} is smaller than ${amount}${denom}: insufficient funds`
    return { codespace: 'sdk', code: 5, log: `failed to execute message; message index: 0: ${log}` }
  }
  const codespace = fixtures.chain.vm
  const log = 'failed to execute message; message index: 0: execution reverted'
  return { codespace, code: 7, log }
}
