import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ParquetWriteOptions, parquetWriteBuffer } from 'hyparquet-writer'
import type { Column, ColumnKind, Row, Value } from '../table.ts'
import { toMicroseconds } from '../time.ts'
import { writeAtomically } from '../writeAtomically.ts'
import type { Output } from './output.ts'

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
 * A folder of parts, whose extent is their number. A Parquet file cannot grow: its end says where its columns are. So
 * each part is a file of its own, which is complete when it gets its name. Parts beyond the known extent are removed:
 * their rows come again.
 */
export async function openParquet(folder: string, columns: readonly Column[], extent: number): Promise<Output> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const [, number] = /^part-(\d+)\.parquet(?:\.new)?$/.exec(name) ?? []
    if (number !== undefined && (Number(number) > extent || name.endsWith('.new'))) await rm(join(folder, name))
  }
  const all = columns.flatMap(parquetColumns)
  let parts = extent
  let waiting: Row[] = []
  const flush = async () => {
    if (waiting.length === 0) return parts
    const path = join(folder, `part-${String(parts + 1).padStart(5, '0')}.parquet`)
    await writeAtomically(path, new Uint8Array(encoded(all, waiting)))
    waiting = []
    parts += 1
    return parts
  }
  return {
    async append(rows) {
      waiting.push(...rows)
      if (waiting.length >= partRows) return flush()
      return waiting.length === 0 ? parts : undefined
    },
    flush,
    close: async () => {},
  }
}

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
