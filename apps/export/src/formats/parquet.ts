import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ParquetWriteOptions, parquetWriteBuffer } from 'hyparquet-writer'
import { atFile } from '#kit/files'
import type { Column, ColumnKind, Row, Value } from '#kit/table'
import { renameDurably, syncFolder, writeDurably } from '#kit/writeAtomically'
import { toMicroseconds } from '../time.ts'
import { changed, type Mark, type OutputFile } from './output.ts'

/** Rows of a part. */
const partRows = 50_000

/** Goes up when a column is changed or removed. Readers find it in the metadata of each part. */
const schemaVersion = '1'

type SchemaElement = NonNullable<ParquetWriteOptions['schema']>[number]

/** A column of the file: how it is declared, and what it holds of a value. */
interface ParquetColumn {
  readonly element: SchemaElement
  readonly from: number
  read(value: Value): unknown
}

/**
 * A folder of parts, whose extent is their number. A Parquet file cannot grow: its end says where its columns are. So each
 * part is a file of its own. It is complete before the mark names it, and gets its name afterwards.
 * @throws Error if the parts are not those of the mark.
 */
export async function openParquet(folder: string, columns: readonly Column[], mark: Mark): Promise<OutputFile> {
  const pathOf = (number: number) => join(folder, `part-${String(number).padStart(5, '0')}.parquet`)
  const all = columns.flatMap(parquetColumns)
  const hash = await examine(folder, pathOf, mark)
  let parts = mark.extent
  let waiting: Row[] = []
  const commit = async () => {
    if (await isThere(`${pathOf(parts)}.new`)) await renameDurably(`${pathOf(parts)}.new`, pathOf(parts))
  }
  await commit()
  return {
    async stage(rows, isLast = false) {
      waiting.push(...rows)
      if (waiting.length > 0 && waiting.length < partRows && !isLast) return undefined
      if (waiting.length > 0) {
        if (await isThere(pathOf(parts + 1))) throw changed(folder)
        const bytes = new Uint8Array(encoded(all, waiting))
        await atFile(folder, () => mkdir(folder, { recursive: true }))
        await writeDurably(`${pathOf(parts + 1)}.new`, bytes)
        await syncFolder(folder)
        hash.update(bytes)
        waiting = []
        parts += 1
      }
      return { extent: parts, sha256: hash.copy().digest('hex'), pending: '' }
    },
    commit,
  }
}

/** The hash of all parts. A part that no mark names has no rows that are known, and its name says that it is unfinished. */
function examine(folder: string, pathOf: (number: number) => string, { extent, sha256 }: Mark): Promise<Hash> {
  return atFile(folder, async () => {
    const hash = createHash('sha256')
    for (let number = 1; number <= extent; number++) {
      const isNamed = number < extent || (await isThere(pathOf(number)))
      const path = isNamed ? pathOf(number) : `${pathOf(number)}.new`
      if (!(await isThere(path))) throw changed(folder)
      for await (const bytes of createReadStream(path)) hash.update(bytes)
      if (isNamed) await rm(`${path}.new`, { force: true })
    }
    const more = (await namesIn(folder)).filter((name) => Number(/^part-(\d+)\.parquet/.exec(name)?.[1]) > extent)
    if (hash.copy().digest('hex') !== sha256 || more.some((name) => name.endsWith('.parquet'))) throw changed(folder)
    for (const name of more) if (name.endsWith('.parquet.new')) await rm(join(folder, name))
    return hash
  })
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const namesIn = async (folder: string): Promise<readonly string[]> => ((await isThere(folder)) ? readdir(folder) : [])

const encoded = (columns: readonly ParquetColumn[], rows: readonly Row[]): ArrayBuffer =>
  parquetWriteBuffer({
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map(({ element }) => element)],
    columnData: columns.map(({ element, from, read }) => ({
      name: element.name,
      data: rows.map((row) => read(row[from] ?? null)),
    })),
    kvMetadata: [{ key: 'portolan.schema', value: schemaVersion }],
    createdBy: 'portolan-export',
  })

const optional = (name: string, rest: Omit<SchemaElement, 'name'>): SchemaElement => ({
  ...{ name, repetition_type: 'OPTIONAL' as const },
  ...rest,
})

const text = (name: string): SchemaElement => optional(name, { type: 'BYTE_ARRAY', converted_type: 'UTF8' })

/** How a kind is stored. A time has its text beside it, with all its digits, and an amount is a decimal if it fits. */
const kinds: Readonly<Record<ColumnKind, (name: string) => readonly Omit<ParquetColumn, 'from'>[]>> = {
  text: (name) => [{ element: text(name), read: (value) => value }],
  code: (name) => [{ element: text(name), read: (value) => value }],
  decimal: (name) => [{ element: text(name), read: (value) => value }],
  integer: (name) => [
    { element: optional(name, { type: 'INT64' }), read: (value) => (typeof value === 'number' ? BigInt(value) : null) },
  ],
  boolean: (name) => [{ element: optional(name, { type: 'BOOLEAN' }), read: (value) => value }],
  time: (name) => [
    {
      element: optional(name, {
        type: 'INT64',
        converted_type: 'TIMESTAMP_MICROS',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
      }),
      read: (value) => (typeof value === 'string' ? toMicroseconds(value) : null),
    },
    { element: text(`${name}_text`), read: (value) => value },
  ],
  amount: (name) => [
    { element: text(name), read: (value) => value },
    {
      element: optional(`${name}_decimal`, {
        ...{ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, converted_type: 'DECIMAL' },
        ...{ precision: 38, scale: 0 },
      }),
      read: (value) => (typeof value === 'string' ? ifFits(BigInt(value)) : null),
    },
  ],
}

/** Decimals of readers have at most 38 digits, and the writer would cut off a longer one. */
const limit = 10n ** 38n
const ifFits = (value: bigint): bigint | null => (value < limit && value > -limit ? value : null)

const parquetColumns = ({ name, kind }: Column, from: number): readonly ParquetColumn[] =>
  kinds[kind](name).map((column) => ({ ...column, from }))
