import type { Quirks, SandboxChain, Vm } from '../chains.ts'

/** How the indexers of an odd sandbox differ. What hides much of a chain is not among it. */
const quirksByVm: Readonly<Record<Vm, Quirks>> = {
  move: { missingHeights: true, oddRecords: true, totals: 'timeout' },
  evm: { maxLimit: 40, missingHeights: true, oddRecords: true },
  wasm: {
    burns: true,
    looseTies: true,
    missingHeights: true,
    oddIds: true,
    oddRecords: true,
    opaqueKeys: true,
  },
}

/** The chain with an odd indexer. Its own quirks win. */
export const oddChain = (chain: SandboxChain): SandboxChain => ({
  ...chain,
  quirks: { ...quirksByVm[chain.vm], ...chain.quirks },
})
