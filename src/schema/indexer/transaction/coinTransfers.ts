import { readCoins } from '../../../balanceChanges/coins.ts'
import { partsOf } from '../../../balanceChanges/events.ts'
import { builder } from '../../../graphql/builder.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { ChainAccount, chainAccountOf } from '../../account/chainAccount.ts'
import { Coin, type CoinShape, coinsOf } from '../coin.ts'
import { Transaction } from './transaction.ts'
import type { EventRecord } from './wire.ts'

/** Coins that moved from one account to another. */
interface CoinTransfer {
  readonly chain: ServedChain
  readonly sender: string | null
  readonly recipient: string | null
  readonly coins: readonly CoinShape[]
}

/** The transfers that the bank module reports in events of the type `transfer`. */
export const coinTransfersOf = (
  chain: ServedChain,
  events: readonly EventRecord[],
): CoinTransfer[] =>
  events
    .filter(({ type }) => type === 'transfer')
    .flatMap(partsOf)
    .flatMap((part) => {
      const coins = coinsOf(chain, readCoins(part.get('amount') ?? ''))
      const [sender = null, recipient = null] = [part.get('sender'), part.get('recipient')]
      return coins.length > 0 && (sender || recipient) ? [{ chain, sender, recipient, coins }] : []
    })

const CoinTransfer = builder.objectRef<CoinTransfer>('CoinTransfer').implement({
  description: 'Coins that a transaction moved from one account to another.',
  fields: (t) => ({
    sender: t.field({
      type: ChainAccount,
      nullable: true,
      description: 'The account that had the coins. Null if omitted.',
      resolve: ({ chain, sender }) => chainAccountOf(chain, sender),
    }),
    recipient: t.field({
      type: ChainAccount,
      nullable: true,
      description: 'The account that has the coins now. Null if omitted.',
      resolve: ({ chain, recipient }) => chainAccountOf(chain, recipient),
    }),
    coins: t.field({
      type: [Coin],
      description: 'The coins.',
      resolve: ({ coins }) => coins,
    }),
  }),
})

builder.objectField(Transaction, 'coinTransfers', (t) =>
  t.field({
    type: [CoinTransfer],
    description: 'Native coins moved, from its `transfer` events. The first is usually the fee.',
    resolve: ({ chain, record }) => coinTransfersOf(chain, record.events),
  }),
)
