import type { SandboxChain } from './chains.ts'

/** What a unit of gas costs in most transactions of a chain, in base units of its coin. */
export const usualGasPrice = ({ decimals }: Pick<SandboxChain, 'decimals'>): bigint =>
  decimals === 18 ? 1_000_000_000n : 1n
