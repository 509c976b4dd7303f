import { getNamedType, isObjectType } from 'graphql'
import { isList, leavesOf, metPlaces, shownTypes } from './fieldRequests.ts'
import type { ContractGateway, Data, Request } from './gateway.ts'

// Pages of each list of the graph, in both directions.

/** Arguments that lists need beside those of a page, and other forms of a list. */
const forms: Readonly<Record<string, readonly string[]>> = {
  'Chain.blocks': ['', 'order: ASC'],
  'Chain.transactions': [
    '',
    'order: ASC',
    'filter: { messageTypes: ["cosmos.bank.v1beta1.MsgSend"] }',
    'since: "2026-10-01T11:59:30Z"',
  ],
  'Chain.richList': ['denom: "uinit"', 'denom: "evm/2eE7007DF876084d4C74685e90bB7f4cd7c86e22"'],
  'Chain.nftCollections': ['', 'filter: { search: "a" }'],
}

/** The records of a page: what tells them apart, and their cursors. */
const selected = (leaves: readonly string[]) =>
  `edges { cursor node { __typename ${leaves.slice(0, 4).join(' ')} } }
   pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`

/** The connection in an answer. */
function connectionIn(value: Data): Data {
  if (typeof value !== 'object' || value === null) return undefined
  if ('pageInfo' in value) return value
  for (const inner of Object.values(value)) {
    const found = connectionIn(inner)
    if (found) return found
  }
  return undefined
}

/** Two pages of each list from each end, the second of each by the cursor of the first. */
export async function listRequests(gateway: ContractGateway): Promise<Map<string, Request>> {
  const places = await metPlaces(gateway)
  const requests = new Map<string, Request>()
  for (const type of shownTypes) {
    const place = places.get(type.name)
    for (const field of Object.values(place ? type.getFields() : {}).filter(isList)) {
      const connection = getNamedType(field.type)
      const node = isObjectType(connection) && getNamedType(connection.getFields().nodes?.type)
      if (!place || !node) continue
      const leaves = isObjectType(node) ? leavesOf(node) : []
      for (const form of forms[`${type.name}.${field.name}`] ?? ['']) {
        const name = [`${type.name}.${field.name}`, form].filter(Boolean).join(' ')
        const page = (args: string): Request => ({
          query: place(`${field.name}(${[form, args].filter(Boolean).join(', ')}) { ${selected(leaves)} }`),
        })
        for (const [size, from, end] of directions) {
          requests.set(`${name} ${size}`, page(`${size}: 3`))
          const { body } = await gateway.send(page(`${size}: 3`))
          const cursor = connectionIn(body.data)?.pageInfo[end]
          if (cursor) requests.set(`${name} ${size} ${from}`, page(`${size}: 3, ${from}: "${cursor}"`))
        }
      }
    }
  }
  return requests
}

const directions = [
  ['first', 'after', 'endCursor'],
  ['last', 'before', 'startCursor'],
] as const
