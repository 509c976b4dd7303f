import { builder } from '../../../graphql/builder.ts'
import { ifKnown } from '../../../graphql/fields.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { ChainAccount, chainAccount } from '../../account/chainAccount.ts'
import type { LogRecord } from './wire.ts'

interface LogShape {
  readonly chain: ServedChain
  readonly record: LogRecord
}

export const EvmLog = builder.objectRef<LogShape>('EvmLog').implement({
  description: 'A log that a contract emitted during an EVM transaction.',
  fields: (t) => ({
    account: t.field({
      type: ChainAccount,
      description: 'The contract that emitted the log.',
      resolve: ({ chain, record }) => chainAccount(chain, record.address),
    }),
    topics: t.field({
      type: ['Hex'],
      nullable: true,
      description:
        'Up to four topics of 32 bytes. The first is usually the hash of the event signature.',
      resolve: ({ record }) => record.topics,
    }),
    data: t.field({
      type: 'Hex',
      description: 'Data of the log that is not in the topics, ABI-encoded. `0x` if empty.',
      resolve: ({ record }) => record.data,
    }),
    index: ifKnown(
      t,
      'UInt53',
      'Position among the logs of the block, from 0.',
      ({ record }) => record.logIndex,
    ),
    isRemoved: t.boolean({
      description: 'Whether a reorganization removed the log. Always false on final chains.',
      resolve: ({ record }) => record.removed === true,
    }),
  }),
})
