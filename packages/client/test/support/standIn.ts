import type { Operation } from '../../src/document.ts'
import { createLive } from '../../src/live.ts'
import type { ResumeRule } from '../../src/resume.ts'
import type { Sink, Subscribe } from '../../src/transport.ts'

export interface Numbered {
  readonly n: { readonly cursor: string; readonly notice?: { readonly kind: string } }
}

export const rule: ResumeRule = {
  cursor: 'n.cursor',
  variable: 'after',
  notice: 'n.notice',
  kind: 'n.notice.kind',
}

/** A transport whose connections a test plays: one script for each, the last one for all that follow. */
export function liveOver(
  scripts: readonly ((sink: Sink, after: unknown) => void)[],
  options: {
    rule?: ResumeRule | undefined
    from?: string
    signal?: AbortSignal
    variables?: object
  } = {},
) {
  const asked: unknown[] = []
  const subscribe: Subscribe = ({ variables }: Operation, sink) => {
    const script = scripts[Math.min(asked.length, scripts.length - 1)]
    asked.push(variables.after)
    sink.opened()
    script?.(sink, variables.after)
    return () => {}
  }
  const live = createLive<Numbered>({
    operation: { query: 'subscription', variables: { ...options.variables } },
    ...{ subscribe, retryDelay: () => 0, sleepers: new Set() },
    rule: 'rule' in options ? options.rule : rule,
    ...{ from: options.from, signal: options.signal },
  })
  return { live, asked }
}

export const event = (cursor: number, notice?: string) => ({
  data: { n: { cursor: String(cursor), ...(notice && { notice: { kind: notice } }) } },
})

export const refusal = (code: string) => ({ errors: [{ message: code, extensions: { code } }] })

/** Everything until the end, in few words. */
export async function eventsOf(live: ReturnType<typeof liveOver>['live']): Promise<string[]> {
  const words: string[] = []
  try {
    for await (const item of live) {
      if (item.kind === 'data') words.push(item.data.n.cursor)
      else words.push(item.kind === 'gap' ? `gap ${item.reason}` : item.kind)
    }
  } catch (error) {
    words.push(`error ${Object(error).code}`)
  }
  return words
}
