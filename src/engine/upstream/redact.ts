/** Replaces secrets in a text. */
export type Redact = (text: string) => string

/** Shorter values, such as a version number, are no secrets, and would turn up in any text. */
const minSecretLength = 6

/**
 * Replaces the values of headers, and each word of them, since an upstream may repeat the key that it was
 * sent without the word `Bearer`. Of `Basic` credentials it also replaces the decoded password.
 */
export function createRedactor(headers: Readonly<Record<string, string>>): Redact {
  const secrets = Object.values(headers)
    .flatMap((value) => [value, ...splitWords(value), ...basicCredentials(value)])
    .filter((secret) => secret.length >= minSecretLength)
    .toSorted((a, b) => b.length - a.length)
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
}

/** The words of a header, and the values in `name=value`. */
const splitWords = (value: string): string[] =>
  value.split(/[\s,;]+/).flatMap((word) => [word, word.replace(/^[\w-]+=(?!=*$)/, '')])

function basicCredentials(value: string): string[] {
  const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(value) ?? []
  if (encoded === undefined) return []
  const decoded = Buffer.from(encoded, 'base64').toString()
  return [decoded, decoded.slice(decoded.indexOf(':') + 1)]
}

/** Text on one line that a terminal shows as it is: control characters become spaces. */
export const withoutControls = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
