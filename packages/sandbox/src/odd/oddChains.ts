import type { Quirks, SandboxChain, Vm } from '../chains.ts'

/** How the indexers of an odd sandbox differ. What hides much of a chain is not among it. */
const quirksByVm: Readonly<Record<Vm, Quirks>> = {
  move: { missingHeights: 'many', oddRecords: true, totals: 'timeout' },
  evm: { maxLimit: 40, missingHeights: 'many', oddRecords: true },
  wasm: {
    burns: true,
    looseTies: true,
    missingHeights: 'many',
    oddIds: true,
    oddRecords: true,
    opaqueKeys: true,
  },
}

/** The chain with an odd indexer. */
export const oddChain = (chain: SandboxChain): SandboxChain => ({
  ...chain,
  quirks: { ...chain.quirks, ...quirksByVm[chain.vm] },
})
