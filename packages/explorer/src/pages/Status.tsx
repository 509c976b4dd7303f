import { StatusDocument } from '../__generated__/graphql.ts'
import { bytes, count, duration } from '../app/format.ts'
import { useQuery } from '../app/useQuery.ts'
import { BreakService } from '../parts/BreakService.tsx'
import { Facts, Loaded, Panel } from '../parts/Panel.tsx'
import { Table } from '../parts/tables.tsx'
import { ChainName, Height, None, Time } from '../parts/text.tsx'
import { text } from '../text.ts'

/** A chain is behind if its newest block is older than so many block times, and than a minute. */
const lateBlocks = 10
const lateMs = 60_000

/** The state of each service behind the gateway, and the limits of clients. */
export function Status() {
  const query = useQuery(StatusDocument, {})
  return (
    <>
      <h1>{text.status}</h1>
      <Panel title="Services" of={query.operation}>
        <Loaded of={query}>
          {({ chains, service, bridges }) => (
            <Table
              caption="Services"
              heads={[
                'Service',
                'State',
                { number: text.height },
                text.age,
                { number: text.blockTime },
                'Version',
              ]}
            >
              {chains.map((chain) => {
                const { freshness, status, averageBlockTimeSeconds } = chain
                const slow = Math.max(lateMs, (averageBlockTimeSeconds ?? 0) * 1000 * lateBlocks)
                const state = !freshness
                  ? 'broken'
                  : freshness.ageSeconds * 1000 > slow
                    ? 'behind'
                    : 'fresh'
                return (
                  <tr key={chain.chainId}>
                    <td>
                      <ChainName chain={chain} />
                    </td>
                    <td>
                      <State state={state} />
                    </td>
                    <td class="number">
                      {freshness ? (
                        <Height chainId={chain.chainId} value={freshness.height} />
                      ) : (
                        <None />
                      )}
                    </td>
                    <td>
                      <Time value={freshness?.timestamp} />
                    </td>
                    <td class="number">
                      {averageBlockTimeSeconds == null ? (
                        <None />
                      ) : (
                        duration(averageBlockTimeSeconds)
                      )}
                    </td>
                    <td>{status?.version ?? <None />}</td>
                  </tr>
                )
              })}
              {service.hasRouter && (
                <tr>
                  <td>Router</td>
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
                  <td>{bridges ? `${bridges.length} bridges` : <None />}</td>
                </tr>
              )}
            </Table>
          )}
        </Loaded>
      </Panel>
      {query.data?.service.isSandbox && <BreakService />}
      <Panel title="Limits of a client" of={query.operation}>
        <Loaded of={query}>
          {({ service: { limits, version } }) => (
            <Facts
              rows={[
                ['Gateway', version],
                ['Points of an operation', count(limits.maxCost)],
                ['Depth of a document', count(limits.maxDepth)],
                [
                  'Page size',
                  `${count(limits.defaultPageSize)}, at most ${count(limits.maxPageSize)}`,
                ],
                ['Upstream requests of an operation', count(limits.maxRequestsPerOperation)],
                ['Bytes of an answer', bytes(limits.maxAnswerBytes)],
                ['Time of an operation', duration(limits.timeoutMs / 1000)],
                ['Open streams', count(limits.maxStreamsPerClient)],
                ['Subscriptions of a socket', count(limits.maxSubscriptions)],
                ['Watched transfers', count(limits.maxWatchedPerClient)],
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
    {{ fresh: '●', behind: '◐', broken: '✕' }[state]} {state}
  </span>
)
