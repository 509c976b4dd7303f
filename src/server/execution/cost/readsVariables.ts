import { type ArgumentNode, BREAK, visit } from 'graphql'

/** Whether a variable is in one of the arguments. */
export function readsVariables(nodes: readonly ArgumentNode[] = []): boolean {
  let isRead = false
  for (const node of nodes) {
    visit(node, {
      Variable() {
        isRead = true
        return BREAK
      },
    })
  }
  return isRead
}
