import type { Row } from '../../../../packages/kit/src/table.ts'
import type { ReturnedHalf } from '../../src/koinly/findReturned.ts'
import type { Action, ActionAmount, KoinlyAsset, KoinlyChange, KoinlyEdge } from '../../src/koinly/koinlyEdge.ts'
import { koinlyTable } from '../../src/koinly/koinlyTable.ts'
import type { Ledger } from '../../src/table.ts'

export const me = '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'
export const nowhere: Pick<KoinlyAsset, 'originChainId' | 'originDenom'> = { originChainId: null, originDenom: null }
export const init = {
  ...nowhere,
  symbol: 'INIT',
  decimals: 6,
  origin: { chainId: 'hub-1', denom: 'uinit', symbol: 'INIT' },
}
export const usdc = {
  ...nowhere,
  symbol: 'USDC.axl',
  decimals: 6,
  origin: { chainId: 'noble-1', denom: 'uusdc', symbol: 'USDC' },
}

export const change = (amount: string, more: Partial<KoinlyChange> = {}): KoinlyChange => ({
  ...{
    kind: 'COIN',
    amount,
    usdValueAtTime: null,
    denom: 'uinit',
    objectAddress: null,
  },
  ...{ messageIndex: 0, contract: null, collection: null, asset: init },
  ...more,
})
export const fee = (amount: string, more: Partial<KoinlyChange> = {}) =>
  change(amount, { kind: 'FEE', messageIndex: null, ...more })

export const action = (kind: string, more: Partial<Action> = {}): Action => ({
  ...{ kind, rawKind: null, summary: `Did ${kind}`, messageIndex: 0, isSuccessful: true },
  ...{ actor: { hexAddress: me }, remoteAddress: null, amounts: [], receivedAmounts: [] },
  ...more,
})

export const coin = (amount: string, denom = 'uinit'): ActionAmount => ({ amount, denom, asset: init })

/** A transaction of the account, which signed it. */
export function edge(
  actions: readonly Action[],
  balanceChanges: readonly KoinlyChange[],
  more: Partial<NonNullable<KoinlyEdge['node']>> = {},
): KoinlyEdge {
  const signers = [{ account: { hexAddress: me } }]
  const node = { hash: 'AB', timestamp: '2026-11-21T11:44:39.999999999Z', isSuccessful: true }
  return { chain: { chainId: 'hub-1' }, node: { ...node, actions, signers, ...more }, balanceChanges }
}

/** The rows of transactions as texts, without the time, and what is kept from them. */
export function write(
  edges: readonly KoinlyEdge[],
  halves: Record<string, ReturnedHalf> = {},
  includesUnlisted = false,
  ledger: Ledger = { lists: {}, notes: {} },
) {
  const table = tableOf({ halves, includesUnlisted })
  return toTexts(
    edges.flatMap((each) => table.rowsOf(each, ledger)),
    ledger,
  )
}

/** The same, once it was asked whose the symbols are: `owners` has those that the lists say. */
export async function writeAsked(
  edges: readonly KoinlyEdge[],
  owners: Record<string, string>,
  ledger: Ledger = { lists: {}, notes: {} },
) {
  const table = tableOf({ owners })
  await table.prepare?.(edges, ledger)
  return toTexts(
    edges.flatMap((each) => table.rowsOf(each, ledger)),
    ledger,
  )
}

function tableOf({
  halves = {},
  owners = {},
  includesUnlisted = false,
}: {
  readonly halves?: Record<string, ReturnedHalf>
  readonly owners?: Record<string, string>
  readonly includesUnlisted?: boolean
}) {
  return koinlyTable({
    account: me,
    isOwn: (address) => address === me,
    returned: (_chainId, hash) => [halves[hash] ?? []].flat(),
    findAsset: async () => null,
    findOwners: async () => new Map(Object.entries(owners)),
    includesUnlisted,
  })
}

const toTexts = (all: readonly Row[], { notes }: Ledger) => ({
  rows: all.map((row) =>
    row
      .slice(1)
      .map((value) => value ?? '')
      .join('|'),
  ),
  notes,
  all,
})
