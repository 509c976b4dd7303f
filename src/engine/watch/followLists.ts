import type { Push, Stop } from '@repeaterjs/repeater'
import type { OnStuck } from './faults.ts'
import { KeyedReader } from './keyedReader.ts'
import type { KeyedEvent, KeyedSource, ListOffset } from './keyedSource.ts'
import type { KeyedListWatch } from './keyedWatch.ts'
import type { PollScheduler } from './pollScheduler.ts'

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
  readonly onStart?: (readPlaces: () => ReadonlyMap<string, ListOffset>) => void
  /** Called once for each list, when it is known from where it is followed. What comes later is not missed. */
  readonly onPlace?: ((list: string) => void) | undefined
}

/** Delivers the records of a key in some lists to one listener until it leaves. */
export async function followLists<T extends object, Head extends object>(
  lists: readonly {
    readonly source: KeyedSource<T, Head>
    readonly watch: KeyedListWatch<T, Head>
  }[],
  options: FollowOptions & {
    readonly requests: PollScheduler
    readonly onStuck: OnStuck
    readonly push: Push<FollowEvent<T>>
    readonly stop: Stop
  },
): Promise<void> {
  const { key, after, isGap = false, onStart, onPlace, requests, onStuck, push, stop } = options
  if (lists.length === 0) return stop()
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
  const readers = lists.map(({ source, watch }) => {
    const from = after.get(source.key)
    stop.then(watch.join({ wake, abort }, { isContinued: from !== undefined }))
    const readerOptions = { watch, key, after: from, requests, signal, wake, onStuck }
    return { list: source.key, reader: new KeyedReader(source, readerOptions) }
  })
  stop.then(abort)

  const readPlaces = () => new Map(readers.flatMap(({ list, reader: { place } }) => (place ? [[list, place]] : [])))
  onStart?.(readPlaces)
  const unplaced = new Set(readers)
  const gaps = new Set(isGap ? readers.map(({ list }) => list) : [])
  while (!signal.aborted) {
    isAwake = false
    for (const { list, reader } of readers) {
      const isStart = reader.place !== undefined && gaps.delete(list)
      const event = isStart ? { kind: 'gap' as const } : reader.take()
      if (event === undefined) continue
      isAwake = true
      await push({ list, event, places: readPlaces() })
      if (signal.aborted) return
    }
    for (const each of unplaced) {
      if (each.reader.place === undefined) continue
      unplaced.delete(each)
      onPlace?.(each.list)
    }
    const failures = readers.flatMap(({ reader: { failure } }) => failure ?? [])
    if (failures[0] && failures.length === readers.length) throw failures[0].error
    if (!isAwake) {
      await new Promise<void>((resolve) => {
        rouse = resolve
      })
    }
  }
}
