import { z } from 'zod'
import { amountOf, chainId, type Data, hash, rows, type Tool } from '../tool.ts'
import { bridgeTransferFragments, bridgeTransferOf } from './bridgeTransfer.ts'

/** The longest wait for the end of a transfer, in milliseconds. */
const waitMs = 20_000

const document = `subscription McpTransferStatus($chainId: ChainId!, $hash: String!) {
  transfer(chainId: $chainId, hash: $hash) { state rawState outcome search { isTracked since until }
    guidance { contradiction code sentence nextStep isLate remainingSeconds funds returns returnsTo { prettyName } url supportUrl }
    chain { prettyName chainId }
    transaction { bridgeTransfers { ...movement } }
    hops { index bridge state reportedState isBlocking fromChain { prettyName } toChain { prettyName }
      assetOut { symbol } transactions { kind hash chainId explorerUrl } error { message }
      bridgeTransfer { state isProven departure { hash } arrival { hash } } }
    assetRelease { isReleased amount denom formattedAmount asset { symbol } chain { prettyName } }
    error { message }
  }
}
${bridgeTransferFragments}`

const provenOutcomes: Readonly<Record<string, string>> = { DELIVERED: 'SUCCEEDED', RETURNED: 'FAILED' }

/** The outcome. A router that does not follow a transfer leaves its state open, and what the records prove is in the guidance. */
const outcomeOf = ({ state, outcome, guidance }: Data): string =>
  (state === 'UNTRACKED' && provenOutcomes[guidance.code]) || outcome

const hasEnded = (transfer: Data): boolean => outcomeOf(transfer) !== 'PENDING'

/** Both words of a hop that the records and the router tell differently. */
const contradictionOfHop = ({ state, reportedState }: Data): string | undefined =>
  state === reportedState ? undefined : `The records of the chains prove ${state}. The router says ${reportedState}.`

export const transferStatus: Tool = {
  name: 'transfer_status',
  title: 'Status of a transfer between chains',
  description:
    'Where a transfer between chains is, hop by hop, what to tell its owner (`guidance`), and where its assets were released. Where the records of the chains prove an end, that counts before the word of the router: `contradiction` is what the router says instead. `bridgeTransfers` has both ends of each movement; unless it `isProven`, its state is the word of the router or unknown. `notSeenYet` says that the router does not know the transaction. Waits up to 20 seconds for its end; if it has not ended then, call it again with the arguments in `next`.',
  input: z.object({
    chainId: chainId.describe('Chain of the first transaction.'),
    hash: hash.describe('Hash of the first transaction, on the source chain.'),
  }),
  output: z.object({ bridgeTransfers: rows, hops: rows }),
  document,
  run: ({ detail: _detail, ...variables }, graph) =>
    graph.watch(
      { query: document, variables },
      {
        milliseconds: waitMs,
        isLast: ({ data }) => data?.transfer != null && hasEnded(data.transfer),
      },
    ),
  read({ transfer }, args) {
    const { state, rawState, search, chain, hops, assetRelease, error, transaction } = transfer
    const { contradiction, ...guidance } = transfer.guidance
    const isEnded = hasEnded(transfer)
    const stuck = isEnded ? undefined : hops.find(({ isBlocking }: Data) => isBlocking)
    return {
      result: {
        bridgeTransfers: transaction?.bridgeTransfers?.map(bridgeTransferOf) ?? [],
        contradiction,
        isEnded,
        guidance: { ...guidance, returnsTo: guidance.returnsTo?.prettyName },
        state,
        outcome: outcomeOf(transfer),
        router: contradiction && { state: rawState },
        released: assetRelease && {
          amount: amountOf(assetRelease),
          chain: assetRelease.chain?.prettyName,
          isReleased: assetRelease.isReleased,
        },
        error: error?.message,
        notSeenYet: search ?? undefined,
        waitsFor: stuck && `${stuck.fromChain?.prettyName} to ${stuck.toChain?.prettyName}`,
        from: chain.prettyName,
        hops: hops.map(({ bridgeTransfer, ...hop }: Data) => ({
          from: hop.fromChain?.prettyName,
          to: hop.toChain?.prettyName,
          bridge: hop.bridge,
          ...(bridgeTransfer?.isProven && {
            records: {
              state: bridgeTransfer.state,
              departure: bridgeTransfer.departure.hash,
              arrival: bridgeTransfer.arrival.hash,
            },
          }),
          contradiction: contradictionOfHop(hop),
          state: hop.state,
          asset: hop.assetOut?.symbol,
          error: hop.error?.message,
          transactions: hop.transactions,
        })),
      },
      next: isEnded ? undefined : args,
    }
  },
}
