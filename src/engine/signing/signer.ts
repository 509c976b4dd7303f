import { timingSafeEqual } from 'node:crypto'
import { createHmacSha256 } from './hmac.ts'

/** Signs what clients keep and send back, such as cursors, so that they can only send what they were given. */
export interface Signer {
  /** The signature of `data` for one purpose. A signature for another purpose differs. */
  sign(purpose: string, data: string | Uint8Array): Buffer
  /** Names the key that signs now, in `keyIdBytes` bytes. It says nothing of the key. */
  readonly keyId: Buffer
  /** Whether one of the keys has this name. */
  knowsKey(id: Uint8Array): boolean
  /** Whether `signature` is the one of `data` for this purpose, with any of the keys. */
  verify(purpose: string, data: string | Uint8Array, signature: Uint8Array): boolean
}

/** The bytes of a signature: 128 bits, half of HMAC-SHA-256, which RFC 2104 allows. */
export const signatureBytes = 16

/** The bytes of the name of a key: enough to distinguish the few keys of a gateway. */
export const keyIdBytes = 4

/** The least length of a key in bytes: that of the hash, as RFC 2104 recommends. */
const minKeyBytes = 32

/** A signer whose first key can be replaced. All keys that it had are still accepted. */
export interface RenewableSigner extends Signer {
  /** The key that signs now, of 32 bytes. */
  readonly key: Uint8Array
  renew(key: Uint8Array): void
}

/** A signer that begins with a key of its own. */
export function createRenewableSigner(own: Uint8Array): RenewableSigner {
  let keys: readonly Uint8Array[] = [own]
  let signer = createSigner(keys)
  return {
    sign: (purpose, data) => signer.sign(purpose, data),
    verify: (purpose, data, signature) => signer.verify(purpose, data, signature),
    get keyId() {
      return signer.keyId
    },
    knowsKey: (id) => signer.knowsKey(id),
    get key() {
      return keys[0] ?? own
    },
    renew(key) {
      keys = [key, ...keys.filter((known) => !Buffer.from(known).equals(key))]
      signer = createSigner(keys)
    },
  }
}

/**
 * A signer with HMAC-SHA-256. The first key signs. All are accepted, so that keys can be replaced one by
 * one, and all replicas of a gateway need the same.
 * @throws RangeError if there is no key, or one is too short.
 */
export function createSigner(keys: readonly (string | Uint8Array)[]): Signer {
  if (keys.length === 0 || keys.some((key) => Buffer.byteLength(key) < minKeyBytes)) {
    throw new RangeError(`A signing key must have at least ${minKeyBytes} bytes.`)
  }
  const secrets = keys.map((key) => createHmacSha256(Buffer.from(key)))
  const [first = createHmacSha256(Buffer.alloc(0))] = secrets
  const signWith = (hmac: typeof first, purpose: string, data: string | Uint8Array): Buffer =>
    hmac(`${purpose}\n`, data).subarray(0, signatureBytes)

  const deriveId = (hmac: typeof first) => signWith(hmac, 'key id 1', '').subarray(0, keyIdBytes)
  const ids = secrets.map(deriveId)

  return {
    sign: (purpose, data) => signWith(first, purpose, data),
    keyId: deriveId(first),
    knowsKey: (id) => ids.some((own) => own.equals(id)),
    verify: (purpose, data, signature) =>
      signature.length === signatureBytes &&
      secrets.some((secret) => timingSafeEqual(signWith(secret, purpose, data), signature)),
  }
}

/** The key of every sandbox. It guards nothing: the data of a sandbox are simulated. */
const sandboxKey = 'the same key for each sandbox, which everyone knows'

/** The keys that sign. Undefined if one has to be made. */
export const deriveKeys = ({
  signingKeys,
  isSandbox,
}: {
  readonly signingKeys?: readonly string[] | undefined
  readonly isSandbox?: boolean | undefined
}): readonly string[] | undefined => signingKeys ?? (isSandbox ? [sandboxKey] : undefined)

/** The line in the log of a sandbox without keys of its own. */
export const sandboxKeyMessage =
  'No SIGNING_KEYS: the sandbox signs cursors and route tokens with a key that everyone knows, so that they outlive a restart.'

/** The line in the log of a gateway whose signing key was made at its start. */
export const madeKeyMessage =
  'No SIGNING_KEYS: cursors and route tokens are signed with a key made at this start. They are invalid after a restart and on other replicas.'
