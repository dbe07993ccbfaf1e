import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api } from '../../../../api.ts'
import { q } from '../../../../query.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column, Row, Split, Text } from '../../../../ui/page/layout.tsx'
import { useServer } from '../use-server.ts'
import { CrashTimeline } from './crash-timeline.tsx'
import { usedWords } from './crash-words.ts'
import { PolicyForm } from './policy-form.tsx'
import { t } from './words.ts'

const EVENTS = 'GET /api/servers/{id}/events'

/** The crash policy and the crash history. */
export default function CrashesTab() {
  const server = useServer()
  const params = { id: server.id }
  const policy = useQuery(q('GET /api/servers/{id}/crash-policy', { params }))
  const events = useInfiniteQuery({
    queryKey: [EVENTS, { params }, 'pages'],
    queryFn: ({ pageParam }) =>
      api(EVENTS, {
        params,
        query: { limit: 50, ...(pageParam === '' ? {} : { after: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  return (
    <Split side={380}>
      <Column>
        <Card title={t.history} flush>
          <Loaded query={events}>
            {({ pages }) => <CrashTimeline events={pages.flatMap(({ items }) => items)} />}
          </Loaded>
        </Card>
        {events.hasNextPage ? (
          <Row>
            <Button busy={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
              {t.olderEvents}
            </Button>
          </Row>
        ) : null}
      </Column>
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
