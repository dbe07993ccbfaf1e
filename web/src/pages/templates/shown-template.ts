import type { Reply } from '../../api.ts'

/** A template with its newest document, as its page shows it. */
export type ShownTemplate = Reply<'GET /api/templates/{id}'>
