import { createHmac } from 'node:crypto'

/** What is signed, by Standard Webhooks 1.0.0. */
export interface Signed {
  readonly id: string
  /** Seconds since 1970, of this attempt. */
  readonly timestamp: number
  readonly body: string
}

/** The headers of a message. With several secrets, receivers that know any of them accept it: so one can be replaced. */
export const signedHeaders = ({ id, timestamp, body }: Signed, secrets: readonly string[]): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': secrets
    .map((secret) => {
      const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`)
      return `v1,${hmac.digest('base64')}`
    })
    .join(' '),
})

/**
 * The bytes of a secret: 24 to 64 of them in base64, after `whsec_`.
 * @throws Error if it has another form. The message does not have the secret.
 */
export function keyOf(secret: string): Buffer {
  const [, text] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const key = Buffer.from(text ?? '', 'base64')
  if (key.length >= 24 && key.length <= 64) return key
  throw new Error('A secret is whsec_ and 24 to 64 random bytes in base64.')
}
