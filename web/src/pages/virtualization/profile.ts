import type { Reply } from '../../api.ts'

/** One hardware profile of the catalogue. */
export type Profile = Reply<'GET /api/virtualization/catalogue'>['profiles'][number]
