import { useQuery } from '@portolan/client/react'
import { useCallback, useEffect } from 'preact/hooks'
import { hasKey } from '../../app/apiKey.ts'
import { StatusDocument } from '../../generated/graphql.ts'
import { ApiKey } from '../../parts/ApiKey.tsx'
import { NoValue } from '../../parts/NoValue.tsx'
import { Facts, Loaded, Panel } from '../../parts/Panel.tsx'
import { ChainName, Height } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/Time.tsx'
import { text } from '../../text.ts'
import { bytes, count, duration } from '../../values/format.ts'
import { BreakService } from './BreakService.tsx'

/** A chain is behind if its newest block is older than so many block times, and than a minute. */
const lateBlocks = 10
const lateMs = 60_000

/** Milliseconds after which the states are read again, so that a page left open shows an outage. */
const refreshMs = 15_000

/** Milliseconds from a change of the sandbox until the gateway has no older answer of the service. */
const noticedMs = 2_500

/** The state of each service behind the gateway, and the limits of clients. */
export function Status() {
  const query = useQuery(StatusDocument, {})
  const { loadedAt, refetch } = query
  useEffect(() => {
    const timer = setInterval(() => document.hidden || refetch(), refreshMs)
    return () => clearInterval(timer)
  }, [loadedAt, refetch])
  const refetchSoon = useCallback(() => void setTimeout(refetch, noticedMs), [refetch])
  return (
    <>
      <h1>{text.status}</h1>
      <Panel title={text.services} of={query}>
        <Loaded of={query}>
          {({ chains, service, bridges }) => (
            <Table
              caption={text.services}
              heads={[
                text.service,
                text.state,
                { number: text.height },
                text.age,
                { number: text.blockTime },
                text.version,
              ]}
            >
              {chains.map((chain) => {
                const { freshness, status, averageBlockTimeSeconds } = chain
                const slow = Math.max(lateMs, (averageBlockTimeSeconds ?? 0) * 1000 * lateBlocks)
                const state = !freshness ? 'broken' : freshness.ageSeconds * 1000 > slow ? 'behind' : 'fresh'
                return (
                  <tr key={chain.chainId}>
                    <td>
                      <ChainName chain={chain} />
                    </td>
                    <td>
                      <State state={state} />
                    </td>
                    <td class="number">
                      {freshness ? <Height chainId={chain.chainId} value={freshness.height} /> : <NoValue />}
                    </td>
                    <td>
                      <Time value={freshness?.timestamp} />
                    </td>
                    <td class="number">
                      {averageBlockTimeSeconds == null ? <NoValue /> : duration(averageBlockTimeSeconds)}
                    </td>
                    <td>{status?.version ? <span class="version">{status.version}</span> : <NoValue />}</td>
                  </tr>
                )
              })}
              {service.hasRouter && (
                <tr>
                  <td>
                    {text.router} {bridges && <small class="second">{text.bridgesOf(bridges.length)}</small>}
                  </td>
                  <td>
                    <State state={bridges ? 'fresh' : 'broken'} />
                  </td>
                  <td class="number">
                    <NoValue />
                  </td>
                  <td>
                    <NoValue />
                  </td>
                  <td class="number">
                    <NoValue />
                  </td>
                  <td>
                    <NoValue />
                  </td>
                </tr>
              )}
            </Table>
          )}
        </Loaded>
      </Panel>
      {hasKey() && (
        <Panel title={text.apiKey.title}>
          <ApiKey />
        </Panel>
      )}
      {query.data?.service.isSandbox && <BreakService onChange={refetchSoon} />}
      <Panel title={text.limits.title} of={query}>
        {/* A fault of a service is shown above. */}
        <Loaded of={{ ...query, rootError: undefined }}>
          {({ service: { limits, version } }) => (
            <Facts
              rows={[
                [text.gateway, version],
                [text.limits.points, text.limits.pointsOf(count(limits.maxCost))],
                [text.limits.pageSize, count(limits.maxPageSize)],
                [text.limits.bytes, bytes(limits.maxAnswerBytes)],
                [text.limits.time, duration(limits.timeoutMs / 1000)],
                [text.limits.open, count(limits.maxOpenPerClient)],
              ]}
            />
          )}
        </Loaded>
      </Panel>
    </>
  )
}

const State = ({ state }: { state: 'fresh' | 'behind' | 'broken' }) => (
  <span class={state === 'fresh' ? 'good' : 'bad'}>
    {{ fresh: '●', behind: '◐', broken: '✕' }[state]} {text.states[state]}
  </span>
)
