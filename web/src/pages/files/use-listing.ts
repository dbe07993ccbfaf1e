import type { Entry } from '@lodge/shared/files.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { api } from '../../api.ts'

const PAGE = 1_000
/** Further pages are loaded on request. */
const PAGES_AT_ONCE = 20

export const LISTING = 'GET /api/servers/{id}/files'
export const BIN = 'GET /api/servers/{id}/files/bin'
/** What takes the space: nobody waits for that, it takes up to 20 seconds. */
export const SPACE = 'GET /api/servers/{id}/files/space'
/** Queries that every change of files invalidates. */
export const CHANGES = [LISTING, BIN, 'GET /api/servers/{id}/files/usage'] as const

/** The entries of a folder. The first page is shown immediately, and the others follow. */
export function useListing(serverId: string, path: string) {
  const query = useInfiniteQuery({
    queryKey: [LISTING, { params: { id: serverId }, path }],
    queryFn: ({ pageParam }) =>
      api(LISTING, {
        params: { id: serverId },
        query: { path, limit: PAGE, ...(pageParam === undefined ? {} : { after: pageParam }) },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextAfter }) => nextAfter ?? undefined,
  })
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query
  const goesOn = hasNextPage && (data?.pages.length ?? 0) % PAGES_AT_ONCE !== 0
  useEffect(() => {
    if (goesOn && !isFetching && !isError) void fetchNextPage()
  }, [goesOn, isFetching, isError, fetchNextPage])
  const items = useMemo(
    (): readonly Entry[] => data?.pages.flatMap((one) => one.items) ?? [],
    [data],
  )
  return { query, items, folder: data?.pages[0]?.folder, goesOn }
}
