import type { Steps } from '#kit/steps'
import { readCoins } from '#words/balanceChanges/coins'
import { partsOf } from '#words/balanceChanges/events'
import { builder } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { ChainAccount, chainAccountOf } from '../../account/chainAccount.ts'
import { Coin, type CoinShape, coinsOf } from '../coin.ts'
import { readRecord } from '../readRecord.ts'
import { Transaction } from './transaction.ts'
import { allEventsOf, type EventRecord } from './wire.ts'

/** Coins that moved from one account to another. */
export interface CoinTransfer {
  readonly chain: ServedChain
  readonly sender: string | null
  readonly recipient: string | null
  readonly coins: readonly CoinShape[]
}

/** The transfers that the bank module reports in events of the type `transfer`. */
export function* coinTransfersOf(chain: ServedChain, events: readonly EventRecord[]): Steps<CoinTransfer[]> {
  const transfers: CoinTransfer[] = []
  for (const event of events) {
    if (event.type !== 'transfer') continue
    for (const part of yield* partsOf(event)) {
      yield
      const coins = coinsOf(chain, readCoins(part.get('amount') ?? ''))
      const [sender = null, recipient = null] = [part.get('sender'), part.get('recipient')]
      if (coins.length === 0 || !(sender || recipient)) continue
      transfers.push({ chain, sender, recipient, coins })
    }
  }
  return transfers
}

const CoinTransfer = builder.objectRef<CoinTransfer>('CoinTransfer').implement({
  description: 'Coins that a transaction moved from one account to another.',
  fields: (t) => ({
    sender: t.nullable(ChainAccount, 'The account that had the coins. Null if omitted.', ({ chain, sender }) =>
      chainAccountOf(chain, sender),
    ),
    recipient: t.nullable(
      ChainAccount,
      'The account that has the coins now. Null if omitted.',
      ({ chain, recipient }) => chainAccountOf(chain, recipient),
    ),
    coins: t.nullable([Coin], 'The coins.', ({ coins }) => coins),
  }),
})

builder.objectField(Transaction, 'coinTransfers', (t) =>
  t.nullable(
    [CoinTransfer],
    'Native coins moved, from its `transfer` events. The first is usually the fee.',
    ({ chain, record }, _args, context) =>
      readRecord(context, 'coinTransfers', coinTransfersOf(chain, allEventsOf(chain, record))),
  ),
)
