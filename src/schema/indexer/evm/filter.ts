import { builder } from '../../../graphql/builder.ts'
import { timeFields } from '../time/timeFilter.ts'

/** The filter of the EVM transactions of an account. */
export const ChainAccountEvmTransactionFilter = builder.inputType(
  'ChainAccountEvmTransactionFilter',
  {
    description: 'Which EVM transactions of an account to list. All conditions hold.',
    fields: (t) => ({
      signedOnly: t.boolean({
        description: 'Only transactions that the account sent. Default: false.',
      }),
      since: t.field(timeFields.since),
      until: t.field(timeFields.until),
    }),
  },
)
