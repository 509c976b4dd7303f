import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import type { ContractGateway, Data, Request } from './gateway.ts'

// Finds a document for each field of the graph: one that shows it where its type is met.

const schemaFile = join(import.meta.dirname, '..', '..', 'schema.graphql')

/** The graph as clients know it. */
export const publicSchema = buildSchema(readFileSync(schemaFile, 'utf8'))

type Field = GraphQLField<unknown, unknown>

/** A place in the graph: the document in which a selection stands there. */
type Place = (selection: string) => string

/** How many places of a type are tried until one has a record. */
const maxPlaces = 60

/** Transfers over several bridges, and transfers that fail: the last digits of a hash choose how it goes. */
const transfers = ['02', '01', 'e0', 'e1', 'e6', 'e9'].map(
  (ending) => `chainId: "harbor-1", hash: "${'ab'.repeat(31)}${ending}"`,
)

/** The requests that make the router know the transfers, and let them end. */
const tracking = new Map<string, Request>(
  transfers.map((input, i) => [
    `tracking ${i}`,
    { query: `mutation { trackTransfer(input: { ${input} }) { transfer { state } } }` },
  ]),
)

/** Records that fields with required arguments ask for. */
async function factsOf(gateway: ContractGateway) {
  const { chain } = await gateway.data(`{ chain(chainId: "galley-1") {
    blocks(first: 30) { nodes { height hash transactionCount } }
    transactions(first: 60) { nodes { hash actions { nfts { tokenId } } } }
    evmInternalTransactions(first: 1) { nodes { transactionHash } }
    nftCollections(first: 1) { nodes { id address nfts(first: 1) { nodes { tokenId owner { address } } } } }
    feeDenoms } }`)
  const [collection] = chain.nftCollections.nodes
  const [nft] = collection.nfts.nodes
  return {
    ...{ collection, nft },
    block: chain.blocks.nodes.find((each: Data) => each.transactionCount > 1),
    denom: chain.feeDenoms[0],
    transaction: chain.transactions.nodes[0].hash,
    nftTransfer: chain.transactions.nodes.find(({ actions }: Data) =>
      actions?.some(({ nfts }: Data) => nfts.length > 0),
    )?.hash,
    evmTransaction: chain.evmInternalTransactions.nodes[0].transactionHash,
    messages: await messagesOf(gateway),
  }
}

const quote = (from: string, to: string) => `amountIn: "5000000", source: { ${from} }, destination: { ${to} }`

const ends = {
  harbor: 'chainId: "harbor-1", denom: "uinit"',
  osmosis: 'chainId: "osmosis-1", denom: "uosmo"',
  noble: 'chainId: "noble-1", denom: "uusdc"',
}

/** Routes over several bridges, with and without a swap. */
const routes = [
  quote(ends.harbor, ends.osmosis),
  quote(ends.osmosis, ends.harbor),
  quote(ends.noble, ends.osmosis),
  quote(ends.harbor, ends.noble),
]

/** The arguments for the messages of a route. */
async function messagesOf(gateway: ContractGateway): Promise<string> {
  const { route, account } = await gateway.data(`{
    route(input: { ${routes[0]} }) { routeToken requiredAddresses { chainId } }
    account(address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3") { hexAddress } }`)
  const addresses = route.requiredAddresses.map(({ chainId }: Data) =>
    chainId === 'osmosis-1'
      ? 'osmo1wllqcgh04444mr53tegtrkdlc970awqhj5hg2k'
      : 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3',
  )
  void account
  return `input: { routeToken: "${route.routeToken}", addresses: ${JSON.stringify(addresses)} }`
}

type Facts = Awaited<ReturnType<typeof factsOf>>

/** The arguments of fields that need some, each choice by itself. */
const choicesOf = ({ block, collection, nft, denom, messages, ...hashes }: Facts) => {
  const address = `address: "${nft.owner.address}"`
  const token = `collection: "${collection.address}", tokenId: "${nft.tokenId}"`
  const evm = 'chainId: "galley-1"'
  const { transaction, evmTransaction, nftTransfer } = hashes
  return {
    'Query.account': [address],
    'Query.asset': ['chainId: "harbor-1", denom: "uinit"'],
    'Query.assetsBetweenChains': ['sourceChainId: "harbor-1", destinationChainId: "galley-1"'],
    'Query.block': [`${evm}, height: ${block.height}`],
    'Query.chain': [evm, 'chainId: "harbor-1"', 'chainId: "lantern-1"', 'chainId: "1"'],
    'Query.nft': [`${evm}, ${token}`],
    'Query.nftCollection': [`${evm}, address: "${collection.address}"`],
    'Query.node': [`id: "${collection.id}"`],
    'Query.nodes': [`ids: ["${collection.id}"]`],
    'Query.route': routes.map((input) => `input: { ${input} }`),
    'Query.search': ['text: "INIT"', 'text: "harbor"', 'text: "12"', `text: "${'9'.repeat(64)}", first: 2`],
    'Query.transaction': [transaction, evmTransaction, nftTransfer].map((hash) => `${evm}, hash: "${hash}"`),
    'Query.transfer': transfers,
    'Query.transferMessages': [messages],
    'Chain.account': [address],
    'Chain.block': [`height: ${block.height}`],
    'Chain.blockByHash': [`hash: "${block.hash}"`],
    'Chain.evmTransaction': [`hash: "${evmTransaction}"`],
    'Chain.nft': [token],
    'Chain.nftCollection': [`address: "${collection.address}"`],
    'Chain.richList': [`denom: "${denom}"`, 'denom: "uinit"'],
    'Chain.transaction': [`hash: "${transaction}"`],
    'ChainExplorer.accountUrl': [address],
    'ChainExplorer.transactionUrl': [`hash: "${transaction}"`],
    'Mutation.trackTransfer': transfers.map((input) => `input: { ${input} }`),
  } as Readonly<Record<string, readonly string[]>>
}

