import { builder } from '../../../engine/graphql/builder.ts'
import type { Optional } from '../../../engine/wire/optional.ts'
import { readRouterValue } from '../routerFields.ts'
import { bridgeById, bridges } from './bridges.ts'

/** The value of `Bridge` for the bridge id of a router: `UNKNOWN` for an id not listed, null for null. */
export function bridgeName(sent: Optional<string>): string | null {
  const bridgeId = readRouterValue(sent)
  if (bridgeId === null) return null
  return bridgeById.has(bridgeId) ? bridgeId : 'UNKNOWN'
}

const values: Record<string, { description: string }> = {
  ...Object.fromEntries(bridges.map(({ id, description }) => [id, { description }])),
  UNKNOWN: { description: 'Another bridge: see the raw name.' },
}

export const Bridge = builder.enumType('Bridge', {
  description: 'A bridge that carries an asset from one chain to another.',
  values,
})
