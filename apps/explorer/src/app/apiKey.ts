/** Where a reader's API key is kept, for as long as the tab is open. */
export const keyName = 'portolan:key'

/** The API key of this tab. Undefined without one. */
export function apiKey(): string | undefined {
  try {
    return sessionStorage.getItem(keyName) ?? undefined
  } catch {
    return undefined
  }
}

export const hasKey = (): boolean => apiKey() !== undefined

/** The header that sends the key of this tab, if there is one. */
export function keyHeaders(): Readonly<Record<string, string>> {
  const key = apiKey()
  return key === undefined ? {} : { authorization: `Bearer ${key}` }
}

/** Keeps a key, or forgets it, and begins anew: connections that are open have the old one. */
export function keepKey(key: string | undefined): void {
  if (key === undefined) sessionStorage.removeItem(keyName)
  else sessionStorage.setItem(keyName, key)
  location.reload()
}
