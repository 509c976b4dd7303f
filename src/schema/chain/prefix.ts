import { z } from 'zod'
import { bech32Of } from '#words/addresses/bytes'
import { builder, type Context } from '../../engine/graphql/builder.ts'
import type { Upstream } from '../../engine/upstream/client.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { get } from '../../engine/upstream/request.ts'
import { list, pageOf, readable, stringOrEmpty } from '../../engine/wire/decode.ts'
import { ifReadable } from '../../engine/wire/optional.ts'
import { plainEvent } from '../../engine/wire/plainEvent.ts'
import type { Awaitable } from '../../kit/awaitable.ts'
import type { CacheRegion } from '../../kit/cache/region.ts'
import { Chain } from './chain.ts'
import { findInResponses } from './findInResponses.ts'
import type { ChainShape } from './knownChain.ts'
import { loadRouterRecord } from './routerRecords.ts'

// A validator's address has the prefix of the chain and this word before its separator.
const operatorAddress = /^([a-z][a-z0-9]*?)valoper1/

const newestBlock = get(
  '/indexer/block/v1/blocks',
  pageOf('blocks', z.object({ proposer: z.object({ operator_address: stringOrEmpty }).nullish() })),
  { query: { 'pagination.limit': 1, 'pagination.reverse': true } },
)

/** The `tx` events of a transaction name its signers as `address/sequence`, and who pays its fee. */
const event = z
  .object({
    type: stringOrEmpty,
    attributes: list(z.object({ key: stringOrEmpty, value: stringOrEmpty })),
  })
  .transform(plainEvent)

const newestTransaction = get('/indexer/tx/v1/txs', pageOf('txs', z.object({ events: list(event) })), {
  query: { 'pagination.limit': 1, 'pagination.reverse': true, 'pagination.count_total': false },
})

/** The longest wait for the router where an indexer shows the prefix too, in milliseconds. */
const routerMs = 1_000

const shownPrefixes: CacheRegion<string | null> = { name: 'bech32Prefixes', maxEntries: 10_000 }

/** The prefix of the newest block's proposer. Null if there is no block, or no proposer in it. */
async function prefixOfProposer({ scope }: Context, indexer: Upstream): Promise<string | null> {
  const blocks = await scope.fetch(indexer, newestBlock)
  const [block] = readable(blocks?.items ?? [])
  const address = block?.proposer?.operator_address.toLowerCase() ?? ''
  return operatorAddress.exec(address)?.[1] ?? null
}

/** The prefix of the signer of the newest transaction. Null if none. */
async function prefixOfSigner({ scope }: Context, indexer: Upstream): Promise<string | null> {
  const transactions = await scope.fetch(indexer, newestTransaction)
  const [transaction] = readable(transactions?.items ?? [])
  const addresses = (transaction?.events ?? [])
    .filter(({ type }) => type === 'tx')
    .flatMap(({ attributes }) => attributes)
    .filter(({ key }) => key === 'acc_seq' || key === 'fee_payer')
    .flatMap(({ value }) => bech32Of(value.split('/')[0] ?? '') ?? [])
  return addresses[0]?.prefix ?? null
}

/** The prefix that the records of an indexer show. Null if they show none. */
const shownPrefix = async (context: Context, { indexer }: ServedChain): Promise<string | null> =>
  findInResponses(context, indexer, {
    region: shownPrefixes,
    find: async () => (await prefixOfProposer(context, indexer)) ?? (await prefixOfSigner(context, indexer)),
    isFound: (prefix) => prefix !== null,
  })

function findPrefix(context: Context, chain: ChainShape): Awaitable<string | null> {
  const find = async () => {
    // Heights do not matter to it, so it does not wait for one.
    const served = context.network.chains.get(chain.chainId)
    const recorded = () => loadRouterRecord(context, chain.chainId)
    // An indexer shows the prefix too, so that a router that hangs is not waited for.
    const record = served ? context.scope.within({ milliseconds: routerMs }, recorded) : recorded()
    const prefix = ifReadable((await record.catch(() => null))?.bech32_prefix)
    return prefix || (served ? shownPrefix(context, served).catch(() => null) : null)
  }
  return context.scope.memory.load(`bech32 prefix of ${chain.chainId}`, find)
}

/**
 * The prefix of the chain's bech32 addresses: as configured or in the registry, else the router's, else as the
 * indexer shows. Null if unknown, or without such addresses.
 */
export const prefixOf = (context: Context, chain: ChainShape): Awaitable<string | null> =>
  chain.listed?.bech32Prefix ?? findPrefix(context, chain)

builder.objectField(Chain, 'bech32Prefix', (t) =>
  t.nullable('String', 'Prefix of its bech32 addresses. Null if none or unknown.', (chain, _args, context) =>
    prefixOf(context, chain),
  ),
)
