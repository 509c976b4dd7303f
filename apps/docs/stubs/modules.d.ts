// What the programs of the pages import and the client package does not install.

declare module '@graphql-codegen/cli' {
  export interface CodegenConfig {
    schema: string
    documents: string
    generates: Record<string, { preset?: 'client'; plugins?: string[]; config?: Record<string, unknown> }>
  }
}

declare module 'urql' {
  import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
  import type { ReactElement, ReactNode } from 'react'

  interface Operation<Data, Variables> {
    query: TypedDocumentNode<Data, Variables>
    variables: Variables
  }
  export function Provider(props: { value: unknown; children?: ReactNode }): ReactElement
  export function useQuery<Data, Variables>(
    operation: Operation<Data, Variables>,
  ): [{ data?: Data; error?: Error }, read: (options: { requestPolicy: 'network-only' }) => void]
  export function useSubscription<Data, Variables, Result>(
    operation: Operation<Data, Variables>,
    reduce: (before: Result | undefined, event: Data) => Result,
  ): [{ data?: Result }]
}

declare module 'react-native' {
  import type { ReactElement, ReactNode } from 'react'
  export function Text(props: { children?: ReactNode }): ReactElement
}

declare module 'vue' {
  export function shallowRef<Value>(value: Value): { value: Value }
  export function onScopeDispose(end: () => void): void
}
