/** Where the script of the document keeps the answers that it has asked for, by the bodies of the requests. */
export const earlyAnswers = 'portolanEarly'

/**
 * Sends a request, or takes the answer to the same one that the script of the document has sent while it was
 * parsed. Each is taken once: a later request is a new one.
 */
export const earlyFetch: typeof fetch = (url, init) => {
  const answers = (globalThis as Readonly<Record<string, unknown>>)[earlyAnswers] as
    | Map<unknown, Promise<Response>>
    | undefined
  const answer = answers?.get(init?.body)
  if (!answer) return fetch(url, init)
  answers?.delete(init?.body)
  // One that failed is asked for anew, with the signal and headers of the caller.
  return answer.catch(() => fetch(url, init))
}
