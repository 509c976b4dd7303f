import { z } from 'zod'
import { builder } from '../../../graphql/builder.ts'
import { list, quantity, stringOrEmpty } from '../../../upstream/decode.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { Account, account } from '../account.ts'

/** A log of a receipt on the wire. */
export const log = z.object({
  address: z.string(),
  topics: list(z.string()),
  data: stringOrEmpty,
  logIndex: quantity,
  removed: z.boolean().nullish(),
})

interface LogShape {
  readonly chain: ServedChain
  readonly record: z.output<typeof log>
}

export const EvmLog = builder.objectRef<LogShape>('EvmLog').implement({
  description: 'An entry a contract wrote while an EVM transaction ran.',
  fields: (t) => ({
    account: t.field({
      type: Account,
      description: 'The contract that wrote it.',
      resolve: ({ chain, record }) => account(chain, record.address),
    }),
    topics: t.field({
      type: ['Hex'],
      description: 'Up to four words of 32 bytes; the first is mostly the hash of the event.',
      resolve: ({ record }) => [...record.topics],
    }),
    data: t.field({
      type: 'Hex',
      description: 'What was logged besides the topics, ABI-encoded.',
      resolve: ({ record }) => record.data,
    }),
    index: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'Its position among the logs of the block, from 0.',
      resolve: ({ record }) => record.logIndex,
    }),
    isRemoved: t.boolean({
      description: 'Whether a reorganisation took it back; never so on these chains.',
      resolve: ({ record }) => record.removed === true,
    }),
  }),
})
