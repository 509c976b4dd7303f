import { builder } from '../../../graphql/builder.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { ChainAccount, chainAccount, chainAccountOf } from '../../account/chainAccount.ts'
import { type AmountShape, AssetAmount } from '../../amount/assetAmount.ts'
import { Transaction } from '../transaction/transaction.ts'
import { type EventLog, eventLogsOf } from './eventLogs.ts'
import { EvmTransaction } from './evmTransaction.ts'

/** Tokens that moved from one account to another. */
export interface TokenTransfer {
  readonly standard: 'ERC20' | 'ERC721' | 'ERC1155'
  readonly contract: string
  /** Null for new tokens. */
  readonly from: string | null
  /** Null for burned tokens. */
  readonly to: string | null
  readonly amount: bigint
  readonly tokenId: bigint | null
}

// The hashes of the events of the standards: EIP-20 and EIP-721, and EIP-1155.

/** `Transfer(address,address,uint256)`: the last one is indexed in EIP-721 only. */
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** `TransferSingle(address,address,address,uint256,uint256)` */
const transferSingle = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
/** `TransferBatch(address,address,address,uint256[],uint256[])` */
const transferBatch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

/** The tokens that a log says to have moved. Empty for other logs, and for those of another form. */
export function transfersOf({ address: contract, topics, data }: EventLog): TokenTransfer[] {
  const event = topics[0]?.toLowerCase()
  const indexed = topics.slice(1).map(wordOf)
  const words = wordsOf(data)
  if (indexed.includes(undefined) || !words) return []
  const [first = 0n, second = 0n, third = 0n] = indexed
  if (event === transfer) {
    const between = { contract, from: addressOf(first), to: addressOf(second) }
    const [amount] = words
    if (indexed.length === 3)
      return [{ standard: 'ERC721', amount: 1n, tokenId: third, ...between }]
    if (indexed.length !== 2 || amount === undefined) return []
    return [{ standard: 'ERC20', amount, tokenId: null, ...between }]
  }
  if (indexed.length !== 3) return []
  const between = {
    ...{ contract, from: addressOf(second), to: addressOf(third) },
    standard: 'ERC1155' as const,
  }
  if (event === transferSingle) {
    const [tokenId, amount] = words
    return tokenId === undefined || amount === undefined ? [] : [{ tokenId, amount, ...between }]
  }
  if (event !== transferBatch) return []
  const [ids, amounts] = [arrayAt(words, words[0]), arrayAt(words, words[1])]
  if (ids?.length !== amounts?.length) return []
  return (ids ?? []).map((tokenId, i) => ({ tokenId, amount: amounts?.[i] ?? 0n, ...between }))
}

/** The number in a topic. Undefined if it is not 32 bytes in hex. */
const wordOf = (topic: string): bigint | undefined =>
  /^0x[0-9a-f]{64}$/i.test(topic) ? BigInt(topic) : undefined

/** The words of 32 bytes in the data of a log. Undefined if it is not hex. */
function wordsOf(data: string): bigint[] | undefined {
  if (!/^(0x)?([0-9a-f]{64})*$/i.test(data)) return undefined
  return (data.replace(/^0x/i, '').match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}

/** The ABI-encoded array at an offset in bytes. Undefined if it does not fit in the words. */
function arrayAt(words: readonly bigint[], offset = -1n): bigint[] | undefined {
  const start = offset >= 0n && offset % 32n === 0n ? Number(offset / 32n) : words.length
  const length = words[start]
  if (length === undefined || length > BigInt(words.length - start - 1)) return undefined
  return words.slice(start + 1, start + 1 + Number(length))
}

/** The address in a word. Null for the zero address, from which tokens are minted and to which they are burned. */
const addressOf = (word: bigint): string | null =>
  word === 0n ? null : `0x${word.toString(16).padStart(40, '0').slice(-40)}`

const TokenStandard = builder.enumType('TokenStandard', {
  description: 'The standard of a token contract.',
  values: {
    ERC20: { description: 'Fungible tokens.' },
    ERC721: { description: 'Non-fungible tokens, each with its own id.' },
    ERC1155: { description: 'Any number of tokens of each id.' },
  },
})

interface TokenTransferShape extends TokenTransfer, AmountShape {
  readonly chain: ServedChain
  readonly amount: bigint
}

const transferShape = (chain: ServedChain, moved: TokenTransfer): TokenTransferShape => ({
  chain,
  chainId: chain.chainId,
  denom: moved.standard === 'ERC20' ? moved.contract : null,
  ...moved,
})

const TokenTransfer = builder.objectRef<TokenTransferShape>('TokenTransfer').implement({
  description:
    'Tokens of a contract that moved from one account to another. For an ERC-20 contract that the router knows, `asset` is its asset.',
  interfaces: [AssetAmount],
  fields: (t) => ({
    standard: t.field({
      type: TokenStandard,
      description: 'The standard by which the contract reports the transfer.',
      resolve: ({ standard }) => standard,
    }),
    contract: t.field({
      type: ChainAccount,
      description: 'The contract of the token.',
      resolve: ({ chain, contract }) => chainAccount(chain, contract),
    }),
    from: t.field({
      type: ChainAccount,
      nullable: true,
      description: 'The account that had the tokens. Null if they were minted.',
      resolve: ({ chain, from }) => chainAccountOf(chain, from),
    }),
    to: t.field({
      type: ChainAccount,
      nullable: true,
      description: 'The account that has the tokens now. Null if they were burned.',
      resolve: ({ chain, to }) => chainAccountOf(chain, to),
    }),
    denom: t.expose('denom', {
      type: 'Denom',
      nullable: true,
      description: 'The address of the contract, for ERC-20. Null for other standards.',
    }),
    amount: t.field({
      type: 'BigInt',
      description: 'Number of tokens in base units. 1 for ERC-721.',
      resolve: ({ amount }) => amount,
    }),
    tokenId: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'Token id. Null for ERC-20.',
      resolve: ({ tokenId }) => tokenId,
    }),
  }),
})

/** The tokens that logs say to have moved, in order. */
const movedIn = (chain: ServedChain, logs: readonly EventLog[]): TokenTransferShape[] =>
  logs.flatMap(transfersOf).map((moved) => transferShape(chain, moved))

const fromLogs =
  'ERC-20, ERC-721 and ERC-1155. A batch gives one transfer for each token id. Contracts can emit any log, so only those of known contracts can be trusted.'

builder.objectField(EvmTransaction, 'tokenTransfers', (t) =>
  t.field({
    type: [TokenTransfer],
    description: `Tokens that the transaction moved, from its logs in order: ${fromLogs}`,
    resolve: ({ chain, record }) => movedIn(chain, record.logs),
  }),
)

builder.objectField(Transaction, 'tokenTransfers', (t) =>
  t.field({
    type: [TokenTransfer],
    description: `Tokens of EVM contracts that the transaction moved, from the logs in its \`evm\` events in order: ${fromLogs} The coins of a MiniEVM chain are ERC-20 tokens, so \`coinTransfers\` can have the same transfer.`,
    resolve: ({ chain, record }) => movedIn(chain, eventLogsOf(record.events)),
  }),
)
