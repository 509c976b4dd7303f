import { Repeater } from '@repeaterjs/repeater'
import type { FeedSource } from './feedSource.ts'
import type { Requests } from './requests.ts'
import type { SequenceWatch } from './sequenceWatch.ts'
import type { OnStuck } from './stuck.ts'
import { type AnyTail, openTail, type Tail } from './tail.ts'
import { createTailReader } from './tailReader.ts'
import type { Place, TailEvent, TailSource } from './tailSource.ts'

/** An event of one of several lists, and the places in all of them after it. */
export interface FollowEvent<T> {
  /** The key of the list. */
  readonly list: string
  readonly event: TailEvent<T>
  /** By the keys of the lists. Lists that have not answered yet are left out. */
  readonly places: ReadonlyMap<string, Place>
}

/** Which records of some lists to follow, and from where. */
export interface FollowOptions {
  readonly key: string
  /** By the keys of the lists. Others start at their newest record. */
  readonly after: ReadonlyMap<string, Place>
  /** Whether the first event of each list says that there is a gap before it. Default: false. */
  readonly isGap?: boolean
  /** Called at the start, with a function that returns the places after what has been returned by then. */
  readonly onStart?: (placesNow: () => ReadonlyMap<string, Place>) => void
}

/** Shares the ends of lists between all their listeners. */
export interface Tails {
  /**
   * The records of several lists that have a key, each once, and in order within its list. A list that
   * fails does not keep the others from going on. Without lists, it ends at once.
   */
  follow<T extends object, Head extends object>(
    sources: readonly TailSource<T, Head>[],
    options: FollowOptions,
  ): AsyncIterableIterator<FollowEvent<T>>
  close(): void
  /** Listeners of all lists. */
  readonly listeners: number
}

/** Opens the ends of lists. Nothing is sent while nobody listens. */
export function createTails(context: {
  readonly requests: Requests
  readonly windowSize: number
  readonly onStuck: OnStuck
  readonly channelOf: <T extends object>(source: FeedSource<T>) => SequenceWatch<T>
}): Tails {
  const { requests, windowSize, onStuck, channelOf } = context
  const tails = new Map<string, AnyTail>()
  const open = new Set<AnyTail>()
  let isClosed = false

  const tailOf = <T extends object, Head extends object>(source: TailSource<T, Head>): Tail<T> => {
    const { key, heads } = source
    const known = tails.get(key)
    // A key has one type of record, which a map of all tails cannot say.
    if (known?.upstream === heads.upstream) return known as Tail<T>
    const onStop = () => {
      if (tails.get(key) === opened) tails.delete(key)
      open.delete(opened)
    }
    const opened: Tail<T> = openTail(source, {
      ...{ requests, windowSize, onStop, onStuck, openChannel: () => channelOf(heads) },
    })
    tails.set(key, opened)
    open.add(opened)
    return opened
  }

  return {
    follow: <T extends object, Head extends object>(
      sources: readonly TailSource<T, Head>[],
      { key, after, isGap = false, onStart }: FollowOptions,
    ) =>
      // No buffer: an event is taken when the listener asks for it.
      new Repeater<FollowEvent<T>>(async (push, stop) => {
        if (isClosed) return new Promise<never>(() => {})
        if (sources.length === 0) return stop()
        const controller = new AbortController()
        const { signal } = controller
        let isAwake = true
        let rouse = () => {}
        const wake = () => {
          isAwake = true
          rouse()
        }
        const abort = () => {
          controller.abort()
          wake()
        }
        const readers = sources.map((source) => {
          const tail = tailOf(source)
          const from = after.get(source.key)
          stop.then(tail.join({ wake, abort }, { isContinued: from !== undefined }))
          const options = { tail, key, after: from, requests, signal, wake, onStuck }
          return { list: source.key, reader: createTailReader(source, options) }
        })
        stop.then(abort)

        const placesNow = () =>
          new Map(readers.flatMap(({ list, reader: { place } }) => (place ? [[list, place]] : [])))
        onStart?.(placesNow)
        const gaps = new Set(isGap ? readers.map(({ list }) => list) : [])
        while (!signal.aborted) {
          isAwake = false
          for (const { list, reader } of readers) {
            const isStart = reader.place !== undefined && gaps.delete(list)
            const event = isStart ? { kind: 'gap' as const } : reader.take()
            if (event === undefined) continue
            isAwake = true
            await push({ list, event, places: placesNow() })
            if (signal.aborted) return
          }
          const failures = readers.flatMap(({ reader: { failure } }) => failure ?? [])
          if (failures[0] && failures.length === readers.length) throw failures[0].error
          if (!isAwake) {
            await new Promise<void>((resolve) => {
              rouse = resolve
            })
          }
        }
      }),
    close() {
      isClosed = true
      for (const tail of [...open]) tail.close()
    },
    get listeners() {
      return [...open].reduce((sum, tail) => sum + tail.listenerCount, 0)
    },
  }
}
