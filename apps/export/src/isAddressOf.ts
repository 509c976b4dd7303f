import { bech32Of } from '@portolan/words/addresses'

/** Whether an address, in any spelling, is that of an account in hex. */
export const isAddressOf = (text: string, account: string): boolean =>
  text.toLowerCase() === account || `0x${bech32Of(text)?.bytes}` === account
