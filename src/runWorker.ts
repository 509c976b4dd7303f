import { pino } from 'pino'
import { createGateway, type Gateway } from './gateway.ts'
import { createMetrics } from './server/observability/metrics/metrics.ts'
import { openLog } from './server/observability/openLog.ts'
import { openTracing } from './server/observability/tracing/openTracing.ts'
import type { WorkerChains, WorkerPlan } from './serveWorkers.ts'
import { packageVersion } from './version.ts'
import { linkToPrimary, type ToPrimary } from './workers/link.ts'

/** Makes this process a worker: it does what its primary asks, and ends with it. */
export async function runWorker(): Promise<void> {
  const metrics = createMetrics({ version: packageVersion() })
  let gateway: Promise<Gateway> | undefined

  const open = async (plan: WorkerPlan): Promise<Gateway> => {
    const log = await openLog({
      level: plan.logLevel,
      format: plan.logFormat,
      destination: pino.destination(2),
      isTerminal: process.stderr.isTTY,
    })
    const tracing = await openTracing(process.env, log)
    return createGateway(
      { ...plan.gateway, log, tracing },
      {
        // Any worker answers for all of them.
        metrics: { ...metrics, text: primary.metricsText },
        server: { servesMetrics: plan.servesMetrics },
      },
    )
  }

  const primary: ToPrimary<WorkerPlan> = linkToPrimary<WorkerPlan, WorkerChains>({
    async updateChains(chains) {
      const opened = await gateway
      opened?.updateChains(chains)
    },
    metrics: metrics.values,
    async stop() {
      const opened = await gateway?.catch(() => undefined)
      await opened?.close()
      process.exit(0)
    },
  })
  try {
    gateway = open(await primary.plan())
    await primary.serves((await gateway).url)
  } catch (error) {
    await primary.fails(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
}
