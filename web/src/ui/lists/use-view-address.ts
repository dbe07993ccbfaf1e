import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { given } from '../../routes/search.ts'
import type { ViewChange } from '../data/list-toolbar.tsx'

/** Filter and order of the list on this page, stored in its URL; another one begins on the first page. */
export function useViewAddress() {
  const { q: filter = '', sort }: ViewChange = useSearch({ strict: false })
  const navigate = useNavigate()
  const onShow = useCallback(
    (change: ViewChange) =>
      void navigate({
        to: '.',
        search: ({ after: _, ...old }: ViewChange & { readonly after?: string }) =>
          given({ ...old, ...change }),
        replace: true,
      } as Parameters<typeof navigate>[0]),
    [navigate],
  )
  return { filter, sort, onShow }
}
