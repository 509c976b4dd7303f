/** An action in words, by the parts of its sentence. */
export interface DescribedAction {
  readonly summaryParts: readonly {
    readonly kind: string
    readonly text: string
    readonly address: string | null
    readonly account: { readonly address: string } | null
    readonly amount: { readonly denom: string | null } | null
  }[]
}

/** The fields of an action that a sentence needs. */
export const toldFields = 'summaryParts { kind text address account { address } amount { denom } }'

/**
 * The sentence of an action with whole addresses, each as the other columns have it: in the spelling of its chain, or as the
 * transaction has it for an object and on another chain. What has a name has its address behind it.
 */
export const tellWhole = ({ summaryParts }: DescribedAction): string =>
  summaryParts
    .map(({ kind, text, address, account, amount }) => {
      if (amount) return text.replace(/\S+…\S+$/, (cut) => amount.denom ?? cut)
      const whole = kind === 'OBJECT' ? address : (account?.address ?? address)
      if (!whole || whole === text) return text
      return isCutAddress(text) || text === address ? whole : `${text} (${whole})`
    })
    .join('')

const isCutAddress = (text: string): boolean => /^[^“\s]\S*…\S+$/.test(text)
