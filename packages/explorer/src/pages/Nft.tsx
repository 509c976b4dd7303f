import { bytes } from '../app/format.ts'
import { links } from '../app/links.ts'
import { findServed, readMetadata } from '../app/nftMetadata.ts'
import type { PageProps } from '../app/pageProps.ts'
import { useQuery } from '../app/useQuery.ts'
import { NftDocument, NftMediaDocument, type NftQuery } from '../generated/graphql.ts'
import { Failed } from '../parts/Failed.tsx'
import { type KnownNames, Names } from '../parts/known.ts'
import { Picture } from '../parts/NftTile.tsx'
import { Facts, Loaded, Panel } from '../parts/Panel.tsx'
import { Short } from '../parts/Short.tsx'
import { Transactions } from '../parts/tables.tsx'
import { Address, ChainName, Copy, Height, Outside, Time } from '../parts/text.tsx'
import { Words } from '../parts/Words.tsx'
import { text } from '../text.ts'
import { Unlisted } from './Lost.tsx'

/** An NFT, its owner, and what happened to it. */
export function Nft({ place }: PageProps) {
  const [chainId = '', collection = '', tokenId = ''] = place.parts
  const query = useQuery(NftDocument, { chainId, collection, tokenId })
  const nft = query.data?.nft
  const own = readMetadata(nft?.uri)
  // Metadata that is elsewhere: the gateway may have it.
  const media = useQuery(NftMediaDocument, { chainId, collection, tokenId }, { skip: !nft?.uri || own !== undefined })
  const fetched = media.data?.nft?.metadata
  const name = own?.name ?? fetched?.name
  const about = own?.description ?? fetched?.description
  const traits = own?.traits ?? fetched?.attributes?.map(({ traitType, value }) => [traitType ?? '', value] as const)
  const title = nft?.collection?.name || text.nft
  return (
    <Names.Provider value={nft ? namesOf(nft, links.nft(chainId, collection, tokenId)) : new Map()}>
      <h1>
        <Words>{nft?.collection?.name || text.nft}</Words> <Short value={`#${tokenId}`} />
      </h1>
      <Panel title={text.overview} of={query.operation}>
        <Loaded of={query}>
          {() =>
            nft ? (
              <div class="pictured">
                <Picture src={own?.picture ?? findServed(fetched?.imageUrl)} name={title} />
                <Facts
                  rows={[
                    [text.name, name && <Words key="named">{name}</Words>],
                    [text.about, about && <Words key="about">{about}</Words>],
                    [text.owner, <Address value={nft.owner?.address} hasCopy key="owner" />],
                    [
                      text.collection,
                      nft.collection && (
                        <a href={links.collection(chainId, collection)} key="name">
                          <Words>{nft.collection.name || collection}</Words>
                        </a>
                      ),
                    ],
                    [text.chain, <ChainName chain={nft.chain} key="chain" />],
                    [
                      text.token,
                      <span class="linked" key="token">
                        <Short value={nft.tokenId} />
                        <Copy value={nft.tokenId} />
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
                          <Outside href={nft.uri} key="uri">
                            {nft.uri}
                          </Outside>
                        )),
                    ],
                    [text.object, nft.objectAddress && <Address value={nft.objectAddress} hasCopy key="object" />],
                    [text.height, <Height chainId={chainId} value={nft.height} key="height" />],
                    [text.time, <Time value={nft.timestamp} as="both" key="time" />],
                  ]}
                />
              </div>
            ) : (
              <Unlisted what={text.nft} value={tokenId} chainId={chainId} contract={collection} />
            )
          }
        </Loaded>
      </Panel>
      {nft && (
        <Panel title={text.transactions} of={query.operation}>
          <Failed error={query.errorAt('nft', 'transactions')} onRetry={query.reload} />
          {nft.transactions && <Transactions rows={nft.transactions.nodes} />}
        </Panel>
      )}
    </Names.Provider>
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
            <Words>{type}</Words>:{' '}
          </>
        )}
        <Words>{value}</Words>
      </li>
    ))}
  </ul>
)
