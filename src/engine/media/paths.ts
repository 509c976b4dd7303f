import type { Signer } from '../signing/signer.ts'

/** The source of a picture: a URI, or the metadata at a URI, which names the picture. */
export interface MediaSource {
  readonly kind: 'uri' | 'imageOf' | 'animationOf'
  readonly uri: string
}

/** The start of all paths of media. */
export const mediaPrefix = '/media/'

const purpose = 'nft media 1'
const kinds = { u: 'uri', i: 'imageOf', a: 'animationOf' } as const

/** The longest URI in a path, in bytes. Proxies read paths of 8 KiB by default. */
const maxUriBytes = 4_096

/** Paths of pictures. They are signed, so that nobody can make the gateway fetch what no NFT names. */
export interface MediaPaths {
  /** The path of a picture. Undefined if the URI is too long for one. */
  write(source: MediaSource): string | undefined
  /** The source of the picture at a path. Undefined unless a gateway with the same keys has written the path. */
  read(path: string): MediaSource | undefined
}

/** Creates the paths of a gateway with these keys. */
export const createMediaPaths = (signer: Pick<Signer, 'sign' | 'verify'>): MediaPaths => ({
  write({ kind, uri }) {
    if (Buffer.byteLength(uri) > maxUriBytes) return undefined
    const letter = kind === 'uri' ? 'u' : kind === 'imageOf' ? 'i' : 'a'
    const data = Buffer.from(letter + uri)
    const signature = signer.sign(purpose, data).toString('base64url')
    return `${mediaPrefix}${signature}/${data.toString('base64url')}`
  },
  read(path) {
    const [, signature = '', encoded = ''] = /^\/media\/([\w-]{1,64})\/([\w-]{2,8192})$/.exec(path) ?? []
    const data = Buffer.from(encoded, 'base64url')
    if (data.length === 0 || data.toString('base64url') !== encoded) return undefined
    if (!signer.verify(purpose, data, Buffer.from(signature, 'base64url'))) return undefined
    const text = data.toString()
    const kind = kinds[text.charAt(0) as keyof typeof kinds]
    return kind && { kind, uri: text.slice(1) }
  },
})
