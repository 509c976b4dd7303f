import type { RouterWorld } from './routerWorld.ts'
import type { Data } from './world.ts'

/** Successful transactions of the hub with one message of a type, whose transfers have that many hops. */
export async function sentBy(world: RouterWorld, typeUrl: string, hops: number): Promise<Data> {
  const { chain } = await world.data(`{ chain(chainId: "harbor-1") { transactions(first: 100) { nodes {
    hash isSuccessful messages { typeUrl body } } } } }`)
  return chain.transactions.nodes.find(
    ({ hash, isSuccessful, messages }: Data) =>
      isSuccessful &&
      messages.length === 1 &&
      messages[0].typeUrl.endsWith(typeUrl) &&
      !/(0[012]|E[\dA-F])$/.test(hash) &&
      1 + (Number.parseInt(hash.slice(-2), 16) % 3) === hops,
  )
}
