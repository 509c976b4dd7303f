// biome-ignore lint/performance/noBarrelFile: an entry point of this package, from before the words were one
export {
  type BalanceChange,
  balanceChanges,
  type ChainEvent,
  type ChangeOptions,
  type EventChain,
  type ExecutedTransaction,
  type KnownDenoms,
  knownDenoms,
  type ListedDenom,
} from '@portolan/words'
