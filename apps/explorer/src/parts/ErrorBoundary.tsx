import { onReturn, useClient } from '@portolan/client/react'
import type { ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { text } from '../text.ts'
import { LoadFault } from './LoadFault.tsx'

/** Shows a page, or that it failed. It is tried again when the reader wants it, or the connection is back. */
export function ErrorBoundary({ children }: { children: ComponentChildren }) {
  const client = useClient()
  const [error, reset] = useErrorBoundary((fault) => reportError(fault))
  useEffect(() => (error ? onReturn(client, reset) : undefined), [client, error])
  return error ? <LoadFault onRetry={reset}>{text.notShown}</LoadFault> : children
}
