import { z } from 'zod'
import type { Graph, GraphAnswer } from './graph.ts'

/** Data of the graph, whose shape the document beside it gives. The types of the schema are checked by tests. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Data = any

/** The result of a tool. */
export interface ToolResult {
  /** Names before hashes, and amounts with symbols. */
  readonly result: Readonly<Record<string, unknown>>
  /** A list of the result that has pages: its name, and the arguments of the call for what follows a row. */
  readonly page?: {
    readonly list: string
    readonly cursors: readonly string[]
    readonly hasNextPage: boolean
    readonly next: (cursor: string) => Readonly<Record<string, unknown>>
  }
  /** The call that continues from here, if that is not a page. */
  readonly next?: Readonly<Record<string, unknown>> | undefined
}

/** A tool for agents. All of them only read. */
export interface Tool {
  readonly name: string
  readonly title: string
  /** When to call it, and what it returns. */
  readonly description: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /** The operation in GraphQL that it sends. */
  readonly document: string
  run(args: Data, graph: Graph): Promise<GraphAnswer>
  /** Makes words of data. Not called without data. */
  read(data: Data, args: Data): ToolResult
}

/** Defines a tool that sends one query, with its arguments as variables. */
export const queryTool = (
  tool: Omit<Tool, 'run'> & { readonly variables?: (args: Data) => Record<string, unknown> },
): Tool => ({
  ...tool,
  run({ detail, ...args }, graph) {
    const variables = tool.variables?.({ ...args, detail }) ?? args
    return graph.query({ query: tool.document, variables })
  },
})

export const chainId = z.string().min(1).max(64).describe('Id of a chain, as chain_status lists them.')
export const address = z
  .string()
  .min(3)
  .max(128)
  .describe('Address in any spelling: bech32 of any chain, or hex with 0x.')
export const hash = z.string().max(128).describe('Hash: 64 hex digits, with or without 0x.')
export const detail = z
  .enum(['concise', 'full'])
  .default('concise')
  .describe('`concise` cuts texts after 200 characters. `full` cuts them after 2,000, and adds bodies and logs.')

/** An amount with its symbol, as people write it. The denom takes the place of an unknown symbol. */
export function amountOf(amount: Data): string | null {
  if (!amount) return null
  const { formattedAmount, amount: units, asset, denom } = amount
  if (formattedAmount != null && asset?.symbol) return `${shortest(formattedAmount)} ${asset.symbol}`
  return units == null ? null : `${units} ${denom ?? asset?.denom ?? 'base units'}`
}

/** A decimal without zeros at its end. */
const shortest = (decimal: string): string => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal)

/** An amount in dollars. */
export const usd = (value: Data): string | null => (value == null ? null : `$${value}`)

/** The last word of the type of a message, such as `MsgSend`. */
export const lastWord = (typeUrl: string): string => typeUrl.split(/[./]/).at(-1) ?? typeUrl

/** The balance changes of an account, as lines with signs. An NFT has its token id. */
export const changesOf = (changes: Data): string[] | undefined =>
  changes?.map(({ kind, tokenId, objectAddress, ...amount }: Data) => {
    const what =
      kind === 'NFT' || kind === 'OBJECT'
        ? `${amount.amount > 0 ? '+' : ''}${amount.amount} ${kind} ${tokenId ?? objectAddress ?? ''}`
        : `${amount.amount > 0 ? '+' : ''}${amountOf(amount)}`
    return kind === 'FEE' ? `${what} (fee)` : what.trim()
  })

/** The chains that could not be read, as in the graph. */
export const unavailable = (chains: Data): Data =>
  chains?.length ? { unavailableChains: chains.map(({ chainId, code }: Data) => ({ chainId, code })) } : {}

/** A list in an answer. */
export const rows = z.array(z.looseObject({})).optional()
/** The chains that could not be read for a list, and why. */
export const unavailableChains = z.array(z.object({ chainId: z.string(), code: z.string() })).optional()
