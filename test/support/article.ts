import type { Lodge } from './stack.ts'

/** Creates a public help article. Returns its slug. */
export async function articleOf(lodge: Lodge): Promise<string> {
  const { rows } = await lodge.database.pool.query<{ slug: string }>(
    `insert into support_articles
       (id, slug, locale, title, body, plain, keywords, visibility, status, position, language, words)
     values (gen_random_uuid(), 'a-' || gen_random_uuid(), 'en', 'Title', 'Text', 'Text', '[]',
       'public', 'published', 0, 'english', '') returning slug`,
  )
  if (!rows[0]) throw new Error('no article was written')
  return rows[0].slug
}
