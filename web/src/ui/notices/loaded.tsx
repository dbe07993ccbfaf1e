import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadFailed, Skeletons } from './states.tsx'

interface LoadedProps<T> {
  query: UseQueryResult<T>
  lines?: number
  children: (data: T) => ReactNode
}

/**
 * The data of a query; its skeleton while loading and its error after a failure. Old data stays
 * visible while refetching.
 */
export function Loaded<T>({ query, lines, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <LoadFailed error={query.error} onRetry={() => void query.refetch()} />
  return <Skeletons {...(lines === undefined ? {} : { lines })} />
}
