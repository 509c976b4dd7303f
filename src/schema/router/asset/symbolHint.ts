import type { Context } from '../../../engine/graphql/builder.ts'
import { scan } from '../../../engine/graphql/chunks.ts'
import { badInput } from '../../../engine/upstream/error.ts'
import { openCatalog } from '../catalog.ts'

/** The form of a symbol that is hardly one of a denom: `INIT`, `USDC.axl`. */
const symbolForm = /^[A-Z][A-Za-z0-9.]{0,15}$/

/** Most denoms that the hint names. A symbol of several assets can be of many. */
const maxNamed = 5

/**
 * Throws `BAD_USER_INPUT`, with the denoms, for the symbol of an asset of the chain where a denom belongs: nothing
 * would be found for it. Only a text in the form of a symbol loads the list of the chain's assets.
 */
export async function refuseSymbol(context: Context, chainId: string, text: string): Promise<void> {
  if (!symbolForm.test(text) || !context.network.router) return
  // The text may be a denom if the list is missing.
  const list = await openCatalog(context)
    .assets(chainId)
    .catch(() => null)
  if (!list || list.find(text)) return
  const denoms: string[] = []
  await scan(context, list.names, ({ body, symbols }) => {
    if (symbols.includes(text.toLowerCase())) denoms.push(body.denom)
  })
  if (denoms.length === 0) return
  const named = denoms.slice(0, maxNamed).map((denom) => `\`${denom}\``)
  throw badInput(`\`${text}\` is a symbol. Use a denom of ${chainId} with it: ${named.join(', ')}.`, 'SYMBOL_AS_DENOM')
}
