import type { DeskArrangement } from '@lodge/shared/support/desk.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../query.ts'

type Desk = Pick<DeskArrangement, 'categories' | 'groups' | 'agents'>

const NOTHING: Desk = { categories: [], groups: [], agents: [] }

/** The configuration of the desk: the choices for a ticket. */
export const useDesk = (): Desk => useQuery(q('GET /api/support/settings')).data ?? NOTHING
