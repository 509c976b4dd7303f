import {
  type CollectionRecord,
  collectionTokensPath,
  type TokenRecord,
  tokensPage,
} from '../schema/indexer/nft/wire.ts'
import { nftTransactionsPath, type TransactionRecord } from '../schema/indexer/transaction/wire.ts'
import { GatewayError } from '../upstream/error.ts'
import type { Findings } from './finding.ts'
import { pageRequest } from './listChecks.ts'
import { namedNfts } from './namedNfts.ts'
import type { Probe } from './probe.ts'

/** Collections whose NFTs are read. */
const collectionSample = 2

/** NFTs of a collection that are read. */
const tokenSample = 100

/** Number of NFTs named in transactions that are looked up, to see whether they still exist. */
const namedSample = 4

/** Examines whether indexers can look up the ids of NFTs, and whether NFTs vanish. */
export async function checkNfts(
  probe: Probe,
  findings: Findings,
  {
    collections,
    transactions,
  }: {
    readonly collections: readonly CollectionRecord[]
    readonly transactions: readonly TransactionRecord[]
  },
): Promise<void> {
  const tokens: TokenRecord[] = []
  for (const { object_addr: address } of collections.slice(0, collectionSample)) {
    const list = { path: collectionTokensPath(address), page: tokensPage }
    const page = await probe.ask(pageRequest(list, { limit: tokenSample }))
    if (page.kind === 'value') tokens.push(...page.value.items)
  }
  checkIds(findings, tokens)
  await checkBurns(probe, findings, transactions)
}

function checkIds(findings: Findings, tokens: readonly TokenRecord[]): void {
  const hard = tokens.filter(isHard)
  const [example] = hard
  if (example) {
    const text = `${hard.length} of ${tokens.length} NFTs have ids that the indexer cannot look up in a path, such as ${JSON.stringify(example.nft.token_id.slice(0, 40))}: their \`transactions\` are null.`
    findings.limited('nft-ids', text)
  } else if (tokens.length > 0) {
    findings.works('nft-ids', `The ids of ${tokens.length} NFTs can be looked up.`)
  }
}

/** Whether the gateway cannot ask for the transactions of an NFT. */
function isHard({ collection_addr: collection, nft }: TokenRecord): boolean {
  try {
    nftTransactionsPath(collection, nft.token_id)
    return false
  } catch (error) {
    if (error instanceof GatewayError) return true
    throw error
  }
}

async function checkBurns(
  probe: Probe,
  findings: Findings,
  transactions: readonly TransactionRecord[],
): Promise<void> {
  const named = namedNfts(transactions).slice(0, namedSample)
  let burnt = 0
  for (const { collection, tokenId } of named) {
    const list = { path: collectionTokensPath(collection), page: tokensPage }
    const request = pageRequest(list, { limit: 1, tokenId })
    const page = await probe.ask(request)
    if (page.kind !== 'value') continue
    if (!page.value.items.some(({ nft }) => nft.token_id === tokenId)) burnt += 1
  }
  if (burnt > 0) {
    const text = `${burnt} of ${named.length} NFTs that the newest transactions name do not exist any more: they are null. A burn between two pages moves the NFTs of an account, and a later page can miss one.`
    findings.limited('burns', text)
  } else if (named.length > 0) {
    findings.works('burns', 'The NFTs that the newest transactions name exist.')
  }
}
