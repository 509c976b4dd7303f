import { generateKeyPairSync, sign } from 'node:crypto'

// A certificate by the ASN.1 of RFC 5280, since Node can read certificates but not make them.

/** A certificate that signs itself, for one IPv4 address, and its key. Both in PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const object = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const text = (tag: number, value: string) => der(tag, Buffer.from(value))
const pem = (bytes: Buffer) => `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`

const commonName = '550403'
const subjectAltName = '551d11'
const ecdsaWithSha256 = sequence(object('2a8648ce3d040302'))

/** Makes a certificate. The years are the first and last of its validity. */
export function makeCertificate(options: {
  readonly address: readonly number[]
  readonly years: readonly [from: number, to: number]
}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(object(commonName), text(0x0c, 'upstream'))))
  const [from, to] = options.years.map((year) => text(0x18, `${year}0101000000Z`))
  if (!from || !to) throw new Error('two years')
  const addresses = sequence(der(0x87, Buffer.from(options.address)))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(from, to),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(object(subjectAltName), der(0x04, addresses)))),
  )
  const signature = sign('sha256', body, privateKey)
  return {
    cert: pem(sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))),
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}
