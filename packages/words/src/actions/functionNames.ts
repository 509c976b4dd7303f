import { selectorOf } from './evmLogs.ts'

/**
 * What functions of contracts are called in sentences: names by a selector such as `0xa9059cbb`, a signature such as
 * `swap(uint256)`, or a function of a Move module such as `0x1::dex::swap_script`.
 */
export type FunctionNames = Readonly<Record<string, string>>

/** The name of a function, or undefined if nobody knows it. A selector is no proof: any contract can have it. */
export type NameOfFunction = (called: string) => string | undefined

/**
 * Functions of contracts that are on many EVM chains, by their signatures: wrapped coins, permits, exchanges, vaults, lending,
 * bridges, accounts and NFTs. Those of EIP-20, EIP-721 and EIP-1155 have sentences of their own where the logs confirm them.
 */
const signatures = `
  transfer(address,uint256) transferFrom(address,address,uint256) approve(address,uint256)
  safeTransferFrom(address,address,uint256) safeTransferFrom(address,address,uint256,bytes)
  safeTransferFrom(address,address,uint256,uint256,bytes)
  deposit() withdraw(uint256) deposit(uint256) withdraw(uint256,address) mint(uint256) mint(address,uint256) burn(uint256)
  burn(address,uint256) burnFrom(address,uint256) increaseAllowance(address,uint256) decreaseAllowance(address,uint256)
  permit(address,address,uint256,uint256,uint8,bytes32,bytes32) multicall(bytes[]) multicall(uint256,bytes[])
  aggregate3((address,bool,bytes)[]) execute(bytes,bytes[]) execute(bytes,bytes[],uint256) execute(address,uint256,bytes)
  swap(uint256) swap(uint256,uint256,address,bytes) swap(address,bool,int256,uint160,bytes)
  swapExactTokensForTokens(uint256,uint256,address[],address,uint256)
  swapTokensForExactTokens(uint256,uint256,address[],address,uint256)
  swapExactETHForTokens(uint256,address[],address,uint256) swapExactTokensForETH(uint256,uint256,address[],address,uint256)
  swapETHForExactTokens(uint256,address[],address,uint256)
  exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))
  exactInput((bytes,address,uint256,uint256,uint256))
  exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))
  addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)
  removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)
  addLiquidityETH(address,uint256,uint256,uint256,address,uint256)
  removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)
  deposit(uint256,address) mint(uint256,address) withdraw(uint256,address,address) redeem(uint256,address,address)
  supply(address,uint256,address,uint16) borrow(address,uint256,uint256,uint16,address) repay(address,uint256,uint256,address)
  stake(uint256) unstake(uint256) getReward() claim() claim(address) claimRewards() harvest() exit() delegate(address)
  vote(uint256) castVote(uint256,uint8) propose(address[],uint256[],bytes[],string)
  transferRemote(uint32,bytes32,uint256) depositForBurn(uint256,uint32,bytes32,address)
  send((uint32,bytes32,uint256,uint256,bytes,bytes,bytes),(uint256,uint256),address)
  handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)
  setApprovalForAll(address,bool) safeMint(address) safeMint(address,uint256) mint(address) mint()
  pause() unpause() transferOwnership(address) renounceOwnership() upgradeTo(address) upgradeToAndCall(address,bytes)
  initialize() grantRole(bytes32,address) revokeRole(bytes32,address)
`
  .trim()
  .split(/\s+/)

/** The name of a signature: `swap` of `swap(uint256)`. */
const nameIn = (signature: string): string => signature.replace(/\(.*$/s, '')

// Made at the first call of a contract: the hashes take thirteen milliseconds. It follows from `signatures` alone.
let common: ReadonlyMap<string, string> | undefined

/** Names of functions: those that are given, then those of `signatures`. */
export function createFunctionNames(given: FunctionNames = {}): NameOfFunction {
  const names = new Map(
    Object.entries(given).map(([called, name]): [string, string] => [
      called.includes('(') ? selectorOf(called) : called,
      name,
    ]),
  )
  return (called) => {
    common ??= new Map(signatures.map((each) => [selectorOf(each), nameIn(each)]))
    const key = called.includes('(') ? selectorOf(called) : called
    return names.get(key) ?? common.get(key) ?? (key === called ? undefined : nameIn(called))
  }
}
