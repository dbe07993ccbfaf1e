import { MOST_ARTICLES } from '@lodge/shared/support/articles.ts'
import { sql } from 'drizzle-orm'
import { defineCap } from '../../../db/cap.ts'
import { supportArticles } from './tables.ts'

export const articleCap = defineCap({
  name: 'articles',
  most: MOST_ARTICLES,
  present: () => sql`select from ${supportArticles}`,
  refusal: `There are already ${MOST_ARTICLES} help articles: delete some first`,
})
