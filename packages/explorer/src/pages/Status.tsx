import { useCallback, useEffect } from 'preact/hooks'
import { hasKey } from '../app/apiKey.ts'
import { bytes, count, duration } from '../app/format.ts'
import { useQuery } from '../app/useQuery.ts'
import { StatusDocument } from '../generated/graphql.ts'
import { ApiKey } from '../parts/ApiKey.tsx'
import { BreakService } from '../parts/BreakService.tsx'
import { Facts, Loaded, Panel } from '../parts/Panel.tsx'
import { Table } from '../parts/Table.tsx'
import { ChainName, Height, None, Time } from '../parts/text.tsx'
import { text } from '../text.ts'

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
  const { reload } = query
  const { readAt } = query.operation
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reload(), refreshMs)
    return () => clearInterval(timer)
  }, [readAt, reload])
  const reloadSoon = useCallback(() => void setTimeout(reload, noticedMs), [reload])
  return (
    <>
      <h1>{text.status}</h1>
      <Panel title={text.services} of={query.operation}>
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
                      {freshness ? <Height chainId={chain.chainId} value={freshness.height} /> : <None />}
                    </td>
                    <td>
                      <Time value={freshness?.timestamp} />
                    </td>
                    <td class="number">
                      {averageBlockTimeSeconds == null ? <None /> : duration(averageBlockTimeSeconds)}
                    </td>
                    <td>{status?.version ? <span class="version">{status.version}</span> : <None />}</td>
                  </tr>
                )
              })}
              {service.hasRouter && (
                <tr>
                  <td>{text.router}</td>
                  <td>
                    <State state={bridges ? 'fresh' : 'broken'} />
                  </td>
                  <td class="number">
                    <None />
                  </td>
                  <td>
                    <None />
                  </td>
                  <td class="number">
                    <None />
                  </td>
                  <td>{bridges ? text.bridgesOf(bridges.length) : <None />}</td>
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
      {query.data?.service.isSandbox && <BreakService onChange={reloadSoon} />}
      <Panel title={text.limits.title} of={query.operation}>
        {/* A fault of a service is shown above. */}
        <Loaded of={{ ...query, rootError: undefined }}>
          {({ service: { limits, version } }) => (
            <Facts
              rows={[
                [text.gateway, version],
                [text.limits.points, text.limits.pointsOf(count(limits.maxCost))],
                [text.limits.depth, count(limits.maxDepth)],
                [
                  text.limits.pageSize,
                  text.limits.pageSizeOf(count(limits.defaultPageSize), count(limits.maxPageSize)),
                ],
                [text.limits.requests, count(limits.maxRequestsPerOperation)],
                [text.limits.bytes, bytes(limits.maxAnswerBytes)],
                [text.limits.time, duration(limits.timeoutMs / 1000)],
                [text.limits.streams, count(limits.maxStreamsPerClient)],
                [text.limits.subscriptions, count(limits.maxSubscriptions)],
                [text.limits.watched, count(limits.maxWatchedPerClient)],
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
