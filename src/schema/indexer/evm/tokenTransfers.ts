import type { Steps } from '#kit/steps'
import { type EvmLog, type TokenTransfer as Moved, transfersOf } from '#words/balanceChanges/evmTransfers'
import { builder } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { readValue } from '../../../engine/upstream/upstreamError.ts'
import { ChainAccount, chainAccount, chainAccountOf } from '../../account/chainAccount.ts'
import { type AmountShape, AssetAmount } from '../../amount/assetAmount.ts'
import { readRecord } from '../readRecord.ts'
import { Transaction } from '../transaction/transaction.ts'
import { allEventsOf, type EventRecord } from '../transaction/wire.ts'
import { readEventLogs } from './eventLogs.ts'
import { EvmTransaction } from './evmTransaction.ts'

const TokenStandard = builder.enumType('TokenStandard', {
  description: 'The standard of a token contract.',
  values: {
    ERC20: { description: 'Fungible tokens.' },
    ERC721: { description: 'Non-fungible tokens, each with its own id.' },
    ERC1155: { description: 'Any number of tokens of each id.' },
  },
})

interface TokenTransferShape extends Moved, AmountShape {
  readonly chain: ServedChain
  readonly amount: bigint
}

const transferShape = (chain: ServedChain, moved: Moved): TokenTransferShape => ({
  chain,
  chainId: chain.chainId,
  denom: moved.standard === 'ERC20' ? moved.contract : null,
  ...moved,
})

const TokenTransfer = builder.objectRef<TokenTransferShape>('TokenTransfer').implement({
  description: 'Tokens of a contract that moved.',
  interfaces: [AssetAmount],
  fields: (t) => ({
    standard: t.value(TokenStandard, 'The standard of the contract.', ({ standard }) => standard),
    contract: t.value(ChainAccount, 'The contract of the token.', ({ chain, contract }) =>
      chainAccount(chain, contract),
    ),
    from: t.nullable(ChainAccount, 'The account that had the tokens. Null if they were minted.', ({ chain, from }) =>
      chainAccountOf(chain, from),
    ),
    to: t.nullable(ChainAccount, 'The account that has the tokens now. Null if they were burned.', ({ chain, to }) =>
      chainAccountOf(chain, to),
    ),
    denom: t.nullable(
      'Denom',
      'The address of the contract, for ERC-20. Null for other standards.',
      ({ chain, denom }) => readValue(chain.chainId, denom),
    ),
    amount: t.nullable('BigInt', 'Number of tokens in base units. 1 for ERC-721.', ({ amount }) => amount),
    tokenId: t.nullable('String', 'Token id, as `Nft.tokenId` has it. Null for ERC-20.', ({ tokenId }) =>
      tokenId === null ? null : String(tokenId),
    ),
  }),
})

/** Token transfers that logs report, in order. Logs that cannot be read are null. */
function* movedIn(chain: ServedChain, logs: readonly (EvmLog | null)[]): Steps<TokenTransferShape[]> {
  const transfers: TokenTransferShape[] = []
  for (const log of logs) {
    yield
    for (const moved of log ? transfersOf(log) : []) transfers.push(transferShape(chain, moved))
  }
  return transfers
}

function* movedByEvents(chain: ServedChain, events: readonly EventRecord[]) {
  return yield* movedIn(chain, yield* readEventLogs(events))
}

const fromLogs =
  'ERC-20, ERC-721 and ERC-1155, with one transfer a token id. Trust known contracts only: any can emit any log.'

builder.objectField(EvmTransaction, 'tokenTransfers', (t) =>
  t.nullable([TokenTransfer], `Tokens moved, from its logs: ${fromLogs}`, ({ chain, record }, _args, context) =>
    readRecord(context, 'tokenTransfers', movedIn(chain, record.logs)),
  ),
)

builder.objectField(Transaction, 'tokenTransfers', (t) =>
  t.nullable(
    [TokenTransfer],
    `EVM tokens moved, from its logs: ${fromLogs} MiniEVM coins are ERC-20 and can be in \`coinTransfers\` too.`,
    ({ chain, record }, _args, context) =>
      readRecord(context, 'tokenTransfers', movedByEvents(chain, allEventsOf(chain, record))),
  ),
)
