import { expect, test } from 'vitest'
import { blocksDocument, chainId, clientOf, startWorld } from './support/world.ts'

test.each(['sockets', 'event streams'])('an invalid API key stops %s at once', async (kind) => {
  await using world = await startWorld({
    apiKeys: new Map([['known', 'k'.repeat(32)]]),
    requireApiKey: true,
  })
  const transport = kind === 'sockets' ? {} : { webSocketImpl: null }
  const client = clientOf(world, { ...transport, apiKey: 'unknown' })
  const live = client.subscribe(blocksDocument, { chainId })
  await expect(live.next()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(world.proxy.opened).toBe(1)
  const known = clientOf(world, { ...transport, apiKey: async () => 'k'.repeat(32) })
  const allowed = known.subscribe(blocksDocument, { chainId })
  expect((await allowed.next()).value).toMatchObject({ kind: 'data' })
  await allowed.return()
})
