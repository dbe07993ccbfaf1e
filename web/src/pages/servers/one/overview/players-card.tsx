import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../query.ts'
import { Ago } from '../../../../ui/data/time.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column, Text } from '../../../../ui/page/layout.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import { isOld, playersSentence } from './player-words.ts'
import { t } from './words.ts'

/** Who is playing, if the game can be queried. */
export function PlayersCard({ server }: { server: Server }) {
  const { data } = useQuery(q('GET /api/servers/{id}/players', { params: { id: server.id } }))
  if (!data?.asked || server.status !== 'running') return null
  const { at } = data
  return (
    <Card title={t.players}>
      <Column gap={8}>
        <Text>{playersSentence(data)}</Text>
        {data.names.length > 0 ? <Text small>{data.names.join(', ')}</Text> : null}
        {at !== null && isOld(at, server.usage?.at) ? (
          <Text small muted>
            {rich(t.notAnswering({ when: () => <Ago at={at} /> }))}
          </Text>
        ) : null}
      </Column>
    </Card>
  )
}
