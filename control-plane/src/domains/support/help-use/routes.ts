import { ArticleLocale, MissedSearch } from '@lodge/shared/support/articles.ts'
import { z } from 'zod'
import { post } from '../../../http/endpoint.ts'
import { supportBudgets } from '../budgets.ts'
import { noteMissed, noteRead } from './help-use.ts'

export const noteArticleRead = post('/api/support/public/{slug}/read', {
  summary: 'Count that somebody reads a help article; who it is is not kept',
  access: { who: 'anyone', throttle: supportBudgets.helpCounted },
  query: z.object({ locale: ArticleLocale.optional() }),
  recorded: false,
  handle: ({ ctx, params, query }) => noteRead(ctx, params.slug, query.locale),
})

export const noteMissedSearch = post('/api/support/public/nothing-found', {
  summary: 'Count a search of the help center that finds nothing; who searched is not kept',
  access: { who: 'anyone', throttle: supportBudgets.helpCounted },
  body: MissedSearch,
  recorded: false,
  handle: ({ ctx, body }) => noteMissed(ctx, body.q, body.locale),
})
