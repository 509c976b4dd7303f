import { readFileSync } from 'node:fs'
import type { Client, LiveEvent } from '@portolan/client'
import { buildSchema, executeSync, parse, validate } from 'graphql'

/** The schema that gateways serve. */
export const schema = buildSchema(readFileSync(new URL('../../../../schema.graphql', import.meta.url), 'utf8'))

/** What an event of a subscription is made of, as the gateway has it. */
export type Source = Readonly<Record<string, unknown>>

/** A gateway of one subscription. `after` is the number of the cursor to continue after, if one was sent. */
export interface Graph {
  readonly subscription: string
  /** The events of a connection: numbers of records with what they say, or states. */
  open(after: number | undefined): Iterable<Source>
  /** The cursors of one connection differ from those of another one. */
  readonly salt: () => string
}

/** A client that answers with exactly what the documents select, as the real one does. */
export function createGraph({ subscription, open, salt }: Graph): Pick<Client, 'query' | 'subscribe'> {
  const subscribe = (text: string, variables: Source, { resume = {} }: { resume?: Source }) => {
    const document = parse(text)
    const faults = validate(schema, document)
    if (faults[0]) throw faults[0]
    const given = variables[String(resume.variable)]
    const after = typeof given === 'string' ? Number(given.split(' ')[0]) : undefined
    const own = salt()
    const events = open(after)[Symbol.iterator]()
    const at = (data: unknown, path: unknown) =>
      String(path ?? '')
        .split('.')
        .reduce((value: unknown, name) => (value as Source | null)?.[name], data)
    let cursor: string | undefined
    return {
      get cursor() {
        return cursor
      },
      async next(): Promise<IteratorResult<LiveEvent<unknown>>> {
        const { value, done } = events.next()
        if (done) return { value: { kind: 'end' }, done: false }
        const source = 'number' in value ? { ...value, cursor: `${value.number} ${own}` } : value
        const { data, errors } = executeSync({
          ...{ schema, document, rootValue: { [subscription]: source } },
          variableValues: variables,
        })
        if (errors) throw errors[0]
        cursor = at(data, resume.cursor) as string | undefined
        const notice = at(data, resume.notice)
        const event: LiveEvent<unknown> =
          resume.notice !== undefined && notice !== null ? { kind: 'notice', data, notice } : { kind: 'data', data }
        return { value: event, done: false }
      },
      async return() {
        return { value: undefined, done: true }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }
  const query = async () => ({ account: { activity: { liveCursor: '0 start' } } })
  return { query, subscribe } as unknown as Pick<Client, 'query' | 'subscribe'>
}
