import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../query.ts'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column, Split, Text } from '../../../../ui/page/layout.tsx'
import { useServer } from '../use-server.ts'
import { CrashTimeline } from './crash-timeline.tsx'
import { usedWords } from './crash-words.ts'
import { PolicyForm } from './policy-form.tsx'
import { t } from './words.ts'

/** The crash policy and the crash history. */
export default function CrashesTab() {
  const server = useServer()
  const params = { id: server.id }
  const policy = useQuery(q('GET /api/servers/{id}/crash-policy', { params }))
  const events = useQuery(q('GET /api/servers/{id}/events', { params, query: { limit: 50 } }))
  return (
    <Split side={380}>
      <Card title={t.history} flush>
        <Loaded query={events}>{({ items }) => <CrashTimeline events={items} />}</Loaded>
      </Card>
      <Card title={t.crashPolicy}>
        <Loaded query={policy}>
          {(found) => (
            <Column>
              {usedWords(found) === null ? null : <Text>{usedWords(found)}</Text>}
              <PolicyForm serverId={server.id} policy={found} />
            </Column>
          )}
        </Loaded>
      </Card>
    </Split>
  )
}
