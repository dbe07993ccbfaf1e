import { useEffect, useRef } from 'react'
import { api } from '../../../api.ts'
import { useMaybeMe } from '../../../session/session.ts'
import { readIn } from './articles-query.ts'

/** How long somebody looks at an empty list before it counts: until then they may still be typing. */
const LOOKED_MS = 1500

/** Whether the host counts what this person does: neither the staff nor who views as a customer. */
function useIsCounted(): boolean {
  const me = useMaybeMe()
  return me === null || (me?.role === 'customer' && me.viewing === null)
}

/** Counts that an article is read, once it is shown; nothing depends on whether that succeeds. */
export function useCountedRead(slug: string, locale: string | undefined): void {
  const isCounted = useIsCounted()
  useEffect(() => {
    if (!isCounted || locale === undefined) return
    const about = { params: { slug }, query: { locale } }
    api('POST /api/support/public/{slug}/read', about).catch(() => undefined)
  }, [isCounted, slug, locale])
}

/** Counts a search that found nothing, each once while the page is open. */
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
