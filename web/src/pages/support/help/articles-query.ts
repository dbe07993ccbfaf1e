import type { ArticleSummary } from '@lodge/shared/support/articles.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { q } from '../../../query.ts'
import { useMaybeMe } from '../../../session/session.ts'

/** A language that the API supports; undefined for others that browsers name. */
const known = (locale: string): string | undefined =>
  /^[a-z]{2,3}(-[A-Z][A-Za-z0-9]+)*$/.test(locale) ? locale : undefined

/** The reader's language, unless the URL names one. */
export const readIn = (asked: string | undefined): string | undefined =>
  known(asked ?? '') ?? known(navigator.language)

/** Whether the reader is signed in; undefined until it is known. */
export function useReader(): 'member' | 'visitor' | undefined {
  const me = useMaybeMe()
  return me === undefined ? undefined : me === null ? 'visitor' : 'member'
}

/** The articles that the reader may see, or the matches for a search. */
export const helpQuery = (reader: 'member' | 'visitor' | undefined, words: string) =>
  queryOptions({
    queryKey: ['GET /api/support/articles', reader, words, readIn(undefined)],
    enabled: reader !== undefined,
    queryFn: async (): Promise<ArticleSummary[]> => {
      const key = reader === 'member' ? 'GET /api/support/articles' : 'GET /api/support/public'
      const found: ArticleSummary[] = []
      let after: string | undefined
      do {
        const page = await api(key, {
          query: { q: words, limit: 100, locale: readIn(undefined), after },
        })
        found.push(...page.items)
        after = page.nextCursor ?? undefined
      } while (after !== undefined)
      return found
    },
  })

export const articleQuery = (
  reader: 'member' | 'visitor' | undefined,
  slug: string,
  locale?: string,
) => ({
  ...q(
    reader === 'member' ? 'GET /api/support/articles/{slug}' : 'GET /api/support/public/{slug}',
    { params: { slug }, query: { locale: readIn(locale) } },
  ),
  enabled: reader !== undefined,
})
