import { base58 } from '@scure/base'
import { bech32Of, bytesOf, toBech32 } from '#words/addresses/bytes'
import type { Context } from '../../engine/graphql/builder.ts'
import { badInput, GatewayError } from '../../engine/upstream/error.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { type Awaitable, withValue } from '../../kit/awaitable.ts'
import { runsEvm } from '../chain/evmSupport.ts'
import { type ChainShape, chainShape, findFamily } from '../chain/knownChain.ts'
import { prefixOf } from '../chain/prefix.ts'

type Form = { readonly kind: 'bech32'; readonly prefix: string } | { readonly kind: 'hex' | 'base58' }

/** Like `bytesOf`, but takes the base58 of Solana too on a chain without an indexer. */
export const bytesOn = ({ served }: ChainShape, address: string): string | null =>
  bytesOf(address) ?? (served ? null : bytesOfBase58(address))

function bytesOfBase58(address: string): string | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return null
  const bytes = base58.decode(address)
  return bytes.length === 32 ? Buffer.from(bytes).toString('hex') : null
}

const write = (form: Form, bytes: string): string => {
  if (form.kind === 'bech32') return toBech32(bytes, form.prefix)
  return form.kind === 'hex' ? `0x${bytes}` : base58.encode(Buffer.from(bytes, 'hex'))
}

/** The address of an account of a chain as the router accepts it. Hex if the prefix is unknown. */
function nativeForm(context: Context, chain: ChainShape): Awaitable<Form> {
  return withValue(prefixOf(context, chain), (prefix) => {
    if (prefix !== null) return { kind: 'bech32', prefix } satisfies Form
    return context.scope.memory.load(`form of addresses of ${chain.chainId}`, async (): Promise<Form> => {
      const family = await findFamily(context, chain).catch(() => 'UNKNOWN')
      return { kind: family === 'SVM' ? 'base58' : 'hex' }
    })
  })
}

/** The address as the chain's own transactions write it: bech32, or hex on EVM chains, or base58 on Solana. */
export function nativeAddress(context: Context, chain: ChainShape, address: string): Awaitable<string> {
  const bytes = bytesOn(chain, address)
  if (bytes === null) return address
  return withValue(nativeForm(context, chain), (form) => write(form, bytes))
}

/**
 * The address as users of the chain write it. On Cosmos chains with an EVM it is another one than
 * `nativeAddress`.
 */
export function usualAddress(context: Context, chain: ChainShape, address: string): Awaitable<string> {
  return withValue(writesHex(context, chain), (isHex) => writeUsual(context, chain, address, isHex))
}

/** The longest wait for an indexer to show how addresses are written, in milliseconds. */
const probeMs = 1_000

/** Whether users of the chain write addresses in hex. False if that cannot be found out soon. */
function writesHex(context: Context, { chainId, listed }: ChainShape): Awaitable<boolean> {
  // Heights do not matter to it, so it does not wait for one.
  const served = context.network.chains.get(chainId)
  const hasEvm = served ? runsEvm(context, served) : listed?.vm === 'EVM'
  if (typeof hasEvm === 'boolean') return hasEvm
  return context.scope.memory.load(`writes hex ${chainId}`, () =>
    context.scope.within({ milliseconds: probeMs }, () => hasEvm).catch(() => false),
  )
}

function writeUsual(context: Context, chain: ChainShape, address: string, isHex: boolean): Awaitable<string> {
  const bytes = bytesOf(address)
  if (isHex) return bytes === null ? address : `0x${bytes}`
  const prefix = chain.listed?.bech32Prefix
  if (prefix === undefined || bytes === null) return nativeAddress(context, chain, address)
  return bech32Of(address)?.prefix === prefix ? address : toBech32(bytes, prefix)
}

/**
 * The address of an account in the form that the records of an indexer have: bech32, or hex if the prefix is not known
 * soon. An indexer may know an account by this text alone, and all spellings of an account share their requests.
 * @throws UPSTREAM_INVALID_RESPONSE for a text that no request can hold, which only a record can have.
 */
export function indexedAddress(context: Context, chain: ServedChain, address: string): Awaitable<string> {
  const bytes = bytesOf(address)
  if (bytes === null) return sendable(chain, address)
  if (chain.bech32Prefix !== undefined) return indexedForm(chain.bech32Prefix, bytes)
  const found = context.scope.memory.load(`bech32 prefix of accounts of ${chain.chainId}`, () =>
    context.scope.within({ milliseconds: probeMs }, async () => prefixOf(context, chainShape(chain))).catch(() => null),
  )
  return withValue(found, (prefix) => indexedForm(prefix ?? undefined, bytes))
}

/** The bytes of an account as the records of an indexer with this prefix have them. */
export const indexedForm = (prefix: string | undefined, bytes: string): string =>
  prefix === undefined ? `0x${bytes}` : toBech32(bytes, prefix)

/** The address of an account as EVM records have it: in hex. Throws as `indexedAddress` does. */
export const evmAddress = (chain: ServedChain, address: string): string => {
  const bytes = bytesOf(address)
  return bytes === null ? sendable(chain, address) : `0x${bytes}`
}

/** A text of a record, for the path of a request. */
export function sendable({ chainId }: Pick<ServedChain, 'chainId'>, text: string): string {
  if (!/[\p{Cc}\p{Cs}]/u.test(text)) return text
  const message = `The indexer of ${chainId} sent text with control characters or unpaired surrogates.`
  throw new GatewayError('UPSTREAM_INVALID_RESPONSE', message, { service: chainId })
}

const invalid = () =>
  badInput(
    'Invalid address. Use bech32 with a valid checksum, 0x and up to 64 hex digits, or base58 on Solana.',
    'INVALID_ADDRESS',
  )

/**
 * The address in a form that the indexer of its chain takes: as it was written, in lower case, but as hex if
 * its prefix is that of another chain. Throws `BAD_USER_INPUT` for any text that is not an address.
 */
export function checkAddress({ bech32Prefix }: Pick<ServedChain, 'bech32Prefix'>, address: string): string {
  const bytes = bytesOf(address)
  if (bytes === null) throw invalid()
  const prefix = bech32Of(address)?.prefix
  const isForeign = prefix !== undefined && bech32Prefix !== undefined && prefix !== bech32Prefix
  return isForeign ? `0x${bytes}` : address.toLowerCase()
}

/** Parses an address argument for a chain, with or without an indexer. Throws `BAD_USER_INPUT` if the chain cannot have it. */
export function addressOn(context: Context, chain: ChainShape, address: string): string | Promise<string> {
  const { served } = chain
  if (!served) return addressAbroad(context, chain, address)
  if (served.bech32Prefix || !bech32Of(address)) return checkAddress(served, address)
  return Promise.resolve(prefixOf(context, chain)).then((prefix) =>
    checkAddress({ bech32Prefix: prefix ?? undefined }, address),
  )
}

/** The address in the native form of a chain without an indexer. */
async function addressAbroad(context: Context, chain: ChainShape, address: string) {
  const bytes = bytesOn(chain, address)
  if (bytes === null) throw invalid()
  const form = await nativeForm(context, chain)
  const length = bytes.length / 2
  const isPossible = form.kind === 'bech32' ? bytesOf(address) !== null : length === (form.kind === 'hex' ? 20 : 32)
  if (!isPossible) throw invalid()
  return write(form, bytes)
}
