import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../query.ts'
import { Ago } from '../../../../ui/data/time.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column, Text } from '../../../../ui/page/layout.tsx'
import { isOld, playersSentence } from './player-words.ts'

/** Who is playing, if the game can be queried. */
export function PlayersCard({ server }: { server: Server }) {
  const { data } = useQuery(q('GET /api/servers/{id}/players', { params: { id: server.id } }))
  if (!data?.asked || server.status !== 'running') return null
  return (
    <Card title="Players">
      <Column gap={8}>
        <Text>{playersSentence(data)}</Text>
        {data.names.length > 0 ? <Text small>{data.names.join(', ')}</Text> : null}
        {data.at !== null && isOld(data.at, server.usage?.at) ? (
          <Text small muted>
            The game does not answer now. This is from <Ago at={data.at} />.
          </Text>
        ) : null}
      </Column>
    </Card>
  )
}
