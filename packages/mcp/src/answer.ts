import { bound, clean, type Detail, type Json, maxBytes } from './bounds.ts'
import type { GraphAnswer, GraphProblem } from './graph.ts'
import type { Tool, ToolResult } from './tool.ts'

/** The result of a tool call: one object, as JSON text and in structured form. */
export interface ToolAnswer {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: { readonly [key: string]: Json }
  readonly isError?: boolean
}

/** The most problems that an answer names. */
const maxProblems = 5

/** Bytes of an answer that are kept for the problems and the next call. */
const reservedBytes = 2_500

/** The call of a tool that follows an answer. */
interface NextCall {
  readonly tool: string
  readonly arguments: Json
}

/** Makes the answer of a tool from the answer of the graph. The errors of failed parts stand beside the rest. */
export function answerOf(tool: Tool, args: object, { data, errors = [] }: GraphAnswer): ToolAnswer {
  const isEmpty = !data || Object.values(data).every((value) => value === null)
  if (isEmpty && errors.length > 0) return failure(errors)
  if (!data) return failure([{ message: 'The graph did not answer.' }])
  const detail: Detail = 'detail' in args && args.detail === 'full' ? 'full' : 'concise'
  const found = tool.read(data, args)
  const { value, isCut } = bound(object(clean(found.result, detail)), maxBytesOfResult)
  const { next, isPageCut } = nextOf(found, value)
  const call: NextCall | undefined = next ? { tool: tool.name, arguments: next } : undefined
  return {
    ...answerText({
      ...value,
      ...((isCut || isPageCut) && { truncated: true }),
      ...(call && { next: { ...call } }),
      ...(errors.length > 0 && { problems: problemsOf(errors) }),
    }),
  }
}

const maxBytesOfResult = maxBytes - reservedBytes

const object = (value: Json): { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Json })
    : {}

/** The arguments of the call that continues after the last row that the answer has. */
function nextOf(
  { page, next }: ToolResult,
  value: { readonly [key: string]: Json },
): { next: Json | undefined; isPageCut: boolean } {
  // Arguments are sent back as they are, so they are not made harmless.
  if (!page) return { next: next as Json | undefined, isPageCut: false }
  const list = value[page.list]
  const count = Array.isArray(list) ? list.length : 0
  const isPageCut = count < page.cursors.length
  const cursor = page.cursors[count - 1]
  const hasMore = cursor !== undefined && (isPageCut || page.hasNextPage)
  return { next: hasMore ? (page.next(cursor) as Json) : undefined, isPageCut }
}

/** An answer that has nothing but its problems. */
export const failure = (errors: readonly GraphProblem[]): ToolAnswer => ({
  content: [{ type: 'text', text: JSON.stringify({ problems: problemsOf(errors) }) }],
  isError: true,
})

const problemsOf = (errors: readonly GraphProblem[]): Json =>
  clean(
    errors.slice(0, maxProblems).map(({ message, path, extensions }) => ({
      message,
      at: path?.join('.'),
      code: extensions?.code,
      reason: extensions?.reason,
      service: extensions?.service,
      retryAfterSeconds: extensions?.retryAfter,
    })),
    'concise',
  )

/** An answer of one object. */
export const answerText = (value: { readonly [key: string]: Json }): ToolAnswer => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
})
