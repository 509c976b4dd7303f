import type { RedisSession } from '../redis/redisSession.ts'
import type { RenewableSigner } from '../signing/signer.ts'

/** A key as it is kept: 32 bytes in hex. */
const keyForm = /^[0-9a-f]{64}$/

/**
 * Makes the gateways of a fleet sign with one key, so that any of them accepts what another one signed: that
 * of the first gateway. A Redis that lost it gets it back from any gateway that still runs.
 */
export async function shareSigningKey(
  session: RedisSession,
  signer: RenewableSigner,
): Promise<void> {
  const name = `${session.prefix}:signing-key`
  const own = Buffer.from(signer.key).toString('hex')
  await session.run((client) => client.set(name, own, 'NX'))
  const shared = await session.run((client) => client.get(name))
  if (shared !== null && shared !== own && keyForm.test(shared)) {
    signer.renew(Buffer.from(shared, 'hex'))
  }
}
