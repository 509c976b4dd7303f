import { type PageWithPath, pages } from '../src/app/pages.ts'
import {
  AccountRecordDocument,
  AssetRecordDocument,
  BlockRecordDocument,
  ChainRecordDocument,
  CollectionRecordDocument,
  ContractRecordDocument,
  HoldersRecordDocument,
  NftRecordDocument,
  TransactionRecordDocument,
} from '../src/generated/graphql.ts'

/**
 * The pages of records that may not exist. An asset is in a list, or somebody holds it. A transfer is known only once its
 * page has told the router of it.
 */
const documents: Partial<Readonly<Record<PageWithPath, readonly { toString(): string }[]>>> = {
  chain: [ChainRecordDocument],
  block: [BlockRecordDocument],
  transaction: [TransactionRecordDocument],
  account: [AccountRecordDocument],
  asset: [AssetRecordDocument, HoldersRecordDocument],
  validators: [ChainRecordDocument],
  contracts: [ChainRecordDocument],
  usage: [ChainRecordDocument],
  collection: [CollectionRecordDocument],
  contract: [ContractRecordDocument],
  nft: [NftRecordDocument],
}

/**
 * How the server finds out whether there is the record of a page: a pattern of its path, whose groups have the names of
 * the variables of the queries.
 */
export const recordQueries = Object.entries(documents).map(([page, texts]) => ({
  pattern: patternOf(pages[page as PageWithPath].path),
  queries: texts.map(String),
}))

/** The pattern of a path of the table of pages. */
export function patternOf(path: string): string {
  const parts = path.slice(1).split('/').map(partPattern)
  return `^${parts.join('')}/?$`
}

function partPattern(part: string): string {
  const [, name, ending] = /^:(\w+)([?*]?)$/.exec(part) ?? []
  if (!name) return `/${part}`
  if (ending === '?') return `(?:/(?<${name}>[^/]+))?`
  return ending === '*' ? `/(?<${name}>.+?)` : `/(?<${name}>[^/]+)`
}
