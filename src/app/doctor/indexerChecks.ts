import type { Limits } from '../../engine/limits/limits.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { evmProbe } from '../../schema/chain/evmSupport.ts'
import { type BlockRecord, blockRequest, blocksPage, blocksPath } from '../../schema/indexer/block/wire.ts'
import { statusRequest } from '../../schema/indexer/chain.ts'
import {
  internalTransactionsPage,
  internalTransactionsPath,
  receiptsPage,
  receiptsPath,
} from '../../schema/indexer/evm/wire.ts'
import { collectionsPage, collectionsPath } from '../../schema/indexer/nft/wire.ts'
import {
  blockTransactionsPath,
  type TransactionRecord,
  transactionRequest,
  transactionsPage,
  transactionsPath,
} from '../../schema/indexer/transaction/wire.ts'
import { checkDescription, checkFilters } from './filterChecks.ts'
import {
  checkList,
  checkTotal,
  type ExaminedList,
  type ExaminedPage,
  noteUnreadable,
  pageRequest,
  shapeQuestion,
} from './listChecks.ts'
import { checkNfts } from './nftChecks.ts'
import { type Examination, examine, type Question, reasonOf } from './probe.ts'
import { checkRichList } from './richListChecks.ts'

/** Records of a list that are read, if nothing else is examined of it. */
const sampleSize = 20

export interface IndexerExamination extends Examination {
  readonly chain: ServedChain
  readonly limits: Limits
}

const blocks: ExaminedList<BlockRecord> = {
  name: 'blocks',
  path: blocksPath,
  page: blocksPage,
  field: 'height',
  idOf: ({ height }) => String(height),
  orderOf: ({ height }) => height,
}

const transactions: ExaminedList<TransactionRecord> = {
  name: 'transactions',
  path: transactionsPath,
  page: transactionsPage,
  field: 'sequence',
  idOf: ({ txhash }) => txhash,
  orderOf: ({ height }) => height,
}

/** Asks an indexer what the gateway will ask of it. Resolves to its newest block, if it has one. */
export async function examineIndexer(of: IndexerExamination): Promise<BlockRecord | undefined> {
  if (!(await reach(of))) return undefined
  const [newest] = await checkList(of, blocks)
  if (newest) await checkHeights(of)
  const [listed] = await checkList(of, transactions)
  const newestTransactions = await readLargest(of, transactions)
  if (newest) await examine(of, blockRequest(newest.height), block)
  if (listed) await checkTransaction(of, listed)
  await checkFilters(of, newestTransactions?.items ?? [])
  await checkDescription(of)
  const collections = await checkShape(of, 'NFT collections', collectionsPath, collectionsPage)
  await checkNfts(of, collections, newestTransactions?.items ?? [])
  await checkVm(of)
  const [fee] = of.chain.feeAssets
  const denom = fee?.denom ?? newest?.total_fee[0]?.denom
  // A coin that the newest block happens to name need not have a list of holders.
  if (denom) await checkRichList(of, denom, fee !== undefined)
  return newest
}

async function reach({ chain, probe, findings }: IndexerExamination): Promise<boolean> {
  const status = await probe.ask(statusRequest)
  if (status.kind === 'failed') {
    findings.fails('reach', `The status of the indexer cannot be read: ${status.reason}.`)
    return false
  }
  if (status.kind === 'absent') {
    const text = 'There is no /status at this URL. It may be another service, or need a path prefix.'
    findings.fails('reach', text)
    return true
  }
  findings.works('reach', `It responds, at height ${status.value.height}.`)
  const { chain_id: chainId } = status.value
  if (chainId && chainId !== chain.chainId) {
    findings.fails('chain', `It indexes ${chainId}, not ${chain.chainId}. The URLs may be swapped.`)
  }
  return true
}

/**
 * Reads the newest records in the largest page that the gateway asks for, which has one record more than that of a
 * client. Undefined if it cannot be read.
 */
async function readLargest<T>(
  { probe, findings, limits }: IndexerExamination,
  list: ExaminedList<T>,
): Promise<ExaminedPage<T> | undefined> {
  const limit = limits.maxPageSize + 1
  const page = await probe.ask(pageRequest(list, { limit }))
  if (page.kind === 'value') {
    noteUnreadable(findings, list.name, page.value)
    return page.value
  }
  const isRefused = page.kind === 'failed' && page.status === 400
  const set = isRefused ? 'MAX_PAGE_SIZE=<less than the largest limit>' : undefined
  findings.fails('shape', `A page of ${limit} ${list.name} cannot be read: ${reasonOf(page)}.`, set)
  return undefined
}

