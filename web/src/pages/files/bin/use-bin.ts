import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { BIN } from '../use-listing.ts'

const PAGE = 200

/** The deleted files of a server, page by page. */
export function useBin(serverId: string, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: [BIN, { params: { id: serverId } }],
    queryFn: ({ pageParam }) =>
      api(BIN, {
        params: { id: serverId },
        query: { limit: PAGE, ...(pageParam === undefined ? {} : { after: pageParam }) },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextAfter }) => nextAfter ?? undefined,
    enabled,
  })
}
