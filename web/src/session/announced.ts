import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'
import { brand, hasStatusPage } from '../brand.ts'
import { q } from '../query.ts'

const announcement = q('GET /api/branding/announcement')
const announced = ['announced']

/** Asks for the host's announcement anew, and from now on. */
export const askForAnnouncement = (client: QueryClient): void => {
  client.setQueryData(announced, true)
  void client.invalidateQueries({ queryKey: announcement.queryKey })
}

/**
 * Whether the host may have announced something: only a look of their own and a status page have
 * announcements, and the page came with them, or has heard of one since.
 */
export const useAnnounced = (): boolean =>
  useQuery({
    queryKey: announced,
    queryFn: skipToken,
    initialData: brand !== undefined || hasStatusPage,
    staleTime: Number.POSITIVE_INFINITY,
  }).data === true
