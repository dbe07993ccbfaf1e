import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'
import { hasPluginPages } from '../brand.ts'

const some = ['plugin-pages']

/** Fetches the list of plugin pages again, and keeps it up to date from now on. */
export const askForPluginPages = (client: QueryClient): void => {
  client.setQueryData(some, true)
  void client.invalidateQueries({ queryKey: ['GET /api/plugin-pages'] })
}

/** Whether some plugin has pages, outside React. */
export const arePluginPages = (client: QueryClient): boolean =>
  client.getQueryData(some) ?? hasPluginPages

/** Whether any plugin has pages: the page is marked so, or has heard of one since. */
export const useSomePluginPages = (): boolean =>
  useQuery({
    queryKey: some,
    queryFn: skipToken,
    initialData: hasPluginPages,
    staleTime: Number.POSITIVE_INFINITY,
  }).data === true