export const isList = ({ args }: Field) => args.some(({ name }) => name === 'last')

/** The ways to write a field of a type with its arguments. None if it needs some that nobody knows. */
function headsOf(type: GraphQLObjectType, field: Field, facts: Facts): string[] {
  const choices = choicesOf(facts)[`${type.name}.${field.name}`]
  const page = isList(field) ? 'first: 2' : ''
  if (choices) return choices.map((each) => `${field.name}(${[each, page].filter(Boolean).join(', ')})`)
  if (field.args.some(isRequiredArgument)) return []
  return [page ? `${field.name}(${page})` : field.name]
}

/** Places of each type, the nearest first. */
function placesOf(facts: Facts): Map<string, Place[]> {
  const places = new Map<string, Place[]>()
  const queue: {
    readonly type: GraphQLObjectType
    readonly place: Place
    readonly depth: number
  }[] = []
  const reach = (type: GraphQLObjectType, place: Place, depth: number) => {
    const known = places.get(type.name) ?? []
    if (known.length >= maxPlaces) return
    places.set(type.name, [...known, place])
    queue.push({ type, place, depth })
  }
  const root = (type: GraphQLObjectType | null | undefined, word: string) => {
    if (type) reach(type, (selection) => `${word}{ ${selection} }`, 0)
  }
  root(publicSchema.getQueryType(), '')
  root(publicSchema.getMutationType(), 'mutation ')
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { type, place, depth } = next
    for (const field of Object.values(type.getFields())) {
      const inner = getNamedType(field.type)
      for (const head of isLeafType(inner) ? [] : headsOf(type, field, facts)) {
        const at: Place = (selection) => place(`${head} { ${selection} }`)
        if (isObjectType(inner)) reach(inner, at, depth + 1)
        if (!isAbstractType(inner)) continue
        for (const possible of publicSchema.getPossibleTypes(inner)) {
          reach(possible, (selection) => at(`... on ${possible.name} { ${selection} }`), depth + 1)
        }
      }
    }
  }
  return places
}

/** A selection of a field: of a record, its type and the fields without arguments that are no records. */
function selectionOf(type: GraphQLObjectType, field: Field, facts: Facts): string | undefined {
  const [head] = headsOf(type, field, facts)
  const inner = getNamedType(field.type)
  if (head === undefined || isLeafType(inner)) return head
  if (!isObjectType(inner)) return `${head} { __typename }`
  return `${head} { ${['__typename', ...leavesOf(inner)].join(' ')} }`
}

const subscription = publicSchema.getSubscriptionType()

/** The object types of the graph whose fields documents can ask for. */
export const shownTypes = Object.values(publicSchema.getTypeMap()).filter(
  (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__') && type !== subscription,
)

/** The names of the fields of a type without required arguments that are no records. */
export const leavesOf = (type: GraphQLObjectType): string[] =>
  Object.values(type.getFields())
    .filter((each) => isLeafType(getNamedType(each.type)) && !each.args.some(isRequiredArgument))
    .map(({ name }) => name)

/** A place for each type that is met, by its name. The router knows the transfers by then. */
export async function metPlaces(gateway: ContractGateway): Promise<Map<string, Place>> {
  for (const request of tracking.values()) await gateway.send(request)
  await gateway.advance(afterTracking)
  const facts = await factsOf(gateway)
  const places = placesOf(facts)
  const met = new Map<string, Place>()
  for (const type of shownTypes) {
    const place = await firstMet(gateway, type, places.get(type.name) ?? [])
    if (place) met.set(type.name, place)
  }
  return met
}

/** A request for each field of each type that is met, by the name of the field, after those that they need. */
export async function fieldRequests(gateway: ContractGateway): Promise<Map<string, Request>> {
  const places = await metPlaces(gateway)
  const facts = await factsOf(gateway)
  const requests = new Map(tracking)
  let after = afterTracking
  for (const type of shownTypes) {
    const place = places.get(type.name)
    for (const field of Object.values(place ? type.getFields() : {})) {
      const selection = selectionOf(type, field, facts)
      if (!place || !selection) continue
      requests.set(`${type.name}.${field.name}`, { query: place(selection), after })
      after = 0
    }
  }
  return requests
}

/** Milliseconds until the transfers have ended. */
const afterTracking = 120_000

/** The first place where a record of the type is. */
async function firstMet(gateway: ContractGateway, type: GraphQLObjectType, places: readonly Place[]) {
  for (const place of places) {
    const { body } = await gateway.send({ query: place('met: __typename') })
    if (JSON.stringify(body.data ?? null).includes(`"met":"${type.name}"`)) return place
  }
  return undefined
}
