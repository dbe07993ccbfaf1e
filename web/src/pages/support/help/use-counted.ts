import { useEffect, useRef } from 'react'
import { api } from '../../../api.ts'
import { useMaybeMe } from '../../../session/session.ts'
import { readIn } from './articles-query.ts'

/** How long an empty result must be shown before it counts: the person may still be typing. */
const LOOKED_MS = 1500

/** Whether this person is counted: neither staff nor administrators viewing as a customer. */
function useIsCounted(): boolean {
  const me = useMaybeMe()
  return me === null || (me?.role === 'customer' && me.viewing === null)
}

/** Counts a read of an article once it is shown; a failure is ignored. */
export function useCountedRead(slug: string, locale: string | undefined): void {
  const isCounted = useIsCounted()
  useEffect(() => {
    if (!isCounted || locale === undefined) return
    const about = { params: { slug }, query: { locale } }
    api('POST /api/support/public/{slug}/read', about).catch(() => undefined)
  }, [isCounted, slug, locale])
}

/** Counts a search without results, each once while the page is open. */
export function useCountedMiss(words: string, hasNothing: boolean): void {
  const isCounted = useIsCounted()
  const counted = useRef(new Set<string>())
  useEffect(() => {
    if (!isCounted || !hasNothing || words === '') return
    const timer = setTimeout(() => {
      if (counted.current.has(words)) return
      counted.current.add(words)
      const body = { q: words.slice(0, 200), locale: readIn(undefined) }
      api('POST /api/support/public/nothing-found', { body }).catch(() => undefined)
    }, LOOKED_MS)
    return () => clearTimeout(timer)
  }, [isCounted, hasNothing, words])
}
