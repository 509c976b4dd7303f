import type { ActionAmount, ActionRemote, Draft, Piece } from './action.ts'
import { coinsIn, type Fields, fieldsOf, fieldText, itemsOf } from './fields.ts'
import type { ActionKind } from './kinds.ts'
import { coins, nftPieces, says } from './sentence.ts'

/**
 * A sentence: the verb in its past and its base form, and what follows. `{role:field}` is a field of the message in a
 * role, one of those below. Words in brackets are left out if their field is missing.
 */
export type Template = `${string}|${string}|${string}`

/** A field in a sentence, and the part of the action that it is. */
export interface SentenceField {
  readonly piece: Piece | readonly Piece[]
  readonly parts?: Partial<Draft>
}

/** How a field becomes a part of a sentence. Null if it is missing. */
export type Role = (fields: Fields, key: string) => SentenceField | null

const ofText =
  (find: (text: string) => SentenceField): Role =>
  (fields, key) => {
    const text = fieldText(fields, key)
    return text === null ? null : find(text)
  }

const ofCoins = (amounts: readonly ActionAmount[]): SentenceField | null =>
  amounts.length > 0 ? { piece: coins(amounts), parts: { amounts } } : null

const noRemote: ActionRemote = { address: null, channel: null, opInitBridgeId: null }

const roles: Readonly<Record<string, Role>> = {
  address: ofText((address) => ({ piece: { address } })),
  bridge: ofText((id) => ({
    piece: { id },
    parts: { remote: { ...noRemote, opInitBridgeId: id } },
  })),
  channel: ofText((channel) => ({ piece: { channel }, parts: { remote: { ...noRemote, channel } } })),
  coins: (fields, key) => ofCoins(coinsIn(fields[key])),
  contract: ofText((contract) => ({ piece: { address: contract }, parts: { contract } })),
  id: ofText((id) => ({ piece: { id } })),
  nft: ({ class_id, ...fields }, key) => {
    const [collection, tokenId] = [fieldText({ class_id }, 'class_id'), fieldText(fields, key)]
    const nfts = [{ collection, tokenId, objectAddress: null }]
    return { piece: nftPieces(nfts), parts: { nfts } }
  },
  periods: (fields, key) => ofCoins(sumsOf(itemsOf(fields[key]).map((period) => coinsIn(fieldsOf(period).amount)))),
  remote: ofText((address) => ({
    piece: { remoteAddress: address },
    parts: { remote: { ...noRemote, address } },
  })),
  text: ofText((quoted) => ({ piece: { quoted } })),
  to: ofText((counterparty) => ({ piece: { address: counterparty }, parts: { counterparty } })),
  validator: ofText((validator) => ({ piece: { address: validator }, parts: { validator } })),
}

/** The sentence of a template, and the parts of the action that its fields are. */
export function readTemplate(
  kind: ActionKind,
  template: Template,
  fields: Fields,
  own: Readonly<Record<string, Role>> = {},
): Draft {
  const [past = '', base = '', rest = ''] = template.split('|')
  const found = (rest.match(/\[[^\]]*\]|[^[]+/g) ?? []).flatMap((group) =>
    readGroup(group, fields, { ...roles, ...own }),
  )
  const remotes = found.flatMap(({ parts }) => (parts?.remote ? [parts.remote] : []))
  const parts: Partial<Draft> = {}
  for (const each of found) Object.assign(parts, each.parts)
  return {
    kind,
    ...parts,
    ...(remotes.length > 0 && { remote: remotes.reduce(joined) }),
    says: says([past, base], ...found.map(({ piece }) => piece)),
  }
}

/** The words and fields of a group. None if the words are in brackets and a field is missing. */
function readGroup(group: string, message: Fields, known: Readonly<Record<string, Role>>): readonly SentenceField[] {
  const isOptional = group.startsWith('[')
  const found = group
    .replace(/^\[|\]$/g, '')
    .split(/\{(\w+:[\w.]*)\}/)
    .map((text, index) => (index % 2 === 0 ? { piece: text } : readField(text, message, known)))
  if (isOptional && found.includes(null)) return []
  return found.map((each) => each ?? { piece: 'coins' })
}

/** A field such as `to:recipient`, or `text:plan.name` of an object in the message. */
function readField(text: string, message: Fields, known: Readonly<Record<string, Role>>): SentenceField | null {
  const [role = '', path = ''] = text.split(':')
  const keys = path.split('.')
  const fields = keys.slice(0, -1).reduce((within, key) => fieldsOf(within[key]), message)
  return known[role]?.(fields, keys.at(-1) ?? '') ?? null
}

const joined = (a: ActionRemote, b: ActionRemote): ActionRemote => ({
  address: a.address ?? b.address,
  channel: a.channel ?? b.channel,
  opInitBridgeId: a.opInitBridgeId ?? b.opInitBridgeId,
})

function sumsOf(lists: readonly (readonly ActionAmount[])[]): readonly ActionAmount[] {
  const sums = new Map<string | null, bigint>()
  for (const { denom, amount } of lists.flat()) sums.set(denom, (sums.get(denom) ?? 0n) + amount)
  return [...sums].map(([denom, amount]) => ({ denom, amount }))
}
