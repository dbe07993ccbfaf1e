import { queryOptions } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'

export type ListedTemplate = Reply<'GET /api/templates'>['items'][number]

const LIST = 'GET /api/templates'

/** Every template: a gallery is searched and grouped as a whole, and a host has some hundred at most. */
export const allTemplates = queryOptions({
  queryKey: [LIST, 'all'] as const,
  async queryFn() {
    const items: ListedTemplate[] = []
    let after: string | null | undefined
    do {
      const page = await api(LIST, { query: { limit: 100, ...(after ? { after } : {}) } })
      items.push(...page.items)
      after = page.nextCursor
    } while (after)
    return { items }
  },
})
