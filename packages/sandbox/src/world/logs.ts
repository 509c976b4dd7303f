import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Event, event } from './events.ts'

/** An EVM log without its place in a block. */
export interface LogDraft {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** The party of new tokens, and of tokens that are burnt. */
export const zeroAddress = `0x${'0'.repeat(40)}`

const transferTopic = signature('Transfer(address,address,uint256)')
const approvalTopic = signature('Approval(address,address,uint256)')
const swapTopic = signature('Swap(address,uint256,uint256,address)')
const singleTopic = signature('TransferSingle(address,address,address,uint256,uint256)')
const batchTopic = signature('TransferBatch(address,address,address,uint256[],uint256[])')

/** The log of an ERC-20 contract whose tokens move. */
export const transferLog = (contract: string, from: string, to: string, amount: bigint): LogDraft => ({
  address: contract,
  topics: [transferTopic, word(from), word(to)],
  data: word(amount),
})

/** The transfers of ERC-20 contracts in logs. New tokens come from nobody, and burnt ones go to nobody. */
export const transfersIn = (logs: readonly LogDraft[]) =>
  logs.flatMap(({ address: contract, topics, data }) => {
    const [topic, from = '', to = ''] = topics
    if (topic !== transferTopic || topics.length !== 3) return []
    const account = (word: string) => (BigInt(word) === 0n ? undefined : `0x${word.slice(26)}`)
    return [{ contract, from: account(from), to: account(to), amount: BigInt(data) }]
  })

/** The log of an ERC-721 contract whose token moves. */
export const nftTransferLog = (contract: string, from: string, to: string, tokenId: string): LogDraft => ({
  address: contract,
  topics: [transferTopic, word(from), word(to), word(BigInt(tokenId))],
  data: '0x',
})

/** The log of an ERC-20 contract that lets an account spend tokens of another. */
export const approvalLog = (contract: string, owner: string, spender: string, amount: bigint): LogDraft => ({
  address: contract,
  topics: [approvalTopic, word(owner), word(spender)],
  data: word(amount),
})

/** The log of an exchange that swapped tokens. */
export const swapLog = (dex: string, from: string, to: string, amount: bigint): LogDraft => ({
  address: dex,
  topics: [swapTopic, word(from), word(to)],
  data: `${word(amount)}${hexWord((amount * 97n) / 100n)}`,
})

/** The logs of an ERC-1155 contract that mints one voucher, and two more in a batch. */
export function voucherLogs(contract: string, to: string, amount: bigint): LogDraft[] {
  const parties = [word(contract), word(zeroAddress), word(to)]
  const batch = [64n, 160n, 2n, 2n, 3n, 2n, amount, 1n]
  return [
    { address: contract, topics: [singleTopic, ...parties], data: `${word(1n)}${hexWord(amount)}` },
    {
      address: contract,
      topics: [batchTopic, ...parties],
      data: `0x${batch.map((value) => hexWord(value)).join('')}`,
    },
  ]
}

/** One native event with an attribute for each EVM log: the log as JSON text. None without logs. */
export function evmLogEvents(logs: readonly LogDraft[]): readonly Event[] {
  if (logs.length === 0) return []
  const attributes = logs.map((log) => ({ key: 'log', index: true, value: JSON.stringify(log) }))
  return [{ type: 'evm', attributes }]
}

/** The events of a call to a contract. */
export const callEvents = (contract: string, logs: readonly LogDraft[]): readonly Event[] => [
  event('call', { contract, ret: '0x' }),
  ...evmLogEvents(logs),
]

/** The selector of a function, and its arguments. */
export const callData = (declaration: string, ...args: readonly (string | bigint)[]): string =>
  `${signature(declaration).slice(0, 10)}${args.map(hexWord).join('')}`

function signature(declaration: string): string {
  return `0x${bytesToHex(keccak_256(utf8ToBytes(declaration)))}`
}

function word(value: string | bigint): string {
  return `0x${hexWord(value)}`
}

function hexWord(value: string | bigint): string {
  return (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')
}
