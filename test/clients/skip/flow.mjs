import { chains, getCosmosGasAmountForMessage, messages, route } from '@skip-go/client'
import { addressOn } from './wallet.mjs'

/** Requests a route between two assets, each `{ chainId, denom }`. */
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
  const byId = new Map((await chains({ includeEvm: true })).map((chain) => [chain.chainId, chain]))
  return requiredChainAddresses.map((chainId) => ({
    chainId,
    address: addressOn(byId.get(chainId)),
  }))
}

/** The transactions of a route for the test account. Throws the error of the router. */
export async function messagesFor(quotedRoute) {
  const addresses = await addressesFor(quotedRoute)
  return messages({
    amountIn: quotedRoute.amountIn,
    amountOut: quotedRoute.estimatedAmountOut,
    sourceAssetChainId: quotedRoute.sourceAssetChainId,
    sourceAssetDenom: quotedRoute.sourceAssetDenom,
    destAssetChainId: quotedRoute.destAssetChainId,
    destAssetDenom: quotedRoute.destAssetDenom,
    operations: quotedRoute.operations,
    addressList: addresses.map(({ address }) => address),
    slippageTolerancePercent: '1',
  })
}

/** The kind of each operation, as the client spells it. */
export const operationKinds = ({ operations }) =>
  operations.map((operation) => Object.keys(operation).find((key) => typeof operation[key] === 'object'))

/** The messages of a transaction in the form the client passes to its encoder. */
export async function encodableMessages({ cosmosTx: { chainId, signerAddress, msgs } }) {
  let encodable = []
  const simulate = async (_, objects) => {
    encodable = objects
    return 100_000
  }
  await getCosmosGasAmountForMessage({ simulate }, signerAddress, chainId, msgs)
  return encodable
}
