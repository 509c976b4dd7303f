import type { ServiceCommand } from '../config/commandLine.ts'

const defaultPorts = { serve: 4000, sandbox: 4100, mcp: 0, doctor: 0 }

export const portOf = ({ run, settings }: ServiceCommand): number => settings.port ?? defaultPorts[run]
