import type { Reply } from '../../api.ts'

export type Administrator = Reply<'GET /api/team'>['items'][number]
export type TeamAct = 'edit' | 'factors' | 'remove' | 'transfer'
