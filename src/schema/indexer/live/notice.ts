import { builder } from '../../../graphql/builder.ts'
import { GatewayError } from '../../../upstream/error.ts'

/** What there is to tell about the source of a live list, instead of a record. */
export interface Notice {
  readonly kind: 'GAP' | 'LATE' | 'HEAD_BEHIND' | 'MISSING' | 'UNSUPPORTED' | 'REMOVED'
  readonly message: string
  /** Newest height of the indexer. Null if it has not answered. */
  readonly headHeight: bigint | null
  readonly missing: { readonly first: bigint; readonly last: bigint } | null
}

const LiveNoticeKind = builder.enumType('LiveNoticeKind', {
  description: 'What a live list reports instead of a record.',
  values: {
    GAP: {
      description:
        'The list cannot continue after the cursor, which was signed with a key that the gateway no longer has. It starts here: read what is shown anew.',
    },
    LATE: {
      description:
        'The indexer has no new block for some time, or does not answer, or its answers cannot be read. Records follow when they can be read.',
    },
    HEAD_BEHIND: {
      description:
        'The newest block of the indexer is below the last one sent, as at a replica that is behind. Records follow when it has passed that block.',
    },
    MISSING: {
      description:
        'The indexer has later blocks, but not these ones, or they cannot be read. They are skipped, and the cursor is after them.',
    },
    REMOVED: {
      description: 'This gateway no longer serves the chain. No records come from it.',
    },
    UNSUPPORTED: {
      description:
        'The indexer neither numbers its records nor lists the newest first, so new ones cannot be followed. No records come from it.',
    },
  },
})

export const LiveNotice = builder.objectRef<Notice>('LiveNotice').implement({
  description: 'Why a live list has no new records, or a gap.',
  fields: (t) => ({
    kind: t.expose('kind', { type: LiveNoticeKind, description: 'What happened.' }),
    message: t.exposeString('message', { description: 'The same in words.' }),
    headHeight: t.expose('headHeight', {
      type: 'UInt53',
      nullable: true,
      description: 'Newest height of the indexer. Null if it has not answered.',
    }),
    firstMissingHeight: t.field({
      type: 'UInt53',
      nullable: true,
      description: 'First height that is missing. Null for other kinds than `MISSING`.',
      resolve: ({ missing }) => missing?.first ?? null,
    }),
    lastMissingHeight: t.field({
      type: 'UInt53',
      nullable: true,
      description: 'Last height that is missing. Null for other kinds than `MISSING`.',
      resolve: ({ missing }) => missing?.last ?? null,
    }),
  }),
})

/** The notice that records before the first one may be missing. */
export const gapNotice = (chainId: string, headHeight: bigint | null): Notice => ({
  kind: 'GAP',
  message: `The cursor is too old to continue after it. What is new on ${chainId} follows.`,
  headHeight,
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

/** The notice that records cannot be requested, again and again. `records` says which ones. */
export const stuckNotice = (
  records: string,
  headHeight: bigint | null,
  error: unknown,
): Notice => ({
  kind: 'LATE',
  message: `The ${records} cannot be read: ${error instanceof GatewayError ? error.message : 'Unexpected error.'} They are requested again.`,
  headHeight,
  missing: null,
})
