import { z } from 'zod'
import { amountOf, chainId, type Data, hash, rows, type Tool } from '../tool.ts'

/** The longest wait for the end of a transfer, in milliseconds. */
const waitMs = 20_000

const document = `subscription McpTransferStatus($chainId: ChainId!, $hash: String!) {
  transfer(chainId: $chainId, hash: $hash) { state outcome isTerminal search { isTracked since until }
    guidance { code sentence nextStep isLate remainingSeconds funds returns returnsTo { prettyName } url supportUrl }
    chain { prettyName chainId }
    hops { index bridge state isBlocking fromChain { prettyName } toChain { prettyName } assetOut { symbol }
      transactions { kind hash chainId explorerUrl } error { message } }
    assetRelease { isReleased amount denom formattedAmount asset { symbol } chain { prettyName } }
    error { message }
  }
}`

export const transferStatus: Tool = {
  name: 'transfer_status',
  title: 'Status of a transfer between chains',
  description:
    'Where a transfer between chains is, hop by hop, what to tell its owner (`guidance`), and where its assets were released. `notSeenYet` says that the router does not know the transaction. Waits up to 20 seconds for its end; if it has not ended then, call it again with the arguments in `next`.',
  input: z.object({
    chainId: chainId.describe('Chain of the first transaction.'),
    hash: hash.describe('Hash of the first transaction, on the source chain.'),
  }),
  output: z.object({ hops: rows }),
  document,
  run: ({ detail: _detail, ...variables }, graph) =>
    graph.watch(
      { query: document, variables },
      {
        milliseconds: waitMs,
        isLast: ({ data }) => (data?.transfer as Data)?.isTerminal === true,
      },
    ),
  read({ transfer }, args) {
    const { state, outcome, isTerminal, search, guidance, chain, hops, assetRelease, error } = transfer
    const stuck = hops.find(({ isBlocking }: Data) => isBlocking)
    return {
      result: {
        state,
        outcome,
        isEnded: isTerminal,
        guidance: { ...guidance, returnsTo: guidance.returnsTo?.prettyName },
        notSeenYet: search ?? undefined,
        waitsFor: stuck && `${stuck.fromChain?.prettyName} to ${stuck.toChain?.prettyName}`,
        from: chain.prettyName,
        released: assetRelease && {
          amount: amountOf(assetRelease),
          chain: assetRelease.chain?.prettyName,
          isReleased: assetRelease.isReleased,
        },
        error: error?.message,
        hops: hops.map((hop: Data) => ({
          from: hop.fromChain?.prettyName,
          to: hop.toChain?.prettyName,
          bridge: hop.bridge,
          state: hop.state,
          asset: hop.assetOut?.symbol,
          error: hop.error?.message,
          transactions: hop.transactions,
        })),
      },
      next: isTerminal ? undefined : args,
    }
  },
}
