import { useQuery } from '@portolan/client/react'
import { links } from '../../app/links.ts'
import type { PageProps } from '../../app/pageProps.ts'
import { NftDocument, NftMetadataDocument, type NftQuery } from '../../generated/graphql.ts'
import { ChainText } from '../../parts/ChainText.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { MiddleEllipsis } from '../../parts/MiddleEllipsis.tsx'
import { UnlistedNft } from '../../parts/MissingRecord.tsx'
import { type KnownNames, NamesContext } from '../../parts/NamesContext.ts'
import { Picture } from '../../parts/NftTile.tsx'
import { OutsideLink } from '../../parts/OutsideLink.tsx'
import { Facts, Loaded, Panel } from '../../parts/Panel.tsx'
import { Address, ChainName, Height } from '../../parts/recordLinks.tsx'
import { Time } from '../../parts/Time.tsx'
import { TransactionTable } from '../../parts/TransactionTable.tsx'
import { text } from '../../text.ts'
import { bytes } from '../../values/format.ts'
import { readMetadata } from '../../values/nftMetadata.ts'

/** An NFT, its owner, and what happened to it. */
export function Nft({ place }: PageProps) {
  const [chainId = '', collection = '', tokenId = ''] = place.parts
  const query = useQuery(NftDocument, { chainId, collection, tokenId })
  const nft = query.data?.nft
  const own = readMetadata(nft?.uri)
  // Metadata that is elsewhere: the gateway may have it.
  const elsewhere = useQuery(
    NftMetadataDocument,
    { chainId, collection, tokenId },
    { skip: !nft?.uri || own !== undefined },
  )
  const fetched = elsewhere.data?.nft?.metadata
  const name = own?.name ?? fetched?.name
  const about = own?.description ?? fetched?.description
  const traits = own?.traits ?? fetched?.attributes?.map(({ traitType, value }) => [traitType ?? '', value] as const)
  const title = nft?.collection?.name || text.nft
  return (
    <NamesContext.Provider value={nft ? namesOf(nft, links.nft(chainId, collection, tokenId)) : new Map()}>
      <h1>
        <ChainText>{nft?.collection?.name || text.nft}</ChainText> <MiddleEllipsis value={`#${tokenId}`} />
      </h1>
      <Panel title={text.overview} of={query}>
        <Loaded of={query}>
          {() =>
            nft ? (
              <div class="pictured">
                <Picture src={own?.picture ?? webUrl(fetched?.imageUrl)} name={title} />
                <Facts
                  rows={[
                    [text.name, name && <ChainText key="named">{name}</ChainText>],
                    [text.about, about && <ChainText key="about">{about}</ChainText>],
                    [text.owner, <Address value={nft.owner?.address} hasCopy key="owner" />],
                    [
                      text.collection,
                      nft.collection && (
                        <a href={links.collection(chainId, collection)} key="name">
                          <ChainText>{nft.collection.name || collection}</ChainText>
                        </a>
                      ),
                    ],
                    [text.chain, <ChainName chain={nft.chain} key="chain" />],
                    [
                      text.token,
                      <span class="linked" key="token">
                        <MiddleEllipsis value={nft.tokenId} />
                        <CopyButton value={nft.tokenId} />
                      </span>,
                    ],
                    [text.traits, traits && traits.length > 0 && <Traits of={traits} key="traits" />],
                    [
                      text.metadata,
                      nft.uri &&
                        (nft.uri.startsWith('data:') ? (
                          <details key="uri">
                            <summary>{bytes(nft.uri.length)}</summary>
                            <pre>{nft.uri}</pre>
                          </details>
                        ) : (
                          <OutsideLink href={nft.uri} key="uri">
                            {nft.uri}
                          </OutsideLink>
                        )),
                    ],
                    [text.object, nft.objectAddress && <Address value={nft.objectAddress} hasCopy key="object" />],
                    [text.height, <Height chainId={chainId} value={nft.height} key="height" />],
                    [text.time, <Time value={nft.timestamp} as="both" key="time" />],
                  ]}
                />
              </div>
            ) : (
              <UnlistedNft what={text.nft} value={tokenId} chainId={chainId} contract={collection} />
            )
          }
        </Loaded>
      </Panel>
      {nft && (
        <Panel title={text.transactions} of={query}>
          <FaultNote error={query.errorAt('nft', 'transactions')} onRetry={query.refetch} />
          {nft.transactions && <TransactionTable rows={nft.transactions.nodes} />}
        </Panel>
      )}
    </NamesContext.Provider>
  )
}

type Known = NonNullable<NftQuery['nft']>

/** The collection and the NFT by their addresses, which sentences have. */
function namesOf({ chain, collection, tokenId, objectAddress }: Known, href: string): KnownNames {
  const name = collection?.name
  if (!name) return new Map()
  const whole = { name: `${name} #${tokenId}`, href }
  return new Map([
    [collection.address.toLowerCase(), { name, href: links.collection(chain.chainId, collection.address) }],
    ...(objectAddress ? [[objectAddress.toLowerCase(), whole] as const] : []),
  ])
}

/** What the metadata says of an NFT. */
const Traits = ({ of }: { of: readonly (readonly [type: string, value: string])[] }) => (
  <ul class="values">
    {of.map(([type, value], index) => (
      <li key={index} class="tag">
        {type !== '' && (
          <>
            <ChainText>{type}</ChainText>:{' '}
          </>
        )}
        <ChainText>{value}</ChainText>
      </li>
    ))}
  </ul>
)

/** The URL of a picture on the web. The policy of the page decides which hosts may show one. */
const webUrl = (url: string | null | undefined): string | undefined =>
  url && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : undefined
