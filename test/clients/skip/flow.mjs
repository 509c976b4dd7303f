import { chains, getCosmosGasAmountForMessage, messages, route } from '@skip-go/client'
import { addressOn } from './wallet.mjs'

/** A quote between two assets, each `{ chainId, denom }`. */
export const quote = (from, to, amountIn, more) =>
  route({
    amountIn,
    sourceAssetChainId: from.chainId,
    sourceAssetDenom: from.denom,
    destAssetChainId: to.chainId,
    destAssetDenom: to.denom,
    ...more,
  })

/** One address per required chain, in the order the router asks for. */
export async function addressesFor({ requiredChainAddresses }) {
  const known = new Map((await chains({ includeEvm: true })).map((chain) => [chain.chainId, chain]))
  return requiredChainAddresses.map((chainId) => ({
    chainId,
    address: addressOn(known.get(chainId)),
  }))
}

/** The transactions of a quote for the tests' account; throws what the router refuses. */
export async function messagesFor(quoted) {
  const addresses = await addressesFor(quoted)
  return messages({
    amountIn: quoted.amountIn,
    amountOut: quoted.estimatedAmountOut,
    sourceAssetChainId: quoted.sourceAssetChainId,
    sourceAssetDenom: quoted.sourceAssetDenom,
    destAssetChainId: quoted.destAssetChainId,
    destAssetDenom: quoted.destAssetDenom,
    operations: quoted.operations,
    addressList: addresses.map(({ address }) => address),
    slippageTolerancePercent: '1',
  })
}

/** The kind of each operation, as the client spells it. */
export const operationKinds = ({ operations }) =>
  operations.map((operation) =>
    Object.keys(operation).find((key) => typeof operation[key] === 'object'),
  )

/** The messages of a transaction as the client hands them to its encoder. */
export async function encodableMessages({ cosmosTx: { chainId, signerAddress, msgs } }) {
  let encodable = []
  const simulate = async (_, objects) => {
    encodable = objects
    return 100_000
  }
  await getCosmosGasAmountForMessage({ simulate }, signerAddress, chainId, msgs)
  return encodable
}
