import type { ServiceCommand } from '../config/commandLine.ts'
import { portOf } from './port.ts'

/** Why a command could not start, and what to do about it. */
export function startProblem(error: unknown, command: ServiceCommand): string {
  if (!(error instanceof Error)) return String(error)
  const { host, metricsPort } = command.settings
  // A server that cannot listen says on which port.
  const { code, port = portOf(command) }: NodeJS.ErrnoException & { port?: number } = error
  const place = `port ${port} of ${host}`
  const setting = port === metricsPort ? 'METRICS_PORT or --metrics-port' : 'PORT or --port'
  switch (code) {
    case 'EADDRINUSE':
      return `${place} is in use. Set ${setting} to another one, or to 0 for any that is free.`
    case 'EACCES':
      return `this user may not listen on ${place}. Set ${setting} to 1024 or higher.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Set HOST or --host, for example to 0.0.0.0.`
  }
  return error.message
}
