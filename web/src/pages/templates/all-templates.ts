import type { Reply } from '../../api.ts'
import { qAll } from '../../query.ts'

export type ListedTemplate = Reply<'GET /api/templates'>['items'][number]

/**
 * Every template: the gallery searches and groups all of them, and a host has some hundred at most.
 */
export const allTemplates = qAll('GET /api/templates')
