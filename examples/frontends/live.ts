import { createClient } from '@portolan/client'
import { useSyncExternalStore } from 'react'
import { resumes } from './__generated__/resumes.ts'
import { url } from './view.tsx'

/** The client behind the subscriptions of Apollo Client and urql. */
export const live = createClient({ url, resumes })

/** The state of its connection. */
export const useStatus = () => useSyncExternalStore(live.onStatus, () => live.status)
