import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'
import { brand, hasStatusPage } from '../brand.ts'
import { q } from '../query.ts'

const announcement = q('GET /api/branding/announcement')
const announced = ['announced']

/** Fetches the host's announcement again, and keeps it up to date from now on. */
export const askForAnnouncement = (client: QueryClient): void => {
  client.setQueryData(announced, true)
  void client.invalidateQueries({ queryKey: announcement.queryKey })
}

/**
 * Whether the host may have announced something: announcements need a custom look or a status page,
 * which the page is marked with or has heard of since.
 */
export const useAnnounced = (): boolean =>
  useQuery({
    queryKey: announced,
    queryFn: skipToken,
    initialData: brand !== undefined || hasStatusPage,
    staleTime: Number.POSITIVE_INFINITY,
  }).data === true
