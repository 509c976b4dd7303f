import { isJsonObject, type JsonObject } from '../wire/lenient.ts'
import { withoutControls } from './redact.ts'

/** The parts of the body of an error response. */
export interface ErrorBody {
  /** The error message, or the body itself if it has none. */
  readonly text: string
  /** The error message in words for people, several joined by `; `. Undefined if there is none. */
  readonly message: string | undefined
  /** A hint for people, which some routers send beside the message. */
  readonly info: string | undefined
  /** A reason for programs, such as `BAD_PRICE_ERROR`. */
  readonly reason: string | undefined
}

/** Of a longer body only the beginning is read: an error says what it has to say in less. */
const maxBodyLength = 16 * 1024

/**
 * Reads the kinds of error bodies in use: plain text, gRPC status, validation lists, `error_message`, and
 * texts in `details`. A page of HTML has no message: it is that of a proxy. Nor has JSON that was cut.
 */
export function readErrorBody(whole: string): ErrorBody {
  const body = whole.slice(0, maxBodyLength)
  const json = parse(body)
  if (!isJsonObject(json)) {
    const text = typeof json === 'string' ? json : body
    const isMessage = json === undefined || typeof json === 'string'
    const markup = body === whole ? /^\s*</ : /^\s*[<{[]/
    const message = isMessage && !markup.test(text) ? text : undefined
    return { text, message, info: undefined, reason: undefined }
  }
  const message = joined(findMessages(json))
  return {
    text: joined(findTexts(json.message ?? json.error_message)) ?? body,
    message,
    info: joined(findTexts(json.info)),
    reason: findReason(json.details),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const joined = (texts: readonly string[]): string | undefined =>
  texts.length > 0 ? [...new Set(texts)].join('; ') : undefined

/** The texts of an error. Its `error` is often only the name of the status, so it comes last. */
function findMessages(json: JsonObject): readonly string[] {
  const said = findTexts(json.message ?? json.error_message)
  const all = [...said, ...findTexts(json.details)]
  return all.length > 0 ? all : findTexts(json.error)
}

/** The texts in a value, at most three levels deep: a text, a list of texts, or objects with a `message`. */
function findTexts(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (depth === 3) return []
  if (Array.isArray(value)) return value.flatMap((item) => findTexts(item, depth + 1))
  if (!isJsonObject(value)) return []
  return findTexts(value.message ?? value.error_message ?? value.description, depth + 1)
}

// Clients see the reason, so it must be a code and not a text.
const reasonPattern = /^[A-Z][A-Z0-9_]{0,63}$/

function findReason(details: unknown): string | undefined {
  for (const detail of Array.isArray(details) ? details : []) {
    const reason = isJsonObject(detail) ? detail.reason : undefined
    if (typeof reason === 'string' && reasonPattern.test(reason)) return reason
  }
  return undefined
}

/** The longest text of an upstream that clients see, in characters. */
const maxLength = 300

/**
 * The text of an upstream for clients: plain text on one line, without markup, addresses and stack traces,
 * and cut. Undefined if nothing is left.
 */
export function forClients(text: string): string | undefined {
  const plain = withoutControls(
    text
      .slice(0, 2_000)
      .replace(/\n\s+at .*$/s, '')
      .replace(/<\/?[a-z!?][^<>]*>/gi, ' ')
      .replace(/<(?=[a-z!?/])/gi, '')
      .replace(/\b[a-z][a-z0-9+.-]{0,20}:\/\/\S*|\bwww\.\S+|\b(?:javascript|data|mailto):\S+/gi, ' ')
      .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, ' '),
  )
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:!?](?: |$))/g, '')
    .trim()
  const characters = [...plain]
  if (characters.length > maxLength) return `${characters.slice(0, maxLength - 1).join('')}…`
  return plain === '' ? undefined : Buffer.from(plain).toString()
}
