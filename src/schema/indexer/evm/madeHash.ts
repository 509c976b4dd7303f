import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { TransactionRecord } from '../transaction/wire.ts'

// Of a Cosmos transaction that was not signed as an EVM transaction, MiniEVM makes a legacy transaction without a
// signature, whose data is the Cosmos hash (`extractEthTxInfo` in its indexer). Its hash can be computed: it is
// that of the RLP of `[0, 0, 0, "", 0, <Cosmos hash>, 0, 0, 0]`, a list of 41 bytes.
const head = `e9${'80'.repeat(5)}a0`
const tail = '80'.repeat(3)

/**
 * The hash of the EVM transaction that MiniEVM makes of a transaction that was not signed as one: lower case with
 * `0x`. Undefined if the Cosmos hash is none.
 */
export const madeHash = ({ txhash }: Pick<TransactionRecord, 'txhash'>): string | undefined =>
  /^[0-9a-f]{64}$/i.test(txhash)
    ? `0x${bytesToHex(keccak_256(hexToBytes(head + txhash + tail)))}`
    : undefined
