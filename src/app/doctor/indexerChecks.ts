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
import type { Findings } from './finding.ts'
import {
  checkList,
  checkTotal,
  type ExaminedList,
  type ExaminedPage,
  noteUnreadable,
  pageRequest,
} from './listChecks.ts'
import { checkNfts } from './nftChecks.ts'
import type { Probe } from './probe.ts'
import { checkRichList } from './richListChecks.ts'

/** Records of a list that are read, if nothing else is examined of it. */
const sampleSize = 20

export interface IndexerExamination {
  readonly chain: ServedChain
  readonly probe: Probe
  readonly findings: Findings
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
  const { chain, probe, findings } = of
  if (!(await reach(of))) return undefined
  const [newest] = await checkList(probe, findings, blocks)
  if (newest) await checkHeights(of)
  const [transaction] = await checkList(probe, findings, transactions)
  const newestTransactions = await readLargest(of, transactions)
  if (newest) await checkBlock(of, newest.height)
  if (transaction) await checkTransaction(of, transaction)
  const collections = await checkShape(of, 'NFT collections', collectionsPath, collectionsPage)
  await checkNfts(probe, findings, { collections, transactions: newestTransactions?.items ?? [] })
  await checkVm(of)
  const [fee] = chain.feeAssets
  const denom = fee?.denom ?? newest?.total_fee[0]?.denom
  // A coin that the newest block happens to name need not have a list of holders.
  if (denom) await checkRichList(probe, findings, { denom, isKnown: fee !== undefined })
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
  const reason = page.kind === 'failed' ? page.reason : 'it responded with 404'
  const isRefused = page.kind === 'failed' && page.status === 400
  const set = isRefused ? 'MAX_PAGE_SIZE=<less than the largest limit>' : undefined
  findings.fails('shape', `A page of ${limit} ${list.name} cannot be read: ${reason}.`, set)
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

async function checkBlock({ probe, findings }: IndexerExamination, height: bigint) {
  const block = await probe.ask(blockRequest(height))
  if (block.kind === 'value') findings.works('record', 'A block is served by its height.')
  else {
    const reason = block.kind === 'failed' ? block.reason : 'it responded with 404'
    findings.fails('record', `The newest block cannot be read by its height: ${reason}.`)
  }
}

async function checkTransaction(of: IndexerExamination, { txhash, height }: TransactionRecord) {
  const { probe, findings } = of
  const single = await probe.ask(transactionRequest(txhash))
  if (single.kind === 'value') findings.works('record', 'A transaction is served by its hash.')
  else {
    const reason = single.kind === 'failed' ? single.reason : 'it responded with 404'
    findings.fails('record', `A listed transaction cannot be read by its hash: ${reason}.`)
  }
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
  await checkTotal(probe, findings, ofBlock)
}

async function checkShape<T>(
  { probe, findings }: IndexerExamination,
  name: string,
  listPath: string,
  page: ExaminedList<T>['page'],
): Promise<readonly T[]> {
  const first = await probe.ask(pageRequest({ path: listPath, page }, { limit: sampleSize }))
  if (first.kind === 'value') {
    noteUnreadable(findings, name, first.value)
    findings.works('shape', `The list of ${name} has the expected shape.`)
    return first.value.items
  }
  if (first.kind === 'absent') {
    findings.limited('shape', `The list of ${name} is not served (404). Its fields are null.`)
  } else findings.fails('shape', `The list of ${name} cannot be read: ${first.reason}.`)
  return []
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
  const calls = await probe.ask(internal)
  if (calls.kind === 'value') {
    findings.works('internal-transactions', 'Internal transactions are served.')
  } else if (calls.kind === 'absent') {
    const text = 'Internal transactions are switched off (404). Their fields are null.'
    findings.limited('internal-transactions', text)
  } else {
    findings.fails('internal-transactions', `They cannot be read: ${calls.reason}.`)
  }
}
