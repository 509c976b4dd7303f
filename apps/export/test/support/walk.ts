import { address } from './world.ts'

/** A change as the graph has it, with its transaction. Without a change: null in its place. */
export interface Walked {
  readonly chainId: string
  readonly hash: string
  readonly timestamp: string
  readonly change: {
    readonly kind: string
    readonly amount: string
    readonly formattedAmount: string | null
    readonly usdValueAtTime: string | null
    readonly denom: string | null
    readonly tokenId: string | null
    readonly contract: { readonly address: string } | null
    readonly collection: { readonly address: string } | null
    readonly objectAddress: string | null
  } | null
}

const document = `query Walk($address: Address!, $after: String) {
  account(address: $address) {
    activity(first: 30, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges {
        chain { chainId }
        node { hash timestamp }
        balanceChanges {
          kind amount formattedAmount usdValueAtTime denom tokenId objectAddress contract { address } collection { address }
        }
      }
    }
  }
}`

interface WalkPage {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
  readonly edges: readonly {
    readonly chain: { readonly chainId: string }
    readonly node: { readonly hash: string; readonly timestamp: string }
    readonly balanceChanges: readonly NonNullable<Walked['change']>[]
  }[]
}

/** All changes of the account, read from the newest transaction on, as a screen does, and turned round. */
export async function walk(url: string): Promise<readonly Walked[]> {
  const pages: WalkPage[] = []
  for (let after: string | undefined; ; ) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: document, variables: { address, after } }),
    })
    const { data, errors } = (await response.json()) as {
      data: { account: { activity: WalkPage } }
      errors?: unknown
    }
    if (errors) throw new Error(JSON.stringify(errors))
    const page = data.account.activity
    pages.push(page)
    if (!page.pageInfo.hasNextPage) break
    after = page.pageInfo.endCursor
  }
  const edges = pages.flatMap((page) => page.edges).toReversed()
  return edges.flatMap(({ chain, node, balanceChanges }): Walked[] => {
    const known = { chainId: chain.chainId, ...node }
    return balanceChanges.length === 0
      ? [{ ...known, change: null }]
      : balanceChanges.map((change) => ({ ...known, change }))
  })
}
