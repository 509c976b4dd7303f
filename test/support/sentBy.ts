import type { RouterWorld } from './routerWorld.ts'
import { type Data, youngChains } from './world.ts'

/** Chains of a network whose relayers have begun to work: before, nothing that is sent arrives. */
export const busyChains = youngChains(4_000)

/** The newest successful transaction of a chain with one message of a type. */
export async function sentBy(world: RouterWorld, typeUrl: string, chainId = 'harbor-1'): Promise<Data> {
  const { chain } = await world.data(`{ chain(chainId: "${chainId}") { transactions(first: 100) { nodes {
    hash isSuccessful messages { typeUrl body } } } } }`)
  return chain.transactions.nodes.find(
    ({ isSuccessful, messages }: Data) =>
      isSuccessful && messages.length === 1 && messages[0].typeUrl.endsWith(typeUrl),
  )
}

/** The next one, right after its block came. */
export async function nextSentBy(world: RouterWorld, typeUrl: string, chainId?: string): Promise<Data> {
  const before = await sentBy(world, typeUrl, chainId)
  for (;;) {
    await world.clock.advance(1_000)
    const sent = await sentBy(world, typeUrl, chainId)
    if (sent.hash !== before.hash) return sent
  }
}
