import { z } from 'zod'
import * as indexer from './documents/indexer.ts'
import * as router from './documents/router.ts'

/** A tab of GraphiQL. Its title is the name of the operation. */
export interface Tab {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** Runs a document and returns its data, if there is any. */
export type ExecuteFn = (query: string, variables?: Record<string, unknown>) => Promise<unknown>

type Input = Record<string, unknown>

/**
 * The tabs that GraphiQL opens with. Their variables are looked up in the served network, so that each
 * tab has a result on any network. A tab without variables that fit is left out.
 */
export async function findTabs(execute: ExecuteFn): Promise<readonly Tab[]> {
  const records = await findRecords(execute)
  const { chainId, height, hash, transferHash, address, nft, denom } = records
  const routes = address && denom ? await findRoutes(execute, { ...records, denom }) : []
  const plainRoute = routes.find((route) => !route.requiresOpHook)
  const opHookRoute = routes.find((route) => route.requiresOpHook)
  const sentHash = transferHash ?? hash
  const sent = routes.length > 0 && sentHash ? { chainId, hash: sentHash } : null
  const tabs: (Tab | false | null | undefined | '')[] = [
    { query: indexer.explorerHome, variables: {} },
    chainId && { query: indexer.liveBlocks, variables: { chainId } },
    height !== null && { query: indexer.blockPage, variables: { chainId, height } },
    hash && { query: indexer.transactionPage, variables: { chainId, hash } },
    address && { query: indexer.accountPage, variables: { chainId, address } },
    nft && { query: indexer.nftPage, variables: { chainId, ...nft } },
    denom && { query: indexer.richList, variables: { chainId, denom } },
    plainRoute && { query: router.quote, variables: { input: plainRoute.input } },
    opHookRoute && {
      query: router.opHook,
      variables: {
        input: {
          routeToken: opHookRoute.routeToken,
          sourceAddress: address,
          destinationAddress: address,
        },
      },
    },
    plainRoute && {
      query: router.transferMessages,
      variables: {
        input: {
          routeToken: plainRoute.routeToken,
          addresses: plainRoute.requiredAddresses.map(() => address),
          slippageTolerancePercent: '1',
        },
      },
    },
    sent && { query: router.trackTransfer, variables: { input: sent } },
    sent && { query: router.watchTransfer, variables: sent },
  ]
  return tabs.filter((tab): tab is Tab => Boolean(tab))
}

/** Records of the default chain to show. Null for those it does not have. */
interface Records {
  readonly chainId: string | null
  readonly height: number | null
  readonly hash: string | null
  readonly transferHash: string | null
  readonly address: string | null
  readonly nft: { collection: string; tokenId: string } | null
  readonly denom: string | null
}

const recordsDocument = `{
  chain {
    chainId
    feeDenoms
    blocks(first: 10) { nodes { height totalFee { denom } } }
    transactions(first: 1) { nodes { hash signers { account { bech32Address } } } }
    transfers: transactions(filter: { messageTypes: ["ibc.applications.transfer.v1.MsgTransfer"] }, first: 10) {
      nodes { hash isSuccessful }
    }
    nftCollections(first: 10) {
      nodes { address nfts(first: 5) { nodes { tokenId owner { address bech32Address } } } }
    }
  }
}`

const nodes = <T extends z.ZodType>(node: T) =>
  z
    .object({ nodes: z.array(node) })
    .nullish()
    .transform((connection) => connection?.nodes ?? [])

const recordsAnswer = z.object({
  chain: z.object({
    chainId: z.string(),
    feeDenoms: z.array(z.string()).nullable(),
    blocks: nodes(
      z.object({ height: z.number(), totalFee: z.array(z.object({ denom: z.string() })) }),
    ),
    transactions: nodes(
      z.object({
        hash: z.string(),
        signers: z.array(
          z.object({ account: z.object({ bech32Address: z.string().nullable() }).nullable() }),
        ),
      }),
    ),
    transfers: nodes(z.object({ hash: z.string(), isSuccessful: z.boolean() })),
    nftCollections: nodes(
      z.object({
        address: z.string(),
        nfts: nodes(
          z.object({
            tokenId: z.string(),
            owner: z
              .object({ address: z.string(), bech32Address: z.string().nullable() })
              .nullable(),
          }),
        ),
      }),
    ),
  }),
})

async function findRecords(execute: ExecuteFn): Promise<Records> {
  const answer = recordsAnswer.safeParse(await execute(recordsDocument))
  const chain = answer.data?.chain
  // Indexers cannot look up the history of an id with spaces or `?#%`.
  const [nft] = (chain?.nftCollections ?? []).flatMap(({ address, nfts }) =>
    nfts.filter(({ tokenId }) => /^[\w.-]+$/.test(tokenId)).map((token) => ({ address, token })),
  )
  return {
    chainId: chain?.chainId ?? null,
    height: chain?.blocks[0]?.height ?? null,
    hash: chain?.transactions[0]?.hash ?? null,
    transferHash: chain?.transfers.find(({ isSuccessful }) => isSuccessful)?.hash ?? null,
    address:
      chain?.transactions[0]?.signers[0]?.account?.bech32Address ??
      nft?.token.owner?.bech32Address ??
      nft?.token.owner?.address ??
      null,
    nft: nft ? { collection: nft.address, tokenId: nft.token.tokenId } : null,
    denom:
      chain?.feeDenoms?.[0] ?? chain?.blocks.flatMap(({ totalFee }) => totalFee)[0]?.denom ?? null,
  }
}

interface FoundRoute {
  readonly input: Input
  readonly routeToken: string
  readonly requiresOpHook: boolean
  readonly requiredAddresses: readonly unknown[]
}

const assetsDocument = `query ($chainId: ChainId!) {
  assets(chainId: $chainId, first: 100) { nodes { denom originDenom originChainId } }
}`

const assetsAnswer = z.object({
  assets: nodes(
    z.object({
      denom: z.string(),
      originDenom: z.string().nullable(),
      originChainId: z.string().nullable(),
    }),
  ),
})

const routeDocument = `query ($input: RouteInput!) {
  route(input: $input) { routeToken requiresOpHook requiredAddresses { chainId } }
}`

const routeAnswer = z.object({
  route: z
    .object({
      routeToken: z.string(),
      requiresOpHook: z.boolean(),
      requiredAddresses: z.array(z.unknown()),
    })
    .nullable(),
})

const chainsAnswer = z.object({ chains: z.array(z.object({ chainId: z.string() })) })

/** Routes from the default chain to the assets on other chains that represent its denom. */
async function findRoutes(
  execute: ExecuteFn,
  { chainId, denom }: { chainId: string | null; denom: string },
): Promise<readonly FoundRoute[]> {
  const { data } = chainsAnswer.safeParse(await execute('{ chains { chainId } }'))
  const others = (data?.chains ?? []).filter((chain) => chain.chainId !== chainId).slice(0, 4)
  const destinations = await Promise.all(
    others.map(async (other) => {
      const assets = assetsAnswer.safeParse(await execute(assetsDocument, other)).data?.assets ?? []
      return assets
        .filter((asset) => asset.originDenom === denom && asset.originChainId === chainId)
        .slice(0, 2)
        .map((asset) => ({ chainId: other.chainId, denom: asset.denom }))
    }),
  )
  const routes = await Promise.all(
    destinations.flat().map(async (destination) => {
      const input = { amountIn: '1000000', source: { chainId, denom }, destination }
      const route = routeAnswer.safeParse(await execute(routeDocument, { input })).data?.route
      return route ? { input, ...route } : null
    }),
  )
  return routes.filter((route) => route !== null)
}
