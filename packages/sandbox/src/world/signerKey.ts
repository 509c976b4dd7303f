import { base64 } from '@scure/base'
import type { Vm } from '../chains.ts'
import { memoize } from '../memoize.ts'
import { digest, pick } from '../random.ts'

const signers = 3
const threshold = 2

/** The public key and signing mode of an account, as `auth_info.signer_infos` writes them. */
export interface SignerKey {
  readonly public_key: object
  readonly mode_info: object
}

/** Whether the account with this 0x address has a 2-of-3 multisig key. About one in eight has. */
export const isMultisig = memoize(2_000, (address: string): boolean => pick(8, 'multisig', address) === 0)

/** The key of the account with this 0x address, and how it signs. `mode` is for a key that is not multisig. */
export const signerKeyOf = (address: string, vm: Vm, mode: string): SignerKey =>
  isMultisig(address)
    ? multisigKey(address, vm)
    : { public_key: publicKey(vm, 'key', address), mode_info: { single: { mode } } }

/** A key made of others has no `key` of its own. */
function multisigKey(address: string, vm: Vm): SignerKey {
  return {
    public_key: {
      '@type': '/cosmos.crypto.multisig.LegacyAminoPubKey',
      threshold,
      public_keys: Array.from({ length: signers }, (_, i) => publicKey(vm, 'key', address, i)),
    },
    mode_info: {
      multi: {
        // The first two of three bits: who signed.
        bitarray: { extra_bits_stored: signers, elems: 'wA==' },
        mode_infos: Array.from({ length: threshold }, () => ({
          single: { mode: 'SIGN_MODE_LEGACY_AMINO_JSON' },
        })),
      },
    },
  }
}

function publicKey(vm: Vm, ...parts: readonly (string | number)[]) {
  const algorithm = vm === 'evm' ? 'initia.crypto.v1beta1.ethsecp256k1' : 'cosmos.crypto.secp256k1'
  const bytes = new Uint8Array([2, ...digest(...parts)])
  return { '@type': `/${algorithm}.PubKey`, key: base64.encode(bytes) }
}
