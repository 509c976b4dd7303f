import { useLatest, useQuery } from '@portolan/client/react'
import { useEffect } from 'preact/hooks'
import { links } from '../../app/links.ts'
import type { PageProps } from '../../app/pageProps.ts'
import { navigate } from '../../app/router.ts'
import { BlockDocument, HeadHeightsDocument } from '../../generated/graphql.ts'
import { Amount } from '../../parts/Amount.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { MiddleEllipsis } from '../../parts/MiddleEllipsis.tsx'
import { MissingRecord } from '../../parts/MissingRecord.tsx'
import { Facts, Loaded, Panel } from '../../parts/Panel.tsx'
import { ChainName, Proposer } from '../../parts/recordLinks.tsx'
import { Time } from '../../parts/Time.tsx'
import { TransactionTable } from '../../parts/TransactionTable.tsx'
import { text } from '../../text.ts'
import { count, duration } from '../../values/format.ts'
import { Lost } from '../lost/Lost.tsx'

/** A block. The arrow to the next one appears as soon as there is one. */
export function Block({ place }: PageProps) {
  const [chainId = '', part = ''] = place.parts
  const height = /^\d{1,15}$/.test(part) ? Number(part) : -1
  const block = useQuery(BlockDocument, { chainId, height }, { skip: height < 0 })
  const live = useLatest(HeadHeightsDocument, { chainIds: [chainId] })
  const head = Math.max(live.data?.chainHeads.height ?? 0, block.data?.chain?.freshness?.height ?? 0)
  const previous = height > 1 ? links.block(chainId, height - 1) : undefined
  const next = height < head ? links.block(chainId, height + 1) : undefined
  useEffect(() => {
    const turn = ({ key, target }: KeyboardEvent) => {
      if (target instanceof Element && target.closest('input, dialog, [role=region]')) return
      const to = { ArrowLeft: previous, ArrowRight: next }[key]
      if (to) navigate(to)
    }
    addEventListener('keydown', turn)
    return () => removeEventListener('keydown', turn)
  }, [previous, next])
  const shown = block.data?.chain?.block
  const { refetch } = block
  // Asked for too early: it is read when the chain has reached it.
  useEffect(() => {
    if (head >= height && shown === null) refetch()
  }, [head >= height, shown === null])
  if (height < 0) return <Lost />
  const evm = shown?.evmTransactions?.nodes.flatMap((row) => row ?? []) ?? []
  const evmHashes = new Map(evm.map(({ hash, transaction }) => [transaction?.hash, hash]))
  const rows = shown?.transactions?.nodes.map((row) => row && { ...row, evmHash: evmHashes.get(row.hash) })
  const listed = new Set(rows?.map((row) => row?.evmHash))
  const unlinked = evm.filter(({ hash }) => !listed.has(hash))
  return (
    <>
      <div class="pager">
        <h1>
          {text.block} {count(height)}
        </h1>
        <a href={previous} aria-disabled={!previous} aria-label={text.previousBlock} rel="prev">
          ◀
        </a>
        <a href={next} aria-disabled={!next} aria-label={text.nextBlock} rel="next">
          ▶
        </a>
        {head > 0 && <span class="note">{text.newest(count(head))}</span>}
      </div>
      <Panel title={text.overview} of={block}>
        <Loaded of={block}>
          {({ chain }) =>
            chain?.block ? (
              <Facts
                rows={[
                  [text.chain, <ChainName chain={chain} />],
                  [text.time, <Time value={chain.block.timestamp} as="both" />],
                  [
                    text.hash,
                    <span class="linked">
                      <MiddleEllipsis value={chain.block.hash} />
                      <CopyButton value={chain.block.hash} />
                    </span>,
                  ],
                  [text.proposer, chain.block.proposer && <Proposer of={chain.block.proposer} />],
                  [text.blockTime, chain.block.blockTimeSeconds && duration(chain.block.blockTimeSeconds)],
                  [text.gas, chain.block.gasUsed && `${count(chain.block.gasUsed)} / ${count(chain.block.gasWanted)}`],
                  [
                    text.fees,
                    chain.block.totalFee?.map((coin) => (
                      <div key={coin.denom}>
                        <Amount of={coin} chainId={chainId} isExact />
                      </div>
                    )),
                  ],
                ]}
              />
            ) : (
              <MissingRecord what={text.block} value={part} />
            )
          }
        </Loaded>
      </Panel>
      {shown && (
        <Panel title={text.transactions} note={shown.transactions?.totalCount ?? undefined} of={block}>
          <FaultNote error={block.errorAt('chain', 'block', 'transactions')} onRetry={block.refetch} />
          {rows && <TransactionTable rows={rows} columns="of a block" />}
        </Panel>
      )}
      {unlinked.length > 0 && (
        <Panel title={`EVM · ${text.transactions}`} note={unlinked.length} of={block}>
          <TransactionTable
            rows={unlinked.map((row) => ({ ...row, actions: row.evmActions ?? [] }))}
            caption="EVM"
            columns="of a block"
          />
        </Panel>
      )}
    </>
  )
}
