import { useQuery } from '@tanstack/react-query'
import { saidReason } from '../../../../panel/said.ts'
import { q } from '../../../../query.ts'
import { Note } from '../../../../ui/notices/note.tsx'
import { useServer } from '../use-server.ts'
import { t } from './words.ts'

const MOVES: readonly string[] = ['server.migrate', 'vm.migrate']
const LOST: readonly (string | undefined)[] = ['target_lost', 'target_silent', 'place_lost']

/** Shows that the latest move was given up because its target was lost or silent, and what to do. */
export function LastMove() {
  const { id: serverId } = useServer()
  const { data } = useQuery(q('GET /api/jobs', { query: { serverId, limit: 25 } }))
  const last = data?.items.find(({ kind }) => MOVES.includes(kind))
  if (!last?.failure || !LOST.includes(last.failure.code)) return null
  return (
    <Note tone="warn" title={t.givenUp}>
      {saidReason(last.failure.detail)}.
    </Note>
  )
}