/** Examines whether the heights of the newest blocks follow each other. */
async function checkHeights(of: IndexerExamination) {
  const newest = await readLargest(of, blocks)
  if (!newest) return
  const { findings } = of
  const { items, size } = newest
  const [first, last] = [items.at(0), items.at(-1)]
  const span = first && last ? Number(first.height - last.height) + 1 : size
  if (span > size) {
    const text = `${span - size} of the ${span} newest blocks are missing: they are null.`
    findings.limited('heights', text)
  } else findings.works('heights', 'No height is missing among the newest blocks.')
}

// Whether records of lists are also served by themselves, and what may be switched off.
const block: Question = {
  subject: 'record',
  works: 'A block is served by its height.',
  fails: 'The newest block cannot be read by its height',
}

const transaction: Question = {
  subject: 'record',
  works: 'A transaction is served by its hash.',
  fails: 'A listed transaction cannot be read by its hash',
}

const internalTransactions: Question = {
  subject: 'internal-transactions',
  works: 'Internal transactions are served.',
  absent: ['limited', 'Internal transactions are switched off (404). Their fields are null.'],
  fails: 'They cannot be read',
}

async function checkTransaction(of: IndexerExamination, { txhash, height }: TransactionRecord) {
  const { probe, findings } = of
  await examine(of, transactionRequest(txhash), transaction)
  const ofBlock = {
    ...transactions,
    name: 'transactions of a block',
    path: blockTransactionsPath(height),
  }
  const [descending, ascending] = [
    await probe.ask(pageRequest(ofBlock, { limit: 100 })),
    await probe.ask(pageRequest(ofBlock, { limit: 100, isReverse: false })),
  ]
  if (descending.kind !== 'value' || ascending.kind !== 'value') {
    findings.fails('order', 'The transactions of a block cannot be read in both orders.')
    return
  }
  const forwards = ascending.value.items.map(({ txhash }) => txhash)
  const backwards = descending.value.items.map(({ txhash }) => txhash)
  if (forwards.toReversed().join() === backwards.join()) {
    findings.works('order', 'The transactions of a block are served in both orders.')
  } else {
    findings.fails('order', 'The two orders of the transactions of a block contradict each other.')
  }
  await checkTotal(of, ofBlock)
}

async function checkShape<T>(
  of: IndexerExamination,
  name: string,
  listPath: string,
  page: ExaminedList<T>['page'],
): Promise<readonly T[]> {
  const request = pageRequest({ path: listPath, page }, { limit: sampleSize })
  const { works, ...question } = shapeQuestion(name, 'limited')
  const first = await examine(of, request, question)
  if (!first) return []
  noteUnreadable(of.findings, name, first)
  of.findings.works('shape', works)
  return first.items
}

async function checkVm(of: IndexerExamination): Promise<void> {
  const { chain, probe, findings } = of
  const evm = await probe.ask(evmProbe)
  if (evm.kind === 'failed') {
    const set = chain.vm ? undefined : `VM_KINDS=${chain.chainId}=<evm, move or wasm>`
    const text = `Whether the chain has an EVM cannot be found out: ${evm.reason}.`
    findings.fails('vm', text, set)
    return
  }
  const hasEvm = evm.kind === 'value'
  if (chain.vm !== undefined && (chain.vm === 'EVM') !== hasEvm) {
    const text = `It is configured as ${chain.vm}, but the indexer serves ${hasEvm ? '' : 'no '}EVM data.`
    const set = hasEvm ? `VM_KINDS=${chain.chainId}=evm` : undefined
    findings.fails('vm', text, set)
    return
  }
  findings.works('vm', hasEvm ? 'It serves EVM data.' : 'No EVM data: not an EVM chain.')
  if (!hasEvm) return
  await checkShape(of, 'EVM transactions', receiptsPath, receiptsPage)
  const internal = pageRequest({ path: internalTransactionsPath, page: internalTransactionsPage }, { limit: 2 })
  await examine(of, internal, internalTransactions)
}
