import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { LimitTable } from '../limits/limit-table.tsx'

/** The account's limits, their use and their origin. */
export default function LimitsTab() {
  const limits = useQuery(q('GET /api/limits/me'))
  return (
    <Loaded query={limits} lines={8}>
      {(view) =>
        view.enforced ? (
          <>
            {view.overLimit ? (
              <Note tone="warn" title="You are above a limit">
                Nothing is taken away, but nothing new fits until you are below it again.
              </Note>
            ) : null}
            {view.grant.required && !view.grant.granted ? (
              <Note tone="info" title="Creating servers needs a plan">
                The host gives it with a plan, or by hand.
              </Note>
            ) : null}
            <Card title="What you may own" flush>
              <LimitTable view={view} types={['total']} />
            </Card>
            <Card title="What one server may have" flush>
              <LimitTable view={view} types={['each']} />
            </Card>
            <Card title="What you may do" flush>
              <LimitTable view={view} types={['list', 'may']} />
            </Card>
          </>
        ) : (
          <Card title="Limits">
            <Text muted>Nothing is limited for you.</Text>
          </Card>
        )
      }
    </Loaded>
  )
}
