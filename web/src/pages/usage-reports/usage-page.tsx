import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { CommandBox } from '../../ui/data/copy.tsx'
import { entryOf } from '../../ui/data/known.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Connection } from './connection.tsx'
import { Notice } from './notice.tsx'
import { Place } from './place.tsx'
import { SentReports } from './sent-reports.tsx'
import { STATES } from './states.ts'
import { t } from './words.ts'

/** Whether this installation reports its usage, to whom, and the exact content. */
export default function UsagePage() {
  const usage = useQuery(q('GET /api/usage'))
  const state =
    usage.data && entryOf(STATES, usage.data.state, (word) => ({ tone: 'idle', label: () => word }))
  return (
    <Page
      title={t.title}
      lead={t.lead}
      {...(state && { actions: <Pill tone={state.tone}>{state.label()}</Pill> })}
    >
      <Loaded query={usage} lines={8}>
        {(standing) => (
          <Column>
            <Card title={t.place}>
              <Place config={standing.config} />
            </Card>
            <Card title={t.notice}>
              <Notice standing={standing} />
            </Card>
            <Card title={t.connection}>
              <Connection standing={standing} />
            </Card>
            <Card title={t.preview}>
              <CommandBox
                command={JSON.stringify(standing.preview, null, 2)}
                label={t.copyReport}
              />
            </Card>
            <Card title={t.sent} flush>
              <SentReports reports={standing.reports} />
            </Card>
          </Column>
        )}
      </Loaded>
    </Page>
  )
}
