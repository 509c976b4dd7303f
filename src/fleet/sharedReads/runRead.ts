import type { Clock } from '../../kit/clock/clock.ts'
import { withDeadline } from '../../kit/clock/deadline.ts'
import { GatewayError } from '../../upstream/error.ts'
import type { Network } from '../../upstream/network.ts'
import { textRequest } from '../../upstream/request.ts'
import { serviceLabel } from '../../upstream/upstreamError.ts'
import { faultOf } from './readFault.ts'
import type { RunRead } from './sharedReads.ts'

/** Runs reads through the clients of this process. */
export const createRunRead =
  ({ chains, router }: Pick<Network, 'chains' | 'router'>, clock: Clock): RunRead =>
  async (read, { signal, timeoutMs }) => {
    const { service, source } = read
    const upstream = service === 'router' ? router : chains.get(service)?.indexer
    if (upstream?.source !== source) return undefined
    const late = () =>
      new GatewayError('UPSTREAM_TIMEOUT', `${serviceLabel(service)} timed out.`, { service })
    const limits = { milliseconds: timeoutMs, signal, late }
    try {
      const body = await withDeadline(clock, limits, (deadline) =>
        upstream.send(textRequest(read), deadline),
      )
      return { body }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      return { fault: faultOf(service, error) }
    }
  }
