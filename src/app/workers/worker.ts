import cluster from 'node:cluster'
import { resolveLimits } from '../../engine/limits/limits.ts'
import { createMetrics } from '../../engine/telemetry/metrics/metrics.ts'
import { createGateway, type Gateway, type GatewayOptions } from '../../gateway.ts'
import { packageVersion } from '../../kit/version.ts'
import { limitsOfOne, networkOfOne } from '../config/shares.ts'
import type { ToPrimary, ToWorker } from './primary.ts'

/** Serves the graph in this process, which is one of several workers on one port. */
export async function openWorker(
  options: GatewayOptions,
  { count, warmUpMs }: { readonly count: number; readonly warmUpMs: number },
): Promise<Gateway> {
  const metrics = createMetrics({ version: packageVersion() })
  /** Requests for the metrics of all workers, which any of them answers. */
  const readers = new Set<(text: string) => void>()
  const text = () =>
    new Promise<string>((resolve) => {
      readers.add(resolve)
      send('text')
    })
  process.on('message', async (message: ToWorker) => {
    if (message === 'metrics') send({ values: await metrics.values() })
    if (typeof message === 'string') return
    for (const resolve of readers) resolve(message.text)
    readers.clear()
  })
  const { redis, metricsPort, ...rest } = networkOfOne(options, count)
  const gateway = await createGateway(
    {
      ...rest,
      limits: limitsOfOne(resolveLimits(options.limits), count),
      redis: redis && { ...redis, processCount: count },
      // One of them probes the upstreams for all.
      probeAtStart: rest.probeAtStart === true && cluster.worker?.id === 1,
    },
    {
      metrics: { ...metrics, text },
      server: {
        servesMetrics: metricsPort === undefined,
        warmUpMs,
        // With Redis, all workers take from the same budgets.
        processCount: redis ? 1 : count,
      },
    },
  )
  send({ url: gateway.url })
  return { ...gateway, updateChains: (next) => gateway.updateChains(networkOfOne(next, count)) }
}

/** Sends a message to the primary. Node ends this process if the primary has ended. */
const send = (message: ToPrimary): void => void process.send?.(message, undefined, undefined, () => {})
