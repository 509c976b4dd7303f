import type { Handler, Reply, Request } from '../http.ts'
import { pick } from '../random.ts'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value with every object in it changed. */
function everywhere(value: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => everywhere(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(change(value)).map(([key, item]) => [key, everywhere(item, change)]))
}

/** What a router may leave out, or have otherwise. */
function oddObject(object: Json): Json {
  // A balance that could not be read is an amount of zero with an error.
  if ('formatted_amount' in object && pick(4, 'balance', `${object.amount}`) === 0) {
    const error = { message: 'failed to query balance: timeout' }
    return { amount: '0', formatted_amount: '0', error }
  }
  if ('recommended_symbol' in object && pick(5, 'asset', `${object.denom}`) === 0) {
    const { symbol: _, name: __, decimals: ___, logo_uri: ____, ...bare } = object
    return bare
  }
  // A transaction that only its link names.
  if ('tx_hash' in object && 'explorer_link' in object && pick(3, 'hash', `${object.tx_hash}`) === 0) {
    const { tx_hash: _, ...bare } = object
    return bare
  }
  return object
}

/** Parameters that not all routers take. Some refuse a request with a parameter that they do not know. */
const unknownParameters = ['include_evm', 'include_svm', 'include_evm_assets', 'include_svm_assets']

const refusal = (status: number, json: unknown): Reply => ({ status, json })

/** Amounts that a route is refused for, each in the words of another service. */
const refusals: Readonly<Record<string, Reply>> = {
  '1001': refusal(400, {
    code: 3,
    message: 'Swap amount is below the minimum of <b>2000</b>. See https://docs.example/limits',
    details: [],
  }),
  '1002': refusal(400, {
    statusCode: 400,
    message: ['amount_in is too small', 'try a larger amount'],
    error: 'Bad Request',
  }),
  '1003': refusal(422, { error_message: 'price is stale', source: 'quote engine' }),
  '1004': refusal(404, { code: 5, message: 'no relayer serves this path now', details: [] }),
  '1005': { status: 400, text: 'upstream connect error or disconnect/reset before headers' },
}

function refused({ path, query, body }: Request): Reply | undefined {
  const unknown = unknownParameters.filter((name) => query.has(name))
  if (unknown.length > 0) {
    const message = unknown.map((name) => `property ${name} should not exist`)
    return refusal(400, { statusCode: 400, message, error: 'Bad Request' })
  }
  if (path !== '/v2/fungible/route') return undefined
  const amount = /"amount_in"\s*:\s*"(\d+)"/.exec(body)?.[1]
  return refusals[amount ?? '']
}

/** A router that differs from the documented one in everything that has been seen to differ. */
export const withOddReplies =
  (router: Handler): Handler =>
  async (request) => {
    const reply = refused(request) ?? (await router(request))
    return reply.status < 300 ? { ...reply, json: everywhere(reply.json, oddObject) } : reply
  }
