import { bech32Of } from '../../../graphql/scalars.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { signersOf } from '../transaction/transactionSigner.ts'
import type { TransactionRecord } from '../transaction/wire.ts'

/**
 * The bytes of an address in any spelling, as hex: 20 bytes, or 32 if it has more digits without leading
 * zeros. Undefined for a text that is no address.
 */
export function addressKey(text: string): string | undefined {
  if (/^0x[0-9a-f]{1,64}$/i.test(text)) return padded(text.slice(2))
  const parsed = bech32Of(text)
  return parsed && padded(Buffer.from(parsed.bytes).toString('hex'))
}

function padded(hex: string): string {
  const digits = hex.toLowerCase().replace(/^0+/, '')
  return digits.padStart(digits.length <= 40 ? 40 : 64, '0')
}

/** What the addresses of validators and public keys begin with, after the prefix of their chain. */
const otherKinds = /(valoper|valcons|pub)1/

/**
 * The keys of all addresses that a transaction names: those by which indexers list it for an account. These
 * are its first signer, and each address that is a value of an event attribute, or a part of one: of a list
 * with commas, or of JSON, as in EVM logs and Move events.
 */
export function namedAddresses(chain: ServedChain, record: TransactionRecord): ReadonlySet<string> {
  const keys = new Set<string>()
  const prefix = chain.bech32Prefix && `${chain.bech32Prefix}1`
  const add = (text: string) => {
    if (text.length > 128) return
    const isHex = text.startsWith('0x')
    if (!isHex && (prefix ? !text.startsWith(prefix) : otherKinds.test(text))) return
    const key = addressKey(text)
    if (key !== undefined) keys.add(key)
  }
  const addAll = (value: unknown) => {
    if (typeof value === 'string') add(value)
    else if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value)) addAll(part)
  }
  for (const { attributes } of record.events) {
    for (const { value } of attributes) {
      const json = /^\s*[{[]/.test(value) ? parse(value) : undefined
      if (json !== undefined) addAll(json)
      else for (const part of value.split(',')) add(part.trim())
    }
  }
  const signer = signersOf(chain, record)[0]?.address
  if (signer) add(signer)
  return keys
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
