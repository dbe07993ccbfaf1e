import type { Reply } from '../../api.ts'
import { qAll } from '../../query.ts'

export type ListedTemplate = Reply<'GET /api/templates'>['items'][number]

/** Every template: a gallery is searched and grouped as a whole, and a host has some hundred at most. */
export const allTemplates = qAll('GET /api/templates')
