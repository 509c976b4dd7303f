import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql'
import type { Data } from './world.ts'

/** Paths of the leaves that a document without named fragments selects, as `account.nfts.nodes.tokenId`. */
export function selectedLeaves(document: DocumentNode): Set<string> {
  const leaves = new Set<string>()
  const visit = ({ selections }: SelectionSetNode, path: readonly string[]): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet, path)
      if (selection.kind !== Kind.FIELD) continue
      const at = [...path, selection.alias?.value ?? selection.name.value]
      if (selection.selectionSet) visit(selection.selectionSet, at)
      else leaves.add(at.join('.'))
    }
  }
  for (const definition of document.definitions) {
    if ('selectionSet' in definition) visit(definition.selectionSet, [])
  }
  return leaves
}

/** Paths of the leaves of an answer that are neither null nor empty. */
export function filledLeaves(answer: Data): Set<string> {
  const leaves = new Set<string>()
  const visit = (value: Data, path: readonly string[]): void => {
    if (value === null || value === undefined || value === '') return
    if (path.length > 0) leaves.add(path.join('.'))
    if (Array.isArray(value)) for (const item of value) visit(item, path)
    else if (typeof value === 'object') for (const [key, part] of Object.entries(value)) visit(part, [...path, key])
  }
  visit(answer, [])
  return leaves
}
