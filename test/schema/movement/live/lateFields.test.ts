import { type GraphQLField, type GraphQLNamedType, getNamedType, isLeafType, isObjectType, isUnionType } from 'graphql'
import { expect } from 'vitest'
import { schema } from '../../../../src/schema/schema.ts'
import { startRouterWorld } from '../../../support/routerWorld.ts'
import { busyChains, nextSentBy } from '../../../support/sentBy.ts'
import { testOfPlainRecords } from '../../../support/world.ts'

const plainTest = testOfPlainRecords()

// Every field of a transfer that reads a record of a chain says by `extensions.late` that it can come after the state. So
// an event with all other fields asks no indexer for more than an event without them.

/** What is known of a chain or an asset, whatever is transferred. */
const ofChains = ['Chain', 'Asset']

type Field = GraphQLField<unknown, unknown>
interface FieldPath {
  readonly path: string
  readonly field: Field
  /** A selection of the field alone, by its leaves. */
  readonly selection: string
}

const isLate = ({ extensions }: Field) => extensions.late !== undefined

/** The leaves below a type, and the late fields, whose leaves are left out. */
function pathsBelow(type: GraphQLNamedType, above: readonly GraphQLNamedType[] = []): FieldPath[] {
  if (above.includes(type) || ofChains.includes(type.name)) return []
  if (isUnionType(type)) {
    return type.getTypes().flatMap((member) =>
      pathsBelow(member, [...above, type]).map((each) => ({
        ...each,
        selection: `... on ${member.name} { ${each.selection} }`,
      })),
    )
  }
  if (!isObjectType(type)) return []
  return Object.values(type.getFields()).flatMap((field): FieldPath[] => {
    const path = `${type.name}.${field.name}`
    const of = getNamedType(field.type)
    const alias = `${type.name}_${field.name}: ${field.name}`
    if (isLeafType(of)) return [{ path, field, selection: alias }]
    if (isLate(field)) return [{ path, field, selection: `${alias} { __typename }` }]
    return pathsBelow(of, [...above, type]).map((below) => ({ ...below, selection: `${alias} { ${below.selection} }` }))
  })
}

const transfer = schema.getType('Transfer')
const paths = transfer ? pathsBelow(transfer) : []
const documentOf = (selection: string) => `subscription ($chainId: ChainId!, $hash: String!) {
  transfer(chainId: $chainId, hash: $hash) { isTerminal ${selection} } }`

/** What indexers are asked for a watched transfer whose first transaction they do not have. */
async function watched(selection: string) {
  await using world = await startRouterWorld({ chains: busyChains })
  const { hash } = await nextSentBy(world, 'MsgTransfer', 'galley-1')
  const path = '/indexer/tx/v1/txs/'
  world.sandbox.faults.set('galley-1', path, { kind: 'status', status: 404 })
  world.sandbox.requests.length = 0
  const watch = await world.watch(documentOf(selection), { chainId: 'galley-1', hash })
  const last = () => watch.events.at(-1)?.transfer
  for (let second = 0; second < 60 && !last()?.isTerminal; second += 1) await world.clock.advance(1_000)
  await world.clock.advance(31_000)
  expect(watch.end).toBe('completed')
  return world.sandbox.requests.filter((line) => line.includes(path))
}

plainTest('a field of a transfer that reads a record of a chain can come after the state', async () => {
  const others = paths.filter(({ field }) => !isLate(field))
  expect(new Set(others.map(({ path }) => path)).size).toBeGreaterThan(30)
  const selection = others.map((each) => each.selection).join(' ')
  expect(await watched(selection)).toEqual(await watched('rawState'))
})
