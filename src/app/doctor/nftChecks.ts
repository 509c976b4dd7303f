import { z } from 'zod'
import { allSteps } from '#kit/steps'
import { parsed } from '#words/balanceChanges/events'
import { transfersOf } from '#words/balanceChanges/evmTransfers'
import { GatewayError } from '../../engine/upstream/error.ts'
import { readEventLogs } from '../../schema/indexer/evm/eventLogs.ts'
import {
  type CollectionRecord,
  collectionTokensPath,
  type TokenRecord,
  tokensPage,
} from '../../schema/indexer/nft/wire.ts'
import { type EventRecord, nftTransactionsPath, type TransactionRecord } from '../../schema/indexer/transaction/wire.ts'
import type { Findings } from './finding.ts'
import { pageRequest } from './listChecks.ts'
import type { Examination } from './probe.ts'

/** An NFT that an event names. */
export interface NamedNft {
  readonly collection: string
  readonly tokenId: string
  readonly isBurn: boolean
}

const address = /^[a-z0-9]{1,90}$/

/** The NFTs that the events of transactions name, each once. Burnt NFTs come first. */
function namedNfts(transactions: readonly TransactionRecord[]): NamedNft[] {
  const named = transactions
    .flatMap(({ events }) => events)
    .flatMap((event) => readers.get(event.type)?.(event) ?? [])
    .filter(({ collection, tokenId }) => address.test(collection) && tokenId !== '')
    .toSorted((a, b) => Number(b.isBurn) - Number(a.isBurn))
  return [...new Map(named.map((nft) => [`${nft.collection} ${nft.tokenId}`, nft])).values()]
}

const attribute = ({ attributes }: EventRecord, name: string): string =>
  attributes.find(({ key }) => key === name)?.value ?? ''

/** An event of a CW-721 contract. */
const ofWasm = (event: EventRecord): NamedNft[] => [
  {
    collection: attribute(event, '_contract_address'),
    tokenId: attribute(event, 'token_id'),
    isBurn: attribute(event, 'action') === 'burn',
  },
]

/** The logs of ERC-721 contracts. */
const ofEvm = (event: EventRecord): NamedNft[] =>
  allSteps(readEventLogs([event]))
    .flatMap((log) => (log ? transfersOf(log) : []))
    .flatMap(({ standard, contract, tokenId, to }) =>
      standard === 'ERC721'
        ? [{ collection: contract.toLowerCase(), tokenId: String(tokenId), isBurn: to === null }]
        : [],
    )

const moved = z.object({ collection: z.string(), token_id: z.string() })

/** An event of the Move module of collections, such as `0x1::collection::BurnEvent`. */
function ofMove(event: EventRecord): NamedNft[] {
  const nft = moved.safeParse(parsed(attribute(event, 'data'))).data
  const isBurn = attribute(event, 'type_tag').endsWith('::collection::BurnEvent')
  return nft ? [{ collection: nft.collection, tokenId: nft.token_id, isBurn }] : []
}

const readers = new Map<string, (event: EventRecord) => NamedNft[]>([
  ['wasm', ofWasm],
  ['evm', ofEvm],
  ['move', ofMove],
])

/** Collections whose NFTs are read. */
const collectionSample = 2

/** NFTs of a collection that are read. */
const tokenSample = 100

/** Number of NFTs named in transactions that are looked up, to see whether they still exist. */
const namedSample = 4

/** Examines whether indexers can look up the ids of NFTs, and whether NFTs vanish. */
export async function checkNfts(
  of: Examination,
  collections: readonly CollectionRecord[],
  transactions: readonly TransactionRecord[],
): Promise<void> {
  const tokens: TokenRecord[] = []
  for (const { object_addr: address } of collections.slice(0, collectionSample)) {
    const list = { path: collectionTokensPath(address), page: tokensPage }
    const page = await of.probe.ask(pageRequest(list, { limit: tokenSample }))
    if (page.kind === 'value') tokens.push(...page.value.items)
  }
  checkIds(of.findings, tokens)
  await checkBurns(of, transactions)
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

async function checkBurns({ probe, findings }: Examination, transactions: readonly TransactionRecord[]): Promise<void> {
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
