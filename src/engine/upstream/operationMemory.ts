import type { Awaitable } from '../../kit/awaitable.ts'
import { Memo, typedKey } from '../../kit/cache/typedKey.ts'

/** A list in the memory of an operation. It has no items, and so throws when it is read, after the end. */
interface ReleasableList {
  readonly items: readonly unknown[]
}

/** What one operation has made and loaded, until it ends. */
export class OperationMemory {
  readonly #values = new Memo()
  #releasable: { items: unknown }[] = []

  /** The value made for this key earlier in the operation, or now. One key stands for one type. */
  get<T>(key: string, make: () => T): T {
    return this.#values.get(typedKey<T>(key), make)
  }

  /** The value loaded for this key earlier in the operation, or now. It is a promise until it is here. */
  load<T>(key: string, load: () => Promise<T>): Awaitable<T> {
    const found = this.#values.get(typedKey<{ value: Awaitable<T> }>(key), () => {
      const loading = load()
      const entry: { value: Awaitable<T> } = { value: loading }
      loading.then(
        (value) => {
          entry.value = value
        },
        () => {},
      )
      return entry
    })
    return found.value
  }

  /** Takes its items from a list that only this operation has, when the operation has ended. Returns the list. */
  releaseAtEnd<T extends ReleasableList>(list: T): T {
    this.#releasable.push(list)
    return list
  }

  /**
   * Releases the data of an operation that has ended. V8 keeps every object that an old object refers to until a
   * full collection. An object is old after two collections of young objects, such as a promise that waited for an
   * upstream. It would keep the list that it resolved to.
   */
  close(): void {
    this.#values.clear()
    for (const list of this.#releasable) list.items = undefined
    this.#releasable = []
  }
}
