import { isObjectType } from 'graphql'
import { expect, test, vi } from 'vitest'
import { toConnection } from '../../../src/engine/graphql/connection.ts'
import type { Position } from '../../../src/engine/pagination/cursor.ts'
import { decodePageCursor } from '../../../src/engine/pagination/pageCursors.ts'
import { schema } from '../../../src/schema/schema.ts'
import { testSigner } from '../../support/testSigner.ts'

/** Resolves a field of an object type without a context. */
function resolve(typeName: string, field: string, value: unknown): unknown {
  const type = schema.getType(typeName)
  const resolver = isObjectType(type) && type.getFields()[field]?.resolve
  if (!resolver) throw new Error(`no resolver of ${typeName}.${field}`)
  return Reflect.apply(resolver, undefined, [value, {}, {}, {}])
}

const positionAt = (index: number): Position => ({ kind: 'offset', from: 'start', index })

const pageOf = (items: { item: string; position: Position }[], toNode: (item: string) => string) =>
  toConnection(
    testSigner,
    () => 'letters',
    {
      items,
      hasNextPage: true,
      hasPreviousPage: false,
      start: items[0]?.position ?? null,
      end: items.at(-1)?.position ?? null,
    },
    toNode,
  )

test('a cursor is computed only when it is selected', () => {
  const kind = vi.fn(() => 'offset' as const)
  const position: Position = {
    get kind() {
      return kind()
    },
    from: 'start',
    index: 3,
  }
  const connection = pageOf([{ item: 'd', position }], (letter) => letter)
  expect(connection.nodes()).toEqual(['d'])
  const [edge] = connection.edges()
  expect(edge?.node).toBe('d')
  expect(connection.pageInfo.hasNextPage).toBe(true)
  expect(kind).not.toHaveBeenCalled()

  const cursors = [
    resolve('BlockEdge', 'cursor', edge),
    resolve('PageInfo', 'startCursor', connection.pageInfo),
    resolve('PageInfo', 'endCursor', connection.pageInfo),
  ]
  expect(new Set(cursors).size).toBe(1)
  expect(decodePageCursor(testSigner, 'letters', String(cursors[0]))).toEqual(positionAt(3))
})

test('no node is created unless nodes or edges are selected', () => {
  const toNode = vi.fn((letter: string) => letter.toUpperCase())
  const connection = pageOf([{ item: 'a', position: positionAt(0) }], toNode)
  expect(connection.pageInfo.hasPreviousPage).toBe(false)
  expect(toNode).not.toHaveBeenCalled()
  expect(connection.nodes()).toEqual(['A'])
  expect(connection.edges().map(({ node }) => node)).toEqual(['A'])
})

test('the page information of an empty page has no cursors', () => {
  const { pageInfo } = pageOf([], (letter) => letter)
  expect(resolve('PageInfo', 'startCursor', pageInfo)).toBeNull()
  expect(resolve('PageInfo', 'endCursor', pageInfo)).toBeNull()
})

test.each([
  ['Block', 'hash', { record: { hash: 'AB' } }, 'AB'],
  ['Block', 'proposer', { record: {} }, null],
  ['NftCollection', 'name', { record: { collection: { name: 'Boats' } }, isStale: true }, 'Boats'],
  ['Chain', 'vm', { listed: { vm: 'MOVE' } }, 'MOVE'],
])('%s.%s is resolved without a promise when its value is loaded', (type, field, value, result) => {
  expect(resolve(type, field, value)).toBe(result)
})
