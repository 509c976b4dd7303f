/** A document that GraphiQL opens with; its tab is called after its operation. */
export interface Tab {
  /** What it shows, as a comment above it. */
  readonly title: string
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
}

/** The tabs GraphiQL opens with, the first in front. */
export const tabs: readonly Tab[] = [
  {
    title: 'The chains this gateway serves.',
    query: `query Chains {
  chains {
    chainId
  }
}`,
  },
]
