import { bytesOf } from '#words/addresses/bytes'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { signersOf } from '../transaction/transactionSigner.ts'
import type { TransactionRecord } from '../transaction/wire.ts'

/** The second part of the prefix of validators and public keys. */
const otherKinds = /(valoper|valcons|pub)1/

/**
 * The keys of all addresses that a transaction names: those by which indexers list it for an account. These
 * are its first signer, and each address that is a value of an event attribute, or a part of one: of a list
 * with commas, or of JSON, as in EVM logs and Move events. Indexers also list a transaction for the owners of the
 * Move token stores that it changes, whom the record does not name.
 */
export function namedAddresses(chain: ServedChain, record: TransactionRecord): ReadonlySet<string> {
  const keys = new Set<string>()
  const prefix = chain.bech32Prefix && `${chain.bech32Prefix}1`
  const add = (text: string) => {
    if (text.length > 128) return
    const isHex = text.startsWith('0x')
    if (!isHex && (prefix ? !text.startsWith(prefix) : otherKinds.test(text))) return
    const key = bytesOf(text)
    if (key !== null) keys.add(key)
  }
  // The sender of a transaction chooses how deep its values are nested: a list instead of recursion.
  const addAll = (value: unknown) => {
    const parts = [value]
    for (const part of parts) {
      if (typeof part === 'string') add(part)
      else if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) parts.push(inner)
    }
  }
  for (const { attributes } of record.events) {
    for (const { value } of attributes) {
      const json = isJson(value) ? parse(value) : undefined
      if (json !== undefined) addAll(json)
      else for (const part of value.split(',')) add(part.trim())
    }
  }
  // An indexer that keeps no events can only list by messages.
  if (record.events.length === 0) addAll(record.tx?.body?.messages)
  const signer = signersOf(chain, record)[0]?.address
  if (signer) add(signer)
  return keys
}

/** The longest attribute whose JSON is read, in characters: one that fills a response would hold up all others. */
const maxJsonLength = 2 ** 20

const isJson = (value: string): boolean => value.length <= maxJsonLength && /^\s*[{[]/.test(value)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
