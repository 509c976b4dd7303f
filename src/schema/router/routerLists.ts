import { z } from 'zod'
import { builder, type Context, callCost } from '../../engine/graphql/builder.ts'
import { get } from '../../engine/upstream/request.ts'
import { bodyWith, lenientList, lenientString } from '../../engine/wire/lenient.ts'
import { ifReadable } from '../../engine/wire/optional.ts'
import { lenientName } from '../../engine/wire/shownText.ts'
import type { CacheRegion } from '../../kit/cache/region.ts'
import { catalogFreshness } from '../chain/lookup.ts'
import { Bridge, bridgeName } from './bridges/bridge.ts'
import { SwapVenue, venue } from './route/swapOperations.ts'
import { routerOf } from './routerClient.ts'
import { ifSent } from './routerFields.ts'

const bridge = z.object({ id: z.string().min(1), name: lenientName, logo_uri: lenientString })
type BridgeBody = z.output<typeof bridge>

const lists = {
  bridges: bodyWith(z.object({ bridges: lenientList(bridge) })),
  venues: bodyWith(z.object({ venues: lenientList(venue) })),
}

const freshness = { maxEntries: 1, ...catalogFreshness }

const bridgeRegion: CacheRegion<readonly BridgeBody[]> = { name: 'router bridges', ...freshness }
const venueRegion: CacheRegion<readonly z.output<typeof venue>[]> = {
  name: 'router venues',
  ...freshness,
}

const loadBridges = (context: Context) =>
  context.scope.cache.read(bridgeRegion, '', async (fetch) => {
    const call = get('/v2/info/bridges', lists.bridges, { is404Error: true })
    return (await fetch(routerOf(context), call))?.bridges ?? []
  })

const loadVenues = (context: Context) =>
  context.scope.cache.read(venueRegion, '', async (fetch) => {
    const call = get('/v2/fungible/venues', lists.venues, { is404Error: true })
    return (await fetch(routerOf(context), call))?.venues ?? []
  })

const BridgeInfo = builder.objectRef<BridgeBody>('BridgeInfo').implement({
  description: 'A bridge that the router uses.',
  fields: (t) => ({
    bridge: t.value(Bridge, 'The bridge, as `RouteInput.bridges` takes it.', ({ id }) => bridgeName(id) ?? 'UNKNOWN'),
    rawBridge: t.value('String', "The router's id of the bridge.", ({ id }) => id),
    name: t.value(
      'String',
      'Display name, of at most 128 characters. The id if the router does not report it.',
      ({ name, id }) => ifReadable(name) ?? id,
    ),
    logoUrl: ifSent(t, 'URL', 'URL of the logo.', ({ logo_uri }) => logo_uri),
  }),
})

builder.queryField('bridges', (t) =>
  t.field({
    type: [BridgeInfo],
    nullable: true,
    description: 'The bridges that the router uses. At most five minutes old.',
    complexity: { field: callCost, multiplier: 10 },
    resolve: async (_root, _args, context) => [...(await loadBridges(context))],
  }),
)

builder.queryField('swapVenues', (t) =>
  t.field({
    type: [SwapVenue],
    nullable: true,
    description: 'The venues where the router swaps. At most five minutes old.',
    complexity: { field: callCost, multiplier: 20 },
    resolve: async (_root, _args, context) => [...(await loadVenues(context))],
  }),
)
