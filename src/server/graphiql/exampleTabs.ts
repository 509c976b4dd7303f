import { z } from 'zod'
import * as pages from './documents/indexer.ts'
import * as steps from './documents/router.ts'

/** A tab of GraphiQL, called after the operation in it. */
export interface Tab {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** Answers a document with its data, as far as there is any. */
export type ExecuteFn = (query: string, variables?: Record<string, unknown>) => Promise<unknown>

type Input = Record<string, unknown>

/**
 * The tabs GraphiQL opens with. Their variables are looked up in the network that is served, so that
 * each has something to show on any network; a tab for which nothing is found is left out.
 */
export async function findTabs(ask: ExecuteFn): Promise<readonly Tab[]> {
  const records = await findRecords(ask)
  const { chainId, height, hash, transferHash, address, nft, denom } = records
  const routes = address && denom ? await findRoutes(ask, { ...records, denom }) : []
  const plain = routes.find((route) => !route.requiresOpHook)
  const hooked = routes.find((route) => route.requiresOpHook)
  const txHash = transferHash ?? hash
  const sent = routes.length > 0 && txHash ? { chainId, txHash } : null
  const tabs: (Tab | false | null | undefined | '')[] = [
    { query: pages.explorerHome, variables: {} },
    height && { query: pages.blockPage, variables: { chainId, height } },
    hash && { query: pages.transactionPage, variables: { chainId, hash } },
    address && { query: pages.accountPage, variables: { chainId, address } },
    nft && { query: pages.nftPage, variables: { chainId, ...nft } },
    denom && { query: pages.richList, variables: { chainId, denom } },
    plain && { query: steps.quote, variables: { input: plain.input } },
    hooked && {
      query: steps.opHook,
      variables: { input: { route: hooked.token, sourceAddress: address, destAddress: address } },
    },
    plain && {
      query: steps.transferMessages,
      variables: {
        input: {
          route: plain.token,
          addresses: plain.requiredAddresses.map(() => address),
          slippageTolerancePercent: '1',
        },
      },
    },
    sent && { query: steps.trackTransfer, variables: { input: sent } },
    sent && { query: steps.watchTransfer, variables: sent },
  ]
  return tabs.filter((tab): tab is Tab => Boolean(tab))
}

/** What one look at the default chain finds to show; null for what it does not have. */
interface Records {
  readonly chainId: string | null
  readonly height: string | null
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
    transfers: transactions(first: 10, messageTypes: ["ibc.applications.transfer.v1.MsgTransfer"]) {
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
    feeDenoms: z.array(z.string()),
    blocks: nodes(
      z.object({ height: z.string(), totalFee: z.array(z.object({ denom: z.string() })) }),
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

async function findRecords(ask: ExecuteFn): Promise<Records> {
  const answer = recordsAnswer.safeParse(await ask(recordsDocument))
  const chain = answer.data?.chain
  // Indexers cannot be asked for the history of every id; one of letters and digits has one.
  const [shown] = (chain?.nftCollections ?? []).flatMap(({ address, nfts }) =>
    nfts.filter(({ tokenId }) => /^[\w.-]+$/.test(tokenId)).map((token) => ({ address, token })),
  )
  return {
    chainId: chain?.chainId ?? null,
    height: chain?.blocks[0]?.height ?? null,
    hash: chain?.transactions[0]?.hash ?? null,
    transferHash: chain?.transfers.find(({ isSuccessful }) => isSuccessful)?.hash ?? null,
    address:
      chain?.transactions[0]?.signers[0]?.account?.bech32Address ??
      shown?.token.owner?.bech32Address ??
      shown?.token.owner?.address ??
      null,
    nft: shown ? { collection: shown.address, tokenId: shown.token.tokenId } : null,
    denom:
      chain?.feeDenoms[0] ?? chain?.blocks.flatMap(({ totalFee }) => totalFee)[0]?.denom ?? null,
  }
}

interface FoundRoute {
  readonly input: Input
  readonly token: string
  readonly requiresOpHook: boolean
  readonly requiredAddresses: readonly unknown[]
}

const assetsDocument = `query ($chainId: String!) {
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
  route(input: $input) { token requiresOpHook requiredAddresses { chainId } }
}`

const routeAnswer = z.object({
  route: z
    .object({
      token: z.string(),
      requiresOpHook: z.boolean(),
      requiredAddresses: z.array(z.unknown()),
    })
    .nullable(),
})

const chainsAnswer = z.object({ chains: z.array(z.object({ chainId: z.string() })) })

/** Routes from the default chain to the forms its denom has on the other chains. */
async function findRoutes(
  ask: ExecuteFn,
  { chainId, denom }: { chainId: string | null; denom: string },
): Promise<readonly FoundRoute[]> {
  const { data } = chainsAnswer.safeParse(await ask('{ chains { chainId } }'))
  const others = (data?.chains ?? []).filter((chain) => chain.chainId !== chainId).slice(0, 4)
  const destinations = await Promise.all(
    others.map(async (other) => {
      const assets = assetsAnswer.safeParse(await ask(assetsDocument, other)).data?.assets ?? []
      return assets
        .filter((one) => one.originDenom === denom && one.originChainId === chainId)
        .slice(0, 2)
        .map((one) => ({ destAssetChainId: other.chainId, destAssetDenom: one.denom }))
    }),
  )
  const routes = await Promise.all(
    destinations.flat().map(async (destination) => {
      const input = {
        amountIn: '1000000',
        sourceAssetChainId: chainId,
        sourceAssetDenom: denom,
        ...destination,
      }
      const route = routeAnswer.safeParse(await ask(routeDocument, { input })).data?.route
      return route ? { input, ...route } : null
    }),
  )
  return routes.filter((route) => route !== null)
}
