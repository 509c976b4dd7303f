import { z } from 'zod'
import { amountOf, chainId, type Data, hash, rows, type Tool } from '../tool.ts'
import {
  bridgeTransferFragments,
  bridgeTransferOf,
  contradictionOf,
  contradictionOfHop,
  goesFurther,
  isRecorded,
  type Proof,
  proofOfCoins,
  type RouterWord,
} from './bridgeTransfer.ts'

/** The longest wait for the end of a transfer, in milliseconds. */
const waitMs = 20_000

const document = `subscription McpTransferStatus($chainId: ChainId!, $hash: String!) {
  transfer(chainId: $chainId, hash: $hash) { hash state rawState outcome isTerminal search { isTracked since until }
    guidance { code sentence nextStep isLate remainingSeconds funds returns returnsTo { prettyName } url supportUrl }
    chain { prettyName chainId }
    transaction { bridgeTransfers { ...movement } }
    hops { index bridge state isBlocking toChainId fromChain { prettyName } toChain { prettyName }
      assetOut { symbol } transactions { kind hash chainId explorerUrl } error { message } bridgeTransfer { ...proof } }
    assetRelease { isReleased amount denom formattedAmount asset { symbol } chain { prettyName } }
    error { message }
  }
}
${bridgeTransferFragments}`

/** What the router's states say of the coins. Others say nothing: the router has not looked yet, or has stopped tracking. */
const routerWords: Readonly<Record<string, RouterWord>> = {
  STATE_PENDING: 'pending',
  STATE_RECEIVED: 'pending',
  STATE_PENDING_ERROR: 'pending',
  STATE_COMPLETED_SUCCESS: 'succeeded',
  STATE_COMPLETED_ERROR: 'failed',
  STATE_FAILED: 'failed',
}

const hopWords: Readonly<Record<string, RouterWord>> = { PENDING: 'pending', COMPLETED: 'succeeded', FAILED: 'failed' }

const digitsOf = (hash: unknown): string => String(hash).replace(/^0x/i, '').toUpperCase()

/** The movements of the first transaction by the records of the chains, and what they prove of the whole transfer. */
function readRecords({ hash, transaction, hops, rawState }: Data) {
  const movements: Data[] = (transaction?.bridgeTransfers ?? []).filter(isRecorded)
  // The transaction of a relayer can end one movement and begin another.
  const begun = movements.filter(({ departure }) => digitsOf(departure.hash) === digitsOf(hash))
  const [only, ...others] = begun.length > 0 ? begun : movements
  // Behind the last chain that they know, the router alone knows more. What was not taken never gets there.
  const proof = only && others.length === 0 ? proofOfCoins(only) : null
  if (proof === null || (proof === 'ARRIVED' && goesFurther(only, hops))) return { movements }
  const outcome = outcomes[proof]
  return { movements, proven: { movement: only, outcome, contradiction: contradictionOf(only, routerWords[rawState]) } }
}

/** The outcome of a transfer, in the words of the graph, by what the records prove. */
const outcomes: Readonly<Record<Proof, string>> = {
  ARRIVED: 'SUCCEEDED',
  BACK: 'FAILED',
  REFUSED: 'PENDING',
  UNCLAIMED: 'PENDING',
}

/** Whether the coins have reached an end: by the records, or by the router where these leave it open. */
function hasEnded(transfer: Data): boolean {
  const { proven } = readRecords(transfer)
  return proven ? proven.outcome !== 'PENDING' : transfer.isTerminal
}

export const transferStatus: Tool = {
  name: 'transfer_status',
  title: 'Status of a transfer between chains',
  description:
    'Where a transfer between chains is, hop by hop, what to tell its owner (`guidance`), and where its assets were released. `bridgeTransfers` is what the records of the chains prove, and comes before the word of the router; `contradiction` says where the two differ. `notSeenYet` says that the router does not know the transaction. Waits up to 20 seconds for its end; if it has not ended then, call it again with the arguments in `next`.',
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
        // The router says no more of what it calls ended.
        isLast({ data }) {
          const transfer: Data = data?.transfer
          return transfer != null && (transfer.isTerminal || hasEnded(transfer))
        },
      },
    ),
  read({ transfer }, args) {
    const { state, rawState, outcome, search, guidance, chain, hops, assetRelease, error } = transfer
    const { movements, proven } = readRecords(transfer)
    const isEnded = hasEnded(transfer)
    const stuck = isEnded ? undefined : hops.find(({ isBlocking }: Data) => isBlocking)
    const routerWord = {
      released: assetRelease && {
        amount: amountOf(assetRelease),
        chain: assetRelease.chain?.prettyName,
        isReleased: assetRelease.isReleased,
      },
      error: error?.message,
    }
    return {
      result: {
        bridgeTransfers: movements.map(bridgeTransferOf),
        contradiction: proven?.contradiction,
        isEnded,
        guidance: proven ? proven.movement.guidance : { ...guidance, returnsTo: guidance.returnsTo?.prettyName },
        // What the router says of coins that the records have found is told under its name.
        ...(proven
          ? { outcome: proven.outcome, router: rawState === '' ? undefined : { state: rawState, ...routerWord } }
          : { state, outcome, ...routerWord }),
        notSeenYet: search ?? undefined,
        waitsFor: stuck && `${stuck.fromChain?.prettyName} to ${stuck.toChain?.prettyName}`,
        from: chain.prettyName,
        hops: hops.map(({ bridgeTransfer, ...hop }: Data) => ({
          from: hop.fromChain?.prettyName,
          to: hop.toChain?.prettyName,
          bridge: hop.bridge,
          ...(isRecorded(bridgeTransfer) && {
            records: {
              state: bridgeTransfer.state,
              departure: bridgeTransfer.departure.hash,
              arrival: bridgeTransfer.arrival.hash,
            },
            contradiction: contradictionOfHop(bridgeTransfer, hopWords[hop.state]),
          }),
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
