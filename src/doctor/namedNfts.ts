import { z } from 'zod'
import { parsed } from '../balanceChanges/events.ts'
import { transfersOf } from '../balanceChanges/evmTransfers.ts'
import { allSteps } from '../kit/clock/steps.ts'
import { readEventLogs } from '../schema/indexer/evm/eventLogs.ts'
import type { EventRecord, TransactionRecord } from '../schema/indexer/transaction/wire.ts'

/** An NFT that an event names. */
export interface NamedNft {
  readonly collection: string
  readonly tokenId: string
  readonly isBurn: boolean
}

const address = /^[a-z0-9]{1,90}$/

/** The NFTs that the events of transactions name, each once. Burnt NFTs come first. */
export function namedNfts(transactions: readonly TransactionRecord[]): NamedNft[] {
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

/** The readers of the events of contracts, by their type. */
const readers = new Map<string, (event: EventRecord) => NamedNft[]>([
  ['wasm', ofWasm],
  ['evm', ofEvm],
  ['move', ofMove],
])
