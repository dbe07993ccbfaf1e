import type { Reply } from '../../api.ts'

/** A template with its newest document. */
export type ShownTemplate = Reply<'GET /api/templates/{id}'>
