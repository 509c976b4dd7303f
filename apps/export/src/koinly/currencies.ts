import { addNote, type Ledger, listIn } from '../table.ts'
import type { KoinlyAsset } from './koinlyEdge.ts'
import { numberOf } from './numbers.ts'

/** An asset on a chain. */
export interface HeldAsset {
  readonly chainId: string
  /** Its denom there, or the address of its contract. */
  readonly assetId: string
  readonly asset: KoinlyAsset | null
}

/** What an asset is called in the file. */
export interface Currency {
  readonly name: string
  /** Null if its amounts are in base units. */
  readonly decimals: number | null
}

/** What is kept of an asset: its place, its currency, and what tells it from all other assets. */
interface Entry extends Currency {
  readonly place: string
  readonly identity: string
}

/** The list of the ledger that has the assets of the file. */
const list = 'currencies'
/** The list of the ledger that has whose a symbol is. */
const owners = 'symbols'

/**
 * The name of an asset. In the importer, a name is one currency in all files of a wallet, in any case of its letters. So a
 * symbol is that of one asset, and others with it have `NULL` and a number, as those have that no symbol is known of. An
 * asset keeps its name and its units in a file, whatever becomes known of it.
 */
export function currencyOf(held: HeldAsset, ledger: Ledger): Currency {
  const place = `${held.chainId}/${held.assetId}`
  const known = listIn(ledger, list)
  const found = known.find((entry) => entry.startsWith(`${place} `))
  if (found !== undefined) return toEntry(found)
  const entries = known.map(toEntry)
  const decimals = held.asset?.decimals ?? null
  const identity = identityOf(held)
  const isSame = (entry: Entry) => entry.identity === identity && (entry.decimals === null) === (decimals === null)
  const name = entries.find(isSame)?.name ?? newName({ ...held, decimals, identity }, entries, ledger)
  known.push([place, name, decimals ?? '-', identity].join(' '))
  return { name, decimals }
}

function toEntry(text: string): Entry {
  const [place = '', name = '', decimals, ...identity] = text.split(' ')
  return { place, name, decimals: decimals === '-' ? null : Number(decimals), identity: identity.join(' ') }
}

/** Where an asset was issued, which is the same on all chains. */
export function identityOf({ chainId, assetId, asset }: HeldAsset): string {
  const [issuer = chainId, denom = assetId] = asset?.origin
    ? [asset.origin.chainId, asset.origin.denom]
    : asset?.originChainId != null && asset.originDenom != null
      ? [asset.originChainId, asset.originDenom]
      : []
  return `${issuer}/${inOneCase(denom)}`
}

/** Addresses of contracts are written in several ways. */
const inOneCase = (denom: string): string => (/^(0x|evm\/)/i.test(denom) ? denom.toLowerCase() : denom)

/**
 * The symbol of an asset where it was issued, or else on its chain. Undefined for one that looks like another, such as with
 * letters of other alphabets, or like a number of ours.
 */
function symbolOf({ asset }: Pick<HeldAsset, 'asset'>): string | undefined {
  const symbol = (asset?.origin?.symbol ?? asset?.symbol)?.trim()
  return symbol !== undefined && /^[A-Za-z0-9][\w.+-]*$/.test(symbol) && !/^NULL\d*$/i.test(symbol) ? symbol : undefined
}

/** What the importer knows a symbol by. */
export const keyOfSymbol = (symbol: string): string => symbol.toUpperCase()

function newName(
  { decimals, identity, ...held }: HeldAsset & Pick<Entry, 'decimals' | 'identity'>,
  entries: readonly Entry[],
  ledger: Ledger,
): string {
  const isTaken = (name: string) => entries.some((entry) => keyOfSymbol(entry.name) === keyOfSymbol(name))
  const symbol = decimals === null ? undefined : symbolOf(held)
  const owner = symbol === undefined ? undefined : ownerOf(symbol, ledger)
  if (symbol !== undefined && (owner ?? identity) === identity && !isTaken(symbol)) return symbol
  addNote(ledger, symbol === undefined ? 'unnamed' : 'sharedSymbols')
  for (let attempt = 0; ; attempt++) {
    const name = `NULL${numberOf(identity, attempt)}`
    if (isTaken(name)) continue
    if (attempt > 0) addNote(ledger, 'renumbered')
    return name
  }
}

/** Whose a symbol is. It stays so in a file, whatever the lists say later. */
const ownerOf = (symbol: string, ledger: Ledger): string | undefined =>
  listIn(ledger, owners)
    .find((entry) => entry.startsWith(`${keyOfSymbol(symbol)} `))
    ?.slice(symbol.length + 1)

/** Keeps whose the symbols of assets are. One that no list has is that of the first asset with it. */
export async function prepareSymbols(
  assets: readonly HeldAsset[],
  ledger: Ledger,
  findOwners: (symbols: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<void> {
  const firsts = new Map<string, HeldAsset>()
  for (const held of assets) {
    const symbol = symbolOf(held)
    const key = symbol && keyOfSymbol(symbol)
    if (key && !firsts.has(key) && ownerOf(key, ledger) === undefined) firsts.set(key, held)
  }
  if (firsts.size === 0) return
  const found = await findOwners([...firsts.keys()])
  for (const [key, first] of firsts) listIn(ledger, owners).push(`${key} ${found.get(key) ?? identityOf(first)}`)
}

/** What a numbered name stands for. Empty for other currencies. */
export function meaningOf(name: string | null, ledger: Ledger): readonly string[] {
  if (name === null || !/^NULL\d+$/.test(name)) return []
  const entry = listIn(ledger, list)
    .map(toEntry)
    .find((each) => each.name === name)
  return entry ? [`${name} is ${entry.identity}`] : []
}
