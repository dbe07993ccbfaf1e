import {
  MutationCache,
  notifyManager,
  QueryCache,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import { ApiError, type Args, api, type Key, type Reply } from './api.ts'
import { PanelCache } from './live/panel-cache.ts'

/** Query of one GET endpoint; its cache key is the endpoint key and its input. */
export const q = <K extends Key<'GET'>>(key: K, ...args: Args<K>) =>
  queryOptions({ queryKey: [key, ...args] as const, queryFn: () => api(key, ...args) })

type PagedKey = {
  [K in Key<'GET'>]: Reply<K> extends {
    readonly items: readonly unknown[]
    nextCursor: string | null
  }
    ? K
    : never
}[Key<'GET'>]

/** Query of every page of a list whose rows are few, such as the nodes. */
export const qAll = <K extends PagedKey>(key: K) =>
  queryOptions({
    queryKey: [key, 'all'] as const,
    queryFn: async (): Promise<Reply<K>> => {
      const page = (after?: string) =>
        api(key, ...([{ query: { limit: 100, after } }] as unknown as Args<K>))
      const first = await page()
      const items: unknown[] = [...first.items]
      let next = first.nextCursor
      while (next !== null) {
        const more = await page(next)
        items.push(...more.items)
        next = more.nextCursor
      }
      return { ...first, items, nextCursor: null }
    },
  })

/**
 * Refetches every query of these endpoints: those on screen now, the others when they are next shown.
 */
export function useRefresh(): (endpoints: readonly Key<'GET'>[]) => Promise<void> {
  const client = useQueryClient()
  return async (endpoints) => {
    await Promise.all(endpoints.map((stale) => client.invalidateQueries({ queryKey: [stale] })))
  }
}

interface Callbacks<R> {
  readonly onSuccess?: (answer: R) => void
  readonly onError?: (error: Error) => void
}

/**
 * Mutation of one endpoint; afterwards refetches every query of the endpoints in `refreshes`. The
 * caller's callbacks run even if the refetched data has removed the component from the page, such as
 * an accepted invitation: a mutation would drop its callbacks then.
 */
export function useAct<K extends Key<'POST' | 'PUT' | 'PATCH' | 'DELETE'>>(
  key: K,
  refreshes: readonly Key<'GET'>[] = [],
) {
  const refresh = useRefresh()
  const act = useMutation<Reply<K>, Error, Args<K>[0]>({
    mutationFn: (input) => api(key, ...([input] as Args<K>)),
    onSuccess: () => refresh(refreshes),
  })
  const { mutateAsync } = act
  const mutate = useCallback(
    (input: Args<K>[0], { onSuccess, onError }: Callbacks<Reply<K>> = {}): void => {
      mutateAsync(input).then(onSuccess, (error: Error) => onError?.(error))
    },
    [mutateAsync],
  )
  return { ...act, mutate }
}

// The default waits for a timer, so the second click of a double click would find a button that is not
// busy yet.
notifyManager.setScheduler(queueMicrotask)

const isFinal = (error: Error): boolean =>
  error instanceof ApiError && error.problem.status >= 400 && error.problem.status < 500

const ME = 'GET /api/auth/me' satisfies Key<'GET'>

/** The query cache of the whole panel. `onSignedOut` runs when a response shows that the session has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  // The account was suspended while the panel was open: its state decides what is shown.
  const reloadAccountWhenSuspended = (error: Error): void => {
    if (error instanceof ApiError && error.problem.code === 'account_suspended')
      void client.invalidateQueries({ queryKey: [ME] })
  }
  const client: QueryClient = new PanelCache({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError && error.problem.status === 401) onSignedOut()
        reloadAccountWhenSuspended(error)
      },
    }),
    mutationCache: new MutationCache({ onError: reloadAccountWhenSuspended }),
    defaultOptions: {
      queries: {
        // The event stream keeps the cache fresh; a page that is opened again still fetches once.
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        retry: (count, error) => count < 2 && !isFinal(error),
        // Short at first: a change of network interrupts requests for a moment only.
        retryDelay: (count) => 250 * 4 ** count,
      },
    },
  })
  return client
}
