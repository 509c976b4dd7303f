import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { effectsOf } from './effects.ts'
import type { Fixtures } from './fixtures.ts'
import { partiesOf } from './parties.ts'
import type { Shape, TransactionKind } from './shape.ts'
import { isMultisig } from './signerKey.ts'

// A MiniEVM chain has two kinds of EVM transactions: those that were signed as such, and one for each other
// native transaction that made a contract emit a log.

const contractKinds: ReadonlySet<TransactionKind> = new Set(['createCollection', 'transferNft', 'execute', 'deploy'])

/** Whether a native transaction was signed and sent as an EVM transaction. A multisig key cannot do that. */
export const isSignedAsEthereum = (fixtures: Fixtures, shape: Shape): boolean =>
  fixtures.chain.vm === 'evm' &&
  contractKinds.has(shape.kind) &&
  !shape.isRepeat &&
  !isMultisig(partiesOf(fixtures, shape)[0].hex)

/** Whether a native transaction also has an EVM receipt. */
export function hasReceipt(fixtures: Fixtures, shape: Shape): boolean {
  if (isSignedAsEthereum(fixtures, shape)) return true
  return fixtures.chain.vm === 'evm' && effectsOf(fixtures, shape).logs.length > 0
}

/**
 * The hash of the EVM transaction that MiniEVM makes of a native one with this hash, in hex: a legacy transaction
 * without a signature, whose data is the native hash.
 */
export function madeHash(nativeHash: string): string {
  const rlp = `e9${'80'.repeat(5)}a0${nativeHash}${'80'.repeat(3)}`
  return `0x${bytesToHex(keccak_256(hexToBytes(rlp)))}`
}

/** The memo of a transaction that was signed as an EVM transaction: what its native form has no field for. */
export const ethereumMemo = ({ gasPrice }: Fixtures): string =>
  JSON.stringify({ type: 2, gas_fee_cap: String(gasPrice), gas_tip_cap: '0' })
