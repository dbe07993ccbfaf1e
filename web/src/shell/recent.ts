import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { entryAt } from '../panel/entry-at.ts'
import { usePanel } from '../panel/use-panel.ts'
import { keepVisit } from '../session/recent-visits.ts'
import { useMe } from '../session/session.ts'
import { useTitles } from '../ui/page/titles.ts'

/** Remembers pages about one thing, such as a server or a node, under the name they give themselves. */
export function useRecentVisits(): void {
  const { navigation } = usePanel()
  const { id, viewing } = useMe()
  const { name, path } = useTitles()
  const aboutOne = useRouterState({
    select: ({ matches }) => matches.some(({ params }) => 'id' in (params as object)),
  })
  useEffect(() => {
    const kind = entryAt(navigation, path)?.label
    if (!aboutOne || viewing !== null || name === '' || kind === undefined) return
    if (path === location.pathname) keepVisit(id, { path, label: name, kind })
  }, [aboutOne, id, viewing, name, path, navigation])
}
