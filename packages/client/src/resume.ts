/**
 * How a subscription is resumed. Paths are names of the response, from the root down, with dots between
 * them. The plugin of `@portolan/client/codegen` writes the rule of every subscription.
 */
export interface ResumeRule {
  /** Path of the cursor of an event. Without it, each connection begins with the present state. */
  readonly cursor?: string
  /** The variable that takes the cursor. */
  readonly variable?: string
  /** Path of what an event has instead of a record, such as `blocks.notice`. */
  readonly notice?: string
  /** Path of the kind of the notice. A notice of the kind `GAP` says that events are missing. */
  readonly kind?: string
}

/** The rules of subscriptions, by the names of their operations. */
export type ResumeRules = Readonly<Record<string, ResumeRule>>

/** How a subscription with such a rule begins after a cursor: its variables, and its option `resume`. */
export function beginning(
  variables: object | undefined,
  cursor: string | undefined,
  rule: ResumeRule | undefined,
): [variables: object, resume: string | ResumeRule] {
  if (!rule) return [{ ...variables }, cursor ?? 'auto']
  const after = rule.variable && cursor !== undefined && { [rule.variable]: cursor }
  return [{ ...variables, ...after }, rule]
}

/** The value at a path. Undefined if there is none. */
export function valueAt(data: unknown, path: string | undefined): unknown {
  if (path === undefined) return undefined
  let value = data
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null)?.[name]
  return value
}
