/** A side of a route: an asset of a chain. Empty texts mean the first that can be chosen. */
export interface Side {
  readonly chainId: string
  readonly denom: string
}

/** What a reader asks a route for. The amount is a decimal in whole units. */
export interface QuoteForm {
  readonly from: Side
  readonly to: Side
  readonly amount: string
  /** Whether routes are preferred that deliver before the first chain is final. */
  readonly isFast: boolean
}

/** The names of a form in the query of an address. Those of the quote to compare with have a prefix. */
export type Prefix = '' | 'vs-'

/** Reads a form from the query of an address. Undefined if it has none with this prefix. */
export function formOf(query: URLSearchParams, prefix: Prefix): QuoteForm | undefined {
  const get = (name: string) => query.get(prefix + name) ?? ''
  if (prefix !== '' && get('amount') === '') return undefined
  return {
    from: { chainId: get('from'), denom: get('asset') },
    to: { chainId: get('to'), denom: get('for') },
    amount: get('amount') || '1',
    isFast: get('fast') === 'true',
  }
}

/** The query of an address with both forms. */
export function queryOfForms(form: QuoteForm, compared: QuoteForm | undefined): URLSearchParams {
  const pairs = ({ from, to, amount, isFast }: QuoteForm, prefix: Prefix) =>
    Object.entries({
      ...{ from: from.chainId, asset: from.denom, to: to.chainId, for: to.denom, amount },
      ...(isFast && { fast: 'true' }),
    }).map(([name, value]) => [prefix + name, value])
  return new URLSearchParams([...pairs(form, ''), ...(compared ? pairs(compared, 'vs-') : [])])
}

/** A decimal in the smallest unit. Undefined if the text is not a decimal, or has too many digits. */
export function unscaled(value: string, decimals: number): string | undefined {
  const match = /^(\d{1,60})(?:[.,](\d{1,60}))?$/.exec(value)
  const [, whole = '', fraction = ''] = match ?? []
  if (!match || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0')).toString()
}
