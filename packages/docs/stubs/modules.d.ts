// What the programs of the pages import and the client package does not install.

declare module '@graphql-codegen/cli' {
  export interface CodegenConfig {
    schema: string
    documents: string
    generates: Record<
      string,
      { preset?: 'client'; plugins?: string[]; config?: Record<string, unknown> }
    >
  }
}

declare module 'react-native' {
  import type { ReactElement, ReactNode } from 'react'
  export function Text(props: { children?: ReactNode }): ReactElement
}
