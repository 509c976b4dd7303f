import { z } from 'zod'

/** Runs a document and returns its data, if there is any. */
export type ExecuteFn = (query: string, variables?: Record<string, unknown>) => Promise<unknown>

type Variables = Readonly<Record<string, unknown>>

/** Variables that let each document show something in the served network. Null if it shows nothing. */
export interface FoundVariables {
  readonly block: Variables | null
  readonly account: Variables | null
  readonly search: Variables | null
  readonly quote: Variables | null
  readonly watch: Variables | null
}

const nodes = <T extends z.ZodType>(node: T) =>
  z
    .object({ nodes: z.array(node) })
    .nullish()
    .transform((connection) => connection?.nodes ?? [])

/** Runs a document. Undefined if its data is not as expected. */
async function ask<T extends z.ZodType>(
  execute: ExecuteFn,
  document: { readonly text: string; readonly data: T },
  variables: Record<string, unknown> = {},
): Promise<z.output<T> | undefined> {
  return document.data.safeParse(await execute(document.text, variables)).data
}

/** Searches for records to show, on the default chain where possible. */
export async function findVariables(execute: ExecuteFn): Promise<FoundVariables | null> {
  const network = await ask(execute, networkDocument)
  if (!network) return null
  const { chains, chain } = network
  const [block, records] = await Promise.all([
    findBlock(execute, chains.find(({ vm }) => vm === 'EVM')?.chainId ?? chain.chainId),
    ask(execute, recordsDocument, { chainId: chain.chainId }),
  ])
  const { transactions = [], transfers = [], nftCollections = [] } = records?.chain ?? {}
  const owners = nftCollections.flatMap(({ nfts }) => nfts.map(({ owner }) => owner))
  const signers = transactions.flatMap((tx) => tx.signers.map(({ account }) => account))
  const address = [...owners, ...signers].find((account) => account)?.address
  const hash = transfers.find(({ isSuccessful }) => isSuccessful)?.hash ?? transactions[0]?.hash
  const others = chains.filter(({ chainId }) => chainId !== chain.chainId)
  const denom = chain.feeDenoms?.[0]
  const text = [chain, ...others].at(-1)?.prettyName
  const quote = denom ? await findRoute(execute, { source: { chainId: chain.chainId, denom }, others }) : null
  return {
    block,
    account: address ? { address } : null,
    search: text ? { text } : null,
    quote,
    // Without a route there is no router that knows a transfer.
    watch: quote && hash ? { chainId: chain.chainId, hash } : null,
  }
}

const chain = z.object({ chainId: z.string(), prettyName: z.string() })

const networkDocument = {
  text: '{ chains { chainId prettyName vm } chain { chainId prettyName feeDenoms } }',
  data: z.object({
    chains: z.array(chain.extend({ vm: z.string().nullable() })),
    chain: chain.extend({ feeDenoms: z.array(z.string()).nullable() }),
  }),
}

const account = z.object({ address: z.string() }).nullable()

const recordsDocument = {
  text: `query ($chainId: ChainId!) {
    chain(chainId: $chainId) {
      transactions(first: 1) { nodes { hash signers { account { address } } } }
      transfers: transactions(
        filter: { messageTypes: ["ibc.applications.transfer.v1.MsgTransfer"] }
        first: 10
      ) { nodes { hash isSuccessful } }
      nftCollections(first: 10) { nodes { nfts(first: 5) { nodes { owner { address } } } } }
    }
  }`,
  data: z.object({
    chain: z.object({
      transactions: nodes(z.object({ hash: z.string(), signers: z.array(z.object({ account })) })),
      transfers: nodes(z.object({ hash: z.string(), isSuccessful: z.boolean() })),
      nftCollections: nodes(z.object({ nfts: nodes(z.object({ owner: account })) })),
    }),
  }),
}

const blocksDocument = {
  text: `query ($chainId: ChainId!) {
    chain(chainId: $chainId) {
      blocks(first: 20) {
        nodes { height transactionCount evmTransactions(first: 1) { nodes { hash } } }
      }
    }
  }`,
  data: z.object({
    chain: z.object({
      blocks: nodes(
        z.object({
          height: z.number(),
          transactionCount: z.number(),
          evmTransactions: nodes(z.unknown()),
        }),
      ),
    }),
  }),
}

/** The block with the most transactions among the newest, if possible one with EVM transactions. */
async function findBlock(execute: ExecuteFn, chainId: string): Promise<Variables | null> {
  const blocks = (await ask(execute, blocksDocument, { chainId }))?.chain.blocks ?? []
  const [block] = blocks.toSorted(
    (a, b) => b.evmTransactions.length - a.evmTransactions.length || b.transactionCount - a.transactionCount,
  )
  return block ? { chainId, height: block.height } : null
}

interface AssetAt {
  readonly chainId: string
  readonly denom: string
}

const assetsDocument = {
  text: `query ($chainId: ChainId!) {
    assets(chainId: $chainId, first: 100) { nodes { denom originDenom originChainId } }
  }`,
  data: z.object({
    assets: nodes(
      z.object({
        denom: z.string(),
        originDenom: z.string().nullable(),
        originChainId: z.string().nullable(),
      }),
    ),
  }),
}

const routeDocument = {
  text: 'query ($input: RouteInput!) { route(input: $input) { amountOut } }',
  data: z.object({ route: z.object({ amountOut: z.string() }) }),
}

/** A route from an asset to what represents it on one of these chains. */
async function findRoute(
  execute: ExecuteFn,
  { source, others }: { source: AssetAt; others: readonly { chainId: string }[] },
): Promise<Variables | null> {
  for (const { chainId } of others.slice(0, 4)) {
    const assets = (await ask(execute, assetsDocument, { chainId }))?.assets ?? []
    const same = assets.find((asset) => asset.originDenom === source.denom && asset.originChainId === source.chainId)
    if (!same) continue
    const input = { amountIn: '1000000', source, destination: { chainId, denom: same.denom } }
    if (await ask(execute, routeDocument, { input })) return { input }
  }
  return null
}
