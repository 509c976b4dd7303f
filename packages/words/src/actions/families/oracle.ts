import type { ActionFamily } from '../family.ts'
import { fieldText } from '../fields.ts'
import { says } from '../sentence.ts'

const prices = ['opinit.opchild.v1.MsgUpdateOracle', 'opinit.opchild.v1.MsgRelayOracleData']
const marketMessages = [
  ...['CreateMarkets', 'UpdateMarkets', 'UpsertMarkets', 'RemoveMarkets'],
  ...['Params', 'RemoveMarketAuthorities'],
]
const markets = ['connect', 'slinky'].flatMap((module) =>
  ['v1', 'v2'].flatMap((version) => [
    ...marketMessages.map((name) => `${module}.marketmap.${version}.Msg${name}`),
    `${module}.oracle.${version}.MsgAddCurrencyPairs`,
    `${module}.oracle.${version}.MsgRemoveCurrencyPairs`,
  ]),
)

/** Prices that the hub reports to a rollup, and the markets that they are of. */
export const oracle: ActionFamily = {
  types: [...prices, ...markets],
  read: ({ type, message }) => ({
    kind: 'ORACLE_UPDATE',
    actor: fieldText(message, 'sender') ?? fieldText(message, 'authority'),
    says: says(
      ['Updated', 'update'],
      prices.includes(type) ? ' the prices of the oracle' : ' the markets of the oracle',
    ),
  }),
}
