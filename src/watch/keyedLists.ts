import { Repeater } from '@repeaterjs/repeater'
import type { AnyKeyedWatch, KeyedWatch } from './keyedReader.ts'
import { createKeyedReader } from './keyedReader.ts'
import type { KeyedEvent, KeyedSource, ListOffset } from './keyedSource.ts'
import { KeyedListWatch } from './keyedWatch.ts'
import type { PollScheduler } from './pollScheduler.ts'
import type { SequenceSource } from './sequenceSource.ts'
import type { SequenceWatch } from './sequenceWatch.ts'
import type { OnStuck } from './stuck.ts'

/** An event of one of several lists, and the places in all of them after it. */
export interface FollowEvent<T> {
  readonly list: string
  readonly event: KeyedEvent<T>
  /** By the keys of the lists. Lists that have not answered yet are left out. */
  readonly places: ReadonlyMap<string, ListOffset>
}

/** Which records of some lists to follow, and from where. */
export interface FollowOptions {
  readonly key: string
  /** By the keys of the lists. Others start at their newest record. */
  readonly after: ReadonlyMap<string, ListOffset>
  /** Whether the first event of each list says that there is a gap before it. Default: false. */
  readonly isGap?: boolean
  /** Called at the start, with a getter of the positions behind the records that were returned so far. */
  readonly onStart?: (placesNow: () => ReadonlyMap<string, ListOffset>) => void
}

/** Shares the ends of lists between all their listeners. */
export interface KeyedLists {
  /**
   * The records of several lists that have a key, each once, and in order within its list. A list that
   * fails does not stop the others. It ends at once if there are no lists.
   */
  follow<T extends object, Head extends object>(
    sources: readonly KeyedSource<T, Head>[],
    options: FollowOptions,
  ): AsyncIterableIterator<FollowEvent<T>>
  close(): void
  readonly listeners: number
}

/** Opens the ends of lists. Nothing is sent while nobody listens. */
export function createKeyedLists(context: {
  readonly requests: PollScheduler
  readonly windowSize: number
  readonly onStuck: OnStuck
  readonly sequenceOf: <T extends object>(source: SequenceSource<T>) => SequenceWatch<T>
}): KeyedLists {
  const { requests, windowSize, onStuck, sequenceOf } = context
  const watches = new Map<string, AnyKeyedWatch>()
  const open = new Set<AnyKeyedWatch>()
  let isClosed = false

  const watchOf = <T extends object, Head extends object>(
    source: KeyedSource<T, Head>,
  ): KeyedWatch<T> => {
    const { key, heads } = source
    const known = watches.get(key)
    // A key has one type of record, which a map of all watches cannot say.
    if (known?.upstream === heads.upstream) return known as KeyedWatch<T>
    const onStop = () => {
      if (watches.get(key) === opened) watches.delete(key)
      open.delete(opened)
    }
    const opened: KeyedWatch<T> = new KeyedListWatch(source, {
      requests,
      windowSize,
      onStop,
      onStuck,
      openSequence: () => sequenceOf(heads),
    })
    watches.set(key, opened)
    open.add(opened)
    return opened
  }

  return {
    follow: <T extends object, Head extends object>(
      sources: readonly KeyedSource<T, Head>[],
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
          const watch = watchOf(source)
          const from = after.get(source.key)
          stop.then(watch.join({ wake, abort }, { isContinued: from !== undefined }))
          const options = { watch, key, after: from, requests, signal, wake, onStuck }
          return { list: source.key, reader: createKeyedReader(source, options) }
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
      for (const watch of [...open]) watch.close()
    },
    get listeners() {
      return [...open].reduce((sum, watch) => sum + watch.listenerCount, 0)
    },
  }
}
