import { builder } from '../../../engine/graphql/builder.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'

/** An event of a live list in place of a record. */
export interface Notice {
  readonly kind: 'GAP' | 'LATE' | 'HEAD_BEHIND' | 'MISSING' | 'UNREADABLE' | 'UNSUPPORTED' | 'REMOVED'
  readonly message: string
  /** Newest height of the indexer. Null if it has not answered. */
  readonly headHeight: bigint | null
  readonly missing: { readonly first: bigint; readonly last: bigint } | null
}

const LiveNoticeKind = builder.enumType('LiveNoticeKind', {
  description: 'Kind of a notice.',
  values: {
    GAP: {
      description: 'The cursor is too old to continue from. The list starts here: read anew.',
    },
    LATE: { description: 'No new block, or no readable answer, for some time. Records follow.' },
    HEAD_BEHIND: { description: 'The indexer is behind what it sent before. Records follow.' },
    MISSING: {
      description: 'The indexer lacks these blocks, or they cannot be read. They are skipped.',
    },
    REMOVED: { description: 'The chain is gone. No records follow.' },
    UNREADABLE: {
      description: 'A transaction of the chain cannot be read, and may be one of the account. It is skipped.',
    },
    UNSUPPORTED: { description: "The indexer's records cannot be followed. No records follow." },
  },
})

export const LiveNotice = builder.objectRef<Notice>('LiveNotice').implement({
  description: 'Why a live list has no new records, or a gap.',
  fields: (t) => ({
    kind: t.expose('kind', { type: LiveNoticeKind, description: 'What happened.' }),
    message: t.value('String', 'The same in words.', ({ message }) => message),
    headHeight: t.expose('headHeight', {
      type: 'UInt53',
      nullable: true,
      description: 'Newest height of the indexer. Null if it has not answered.',
    }),
    firstMissingHeight: t.nullable(
      'UInt53',
      'First height that is missing. Null for other kinds than `MISSING`.',
      ({ missing }) => missing?.first ?? null,
    ),
    lastMissingHeight: t.nullable(
      'UInt53',
      'Last height that is missing. Null for other kinds than `MISSING`.',
      ({ missing }) => missing?.last ?? null,
    ),
  }),
})

/** The notice that records before the first one may be missing. */
export const gapNotice = (chainId: string, headHeight: bigint | null): Notice => ({
  kind: 'GAP',
  message: `The cursor is too old to continue after it. What is new on ${chainId} follows.`,
  headHeight,
  missing: null,
})

/** The notice that a transaction cannot be read, so that its accounts are unknown. */
export const unreadableNotice = (chainId: string): Notice => ({
  kind: 'UNREADABLE',
  message: `A transaction of ${chainId} cannot be read. It may be one of this account.`,
  headHeight: null,
  missing: null,
})

/** The notice that a chain has no new block. */
export const lateNotice = (chainId: string, headHeight: bigint | null): Notice => ({
  kind: 'LATE',
  message:
    headHeight === null
      ? `The indexer of ${chainId} does not answer.`
      : `The indexer of ${chainId} has no block after ${headHeight} yet.`,
  headHeight,
  missing: null,
})

/** The notice that records cannot be read and are requested again. `records` says which ones. */
export const stuckNotice = (records: string, headHeight: bigint | null, error: unknown): Notice => ({
  kind: 'LATE',
  message: `The ${records} cannot be read: ${error instanceof GatewayError ? error.message : 'Unexpected error.'} They are requested again.`,
  headHeight,
  missing: null,
})
