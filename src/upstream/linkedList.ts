/** A value in a list, and its neighbours. */
export interface ListNode<T> {
  readonly value: T
  previous: ListNode<T> | undefined
  next: ListNode<T> | undefined
}

/** A list that any of its values can be removed from in constant time. */
export interface LinkedList<T> extends Iterable<T> {
  readonly size: number
  /** Undefined if the list is empty. */
  readonly first: T | undefined
  /** Undefined if the list is empty. */
  readonly last: T | undefined
  /** Adds a value at the end. */
  push(value: T): ListNode<T>
  /** Removes a node that is in this list. */
  remove(node: ListNode<T>): void
}

/** Creates an empty list. */
export function createLinkedList<T>(): LinkedList<T> {
  let first: ListNode<T> | undefined
  let last: ListNode<T> | undefined
  let size = 0
  return {
    get size() {
      return size
    },
    get first() {
      return first?.value
    },
    get last() {
      return last?.value
    },
    push(value) {
      const node: ListNode<T> = { value, previous: last, next: undefined }
      if (last) last.next = node
      else first = node
      last = node
      size += 1
      return node
    },
    remove({ previous, next }) {
      if (previous) previous.next = next
      else first = next
      if (next) next.previous = previous
      else last = previous
      size -= 1
    },
    *[Symbol.iterator]() {
      for (let node = first; node; node = node.next) yield node.value
    },
  }
}
