import { builder } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { readValue } from '../../../engine/upstream/upstreamError.ts'
import { countOrNull } from '../../../engine/wire/decode.ts'
import { ChainAccount, chainAccountOf } from '../../account/chainAccount.ts'
import { Coin, coinsOf } from '../coin.ts'
import { Transaction, type TransactionShape } from './transaction.ts'
import type { TipRecord } from './wire.ts'

// Signed fields beside the messages. Few transactions use them.

interface Tip {
  readonly chain: ServedChain
  readonly record: TipRecord
}

const TransactionTip = builder.objectRef<Tip>('TransactionTip').implement({
  description: 'A tip that pays another signer for the fee of a transaction.',
  fields: (t) => ({
    amount: t.nullable([Coin], 'Coins of the tip.', ({ chain, record }) => coinsOf(chain, record.amount)),
    tipper: t.nullable(ChainAccount, 'The account that pays the tip. Null if omitted.', ({ chain, record }) =>
      chainAccountOf(chain, record.tipper),
    ),
  }),
})

const timeoutHeightOf = ({ chain, record }: TransactionShape): bigint | null =>
  readValue(chain.chainId, record.tx?.body?.timeout_height) || null

builder.objectFields(Transaction, (t) => ({
  signatures: t.nullable(
    ['String'],
    'Signatures in base64, in the order of `signers`. Empty if not indexed.',
    ({ record }) => record.tx?.signatures ?? [],
  ),
  timeoutHeight: t.nullable('UInt53', 'The last height to execute it. Null if none, or beyond 2^53 - 1.', (shape) =>
    countOrNull(timeoutHeightOf(shape)),
  ),
  exactTimeoutHeight: t.nullable('BigInt', '`timeoutHeight` of up to 64 bits. Null if none.', timeoutHeightOf),
  tip: t.nullable(TransactionTip, 'The tip. Null if none.', ({ chain, record }) => {
    const tip = readValue(chain.chainId, record.tx?.auth_info?.tip)
    return tip ? { chain, record: tip } : null
  }),
  extensionOptions: t.nullable(
    ['JSON'],
    'Extensions a node must know to execute it. Mostly empty.',
    ({ record }) => record.tx?.body?.extension_options ?? [],
  ),
  nonCriticalExtensionOptions: t.nullable(
    ['JSON'],
    'Extensions that a node may ignore. Mostly empty.',
    ({ record }) => record.tx?.body?.non_critical_extension_options ?? [],
  ),
}))
