import { functionOf } from './contractWords.ts'

/** A block, as far as its proposer is counted. */
export interface ProposedBlock {
  readonly height: number
  readonly timestamp?: string | null
  readonly proposer?: { readonly moniker?: string | null; readonly operatorAddress?: string | null } | null
}

/** A proposer, how many of some blocks it proposed, and the newest of them. */
export interface ProposerTally {
  readonly proposer: NonNullable<ProposedBlock['proposer']>
  readonly blocks: number
  readonly newest: ProposedBlock
}

/** Who proposed blocks, most first. Blocks are newest first, and those of an unknown proposer count for nobody. */
export function tallyProposers(blocks: readonly ProposedBlock[]): readonly ProposerTally[] {
  const tallies = new Map<string, ProposerTally>()
  for (const block of blocks) {
    const { proposer } = block
    const key = proposer?.operatorAddress ?? proposer?.moniker
    if (!proposer || !key) continue
    const last = tallies.get(key)
    tallies.set(key, { proposer, newest: last?.newest ?? block, blocks: (last?.blocks ?? 0) + 1 })
  }
  return [...tallies.values()].toSorted((a, b) => b.blocks - a.blocks)
}

/** A transaction, as far as the contracts that it called are counted. */
export interface CallingTransaction {
  readonly hash: string
  readonly height: number
  readonly timestamp?: string | null
  readonly actions?:
    | readonly {
        readonly kind: string
        readonly function?: string | null
        readonly contract?: { readonly address: string } | null
      }[]
    | null
}

/** A contract or a Move module, how often some transactions called it, by which functions, and the newest of them. */
export interface ContractTally {
  readonly address: string
  /** Such as `0x1::dex`. Several modules have one address. */
  readonly module?: string | undefined
  readonly calls: number
  /** Most often called first. */
  readonly functions: readonly string[]
  readonly isCreated: boolean
  readonly newest: CallingTransaction
}

/** The contracts that transactions called or created, most called first. Transactions are newest first. */
export function tallyContracts(transactions: readonly CallingTransaction[]): readonly ContractTally[] {
  const tallies = new Map<string, ContractTally & { readonly counts: Map<string, number> }>()
  for (const newest of transactions) {
    for (const { kind, contract, function: called } of newest.actions ?? []) {
      if (!contract) continue
      const { module, name } = partsOf(called ?? '')
      const key = module ?? contract.address
      const tally = tallies.get(key)
      const counts = tally?.counts ?? new Map<string, number>()
      if (name) counts.set(name, (counts.get(name) ?? 0) + 1)
      tallies.set(key, {
        ...{ address: contract.address, module, counts, functions: [] },
        newest: tally?.newest ?? newest,
        calls: (tally?.calls ?? 0) + 1,
        isCreated: (tally?.isCreated ?? false) || kind === 'CONTRACT_DEPLOY',
      })
    }
  }
  return [...tallies.values()]
    .map(({ counts, ...tally }) => ({
      ...tally,
      functions: [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name),
    }))
    .toSorted((a, b) => b.calls - a.calls)
}

/** The module and the name of a function as an action has it: of Move, of the EVM by signature or selector, or of Wasm. */
function partsOf(called: string): { readonly module?: string; readonly name?: string } {
  const at = called.lastIndexOf('::')
  if (at > 0) return { module: called.slice(0, at), name: called.slice(at + 2) }
  const name = /^0x[\da-f]{8}$/i.test(called) ? functionOf(called) : called.replace(/\(.*$/, '')
  return name ? { name } : {}
}
