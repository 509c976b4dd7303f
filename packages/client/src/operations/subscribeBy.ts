import type { Client, SubscribeOptions } from '../client.ts'
import type { Document } from '../document.ts'
import type { Live } from '../live.ts'
import { beginning, type ResumeRule } from '../resume.ts'

/** Starts a subscription by its own rule, also if the client has no rules. */
export function subscribeBy<Data, Variables extends object>(
  rule: ResumeRule,
  client: Client,
  document: Document<Data, Variables>,
  variables: Variables,
  { signal, resume = 'auto' }: SubscribeOptions = {},
): Live<Data> {
  const cursor = typeof resume === 'string' && resume !== 'auto' ? resume : undefined
  const [begun, by] = beginning(variables, cursor, typeof resume === 'object' ? resume : rule)
  return client.subscribe(document as Document<Data, object>, begun, { signal, resume: by })
}
