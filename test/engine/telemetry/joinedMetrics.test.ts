import { expect, test } from 'vitest'
import { createJoinedMetrics } from '../../../src/engine/telemetry/metrics/joinedMetrics.ts'
import { createMetrics } from '../../../src/engine/telemetry/metrics/metrics.ts'
import { metricValue } from '../../support/metricText.ts'

/** The metrics of a process that has answered so many operations, and whose upstream is up or down. */
async function processWith(operations: number, up: number) {
  const metrics = createMetrics({ version: '1.0.0' })
  metrics.gauge('portolan_sockets', 'Open WebSockets.', () => operations)
  metrics.gauge('portolan_fleet_up', 'Up.', () => up, 'min')
  for (let i = 0; i < operations; i += 1) {
    metrics.onOperation({ type: 'query', name: 'A', outcome: 'ok', seconds: 0.002, requestId: 'r' })
  }
  return metrics.values()
}

const operations = 'portolan_operations_total{name="A",type="query",outcome="ok"}'
const bucket = 'portolan_operation_duration_seconds_bucket{le="0.005",type="query",outcome="ok"}'

test('metrics of processes are summed, and some gauges have the minimum', async () => {
  const joined = createJoinedMetrics()
  const text = await joined.text([await processWith(2, 1), await processWith(3, 0)])
  expect(metricValue(text, operations)).toBe(5)
  expect(metricValue(text, bucket)).toBe(5)
  expect(metricValue(text, 'portolan_sockets')).toBe(5)
  expect(metricValue(text, 'portolan_fleet_up')).toBe(0)
  expect(text.match(/^portolan_build_info/gm)).toHaveLength(1)
})

test('counters of ended processes are kept, and gauges are not', async () => {
  const joined = createJoinedMetrics()
  joined.keep(await processWith(2, 1))
  joined.keep(await processWith(4, 1))
  const text = await joined.text([await processWith(1, 1)])
  expect(metricValue(text, operations)).toBe(7)
  expect(metricValue(text, bucket)).toBe(7)
  expect(metricValue(text, 'portolan_sockets')).toBe(1)
})
