import type { QueryClient } from '@tanstack/react-query'
import type { Found } from '../../panel/define-pages.ts'
import { paths } from '../../paths.ts'
import { mayIn } from '../../session/session.ts'
import { allTemplates } from './all-templates.ts'
import { names } from './names.ts'

/** Finds templates by name. */
export default async function findTemplates(
  client: QueryClient,
  text: string,
): Promise<readonly Found[]> {
  if (text.trim() === '' || !mayIn(client, 'templates.view')) return []
  const { items } = await client.fetchQuery(allTemplates)
  return items.map(({ id, name }) => ({
    id,
    group: names.templates,
    label: name,
    to: paths.template,
    params: { id },
  }))
}
