import type { ReactNode } from 'react'
import { useTurn } from '../page/turns.ts'
import { LoadFailed, Skeletons } from './states.tsx'

interface LoadedProps<T> {
  query: {
    readonly data: T | undefined
    readonly isError: boolean
    readonly error: Error | null
    readonly refetch: () => unknown
  }
  lines?: number
  /** The placeholder, if not lines of text. */
  skeleton?: ReactNode
  children: (data: T) => ReactNode
}

/**
 * The data of a query; its skeleton while loading and its error after a failure. Old data stays
 * visible while refetching.
 */
export function Loaded<T>({ query, lines, skeleton, children }: LoadedProps<T>) {
  // Renders data only at its turn: changes from a query would otherwise be rendered synchronously.
  const hasTurn = useTurn(query.data !== undefined)
  if (hasTurn && query.data !== undefined) return children(query.data)
  if (query.isError) return <LoadFailed error={query.error} onRetry={() => void query.refetch()} />
  return skeleton ?? <Skeletons {...(lines === undefined ? {} : { lines })} />
}
