import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/** The values of a protobuf message by the numbers of its fields: bytes of texts and messages, and whole numbers. */
export type WireFields = ReadonlyMap<number, readonly (Uint8Array | string)[]>

/** The fields of a protobuf message. Null if the bytes are not in that encoding. */
export function wireFields(bytes: Uint8Array): WireFields | null {
  const fields = new Map<number, (Uint8Array | string)[]>()
  try {
    const reader = new BinaryReader(bytes)
    while (reader.pos < reader.len) {
      const [number, type] = reader.tag()
      const values = fields.get(number) ?? []
      fields.set(number, values)
      if (type === WireType.LengthDelimited) values.push(reader.bytes())
      else if (type === WireType.Varint) values.push(String(reader.uint64()))
      else reader.skip(type, number)
    }
    return fields
  } catch {
    return null
  }
}

/** The messages or bytes in a field, in order. */
export const bytesIn = (fields: WireFields | null, number: number): readonly Uint8Array[] =>
  (fields?.get(number) ?? []).filter((value) => typeof value !== 'string')

/** The text or the number of a field. Empty if it is missing, as protobuf leaves out what is empty. */
export function textIn(fields: WireFields | null, number: number): string {
  const value = fields?.get(number)?.at(-1) ?? ''
  return typeof value === 'string' ? value : new TextDecoder().decode(value)
}
