import { memoize } from '../memoize.ts'
import { sequenceHash, sequenceOfHash } from '../random.ts'
import { coinEvents } from './coins.ts'
import { storyCost } from './costs.ts'
import type { MessageDraft } from './events.ts'
import type { Fixtures } from './fixtures.ts'
import { type Series, select } from './series.ts'
import { type Lane, laneScope } from './stories/lane.ts'
import type { Timetable } from './timetable.ts'
import { createRecord, namedAddresses, type TransactionRecord } from './transactionRecord.ts'
import type { Transactions } from './transactions.ts'

/** All native transactions of a chain: its traffic, and those of its lanes. The sequences of their interface are positions. */
export interface AllTransactions extends Transactions {
  /** The number of transactions at or below a height. */
  lastAt(height: number): number
  /** The positions of a series of the traffic. */
  ofTraffic(series: Series): Series
}

/** Records of lanes kept. */
const maxRecords = 2_000

const none: Series = { rank: () => 0, at: () => Number.NaN, has: () => false }

/** Creates the list of all transactions. */
export function createAllTransactions(
  fixtures: Fixtures,
  traffic: Transactions,
  lanes: readonly Lane[],
  timetable: Timetable,
): AllTransactions {
  const { chain } = fixtures
  const scopeOf = ({ name }: Lane) => laneScope(fixtures, name)
  const hashIn = (lane: Lane, number: number) => sequenceHash(number, ...scopeOf(lane)).toUpperCase()

  const recordIn = (lane: Lane, number: number): TransactionRecord => {
    const { signer, messages } = lane.transactionOf(number)
    const height = lane.heightOf(number)
    return createRecord(fixtures, {
      hash: hashIn(lane, number),
      height,
      cost: storyCost(fixtures, lane),
      signer,
      messages: messages.map(
        ({ type, fields, moves, events }): MessageDraft => ({
          type,
          fields,
          events: [...coinEvents(fixtures, height, moves), ...events],
        }),
      ),
      accountSequence: number,
      seal: [...scopeOf(lane), number],
      mode: 'SIGN_MODE_DIRECT',
      memo: '',
      timeoutHeight: 0,
      extensions: [],
      isTipped: false,
    })
  }
  const record = memoize(maxRecords, (position) => {
    const { lane, number } = timetable.seatOf(position)
    return lane ? recordIn(lane, number) : traffic.record(number)
  })
  // An account is looked for in each lane as a whole, and there are as many searches as accounts and requests.
  const addressesIn = new Map(
    lanes.map((lane) => [
      lane,
      memoize(maxRecords, (number: number) => namedAddresses(recordIn(lane, number).events, chain.bech32Prefix)),
    ]),
  )
  /** The numbers of a lane whose transaction is as asked. */
  const selectIn = (lane: Lane, has: (number: number) => boolean): Series => select(lane.space, has)

  return {
    lastAt: timetable.lastAt,
    ofTraffic: (series) => timetable.merge(series, () => none),
    hashOf(position) {
      const { lane, number } = timetable.seatOf(position)
      return lane ? hashIn(lane, number) : traffic.hashOf(number)
    },
    find(hash) {
      const number = traffic.find(hash)
      if (number !== undefined) return timetable.positionOf({ number })
      for (const lane of lanes) {
        const found = sequenceOfHash(hash.toLowerCase(), ...scopeOf(lane))
        if (found !== undefined && found > 0) return timetable.positionOf({ lane, number: found })
      }
      return undefined
    },
    costOf(position) {
      const { lane, number } = timetable.seatOf(position)
      return lane ? storyCost(fixtures, lane) : traffic.costOf(number)
    },
    record,
    byAccount: (address, onlySigned) =>
      timetable.merge(traffic.byAccount(address, onlySigned), (lane) =>
        selectIn(lane, (number) =>
          onlySigned
            ? lane.transactionOf(number).signer.hex === address
            : (addressesIn.get(lane)?.(number).has(address) ?? false),
        ),
      ),
    *prepare(height) {
      const ofTraffic = traffic.prepare(height)
      while (!ofTraffic.next().done) yield
      for (const [{ space }, addressesOf] of addressesIn) {
        for (let number = 1; number <= space.head + space.span; number++) {
          addressesOf(number)
          yield
        }
      }
    },
    byMessages: (types) =>
      timetable.merge(traffic.byMessages(types), (lane) =>
        selectIn(lane, (number) =>
          lane.transactionOf(number).messages.some(({ type }) => types.includes(type.slice(1))),
        ),
      ),
  }
}
