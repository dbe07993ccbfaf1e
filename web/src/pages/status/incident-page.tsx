import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { StatusIncident } from '@lodge/shared/status.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Column, Split } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { IncidentActions } from './incident-actions.tsx'
import { StatePill } from './looks.tsx'
import { PostUpdate } from './post-update.tsx'
import { UpdateList } from './update-list.tsx'
import { t } from './words.ts'

/** One incident or maintenance with its updates. */
export default function IncidentPage() {
  const { id } = useParams({ from: '/in/admin/status/incidents/$id' })
  const incident = useQuery(q('GET /api/status/incidents/{id}', { params: { id } }))
  return <Loaded query={incident}>{(found) => <Incident incident={found} />}</Loaded>
}

function Incident({ incident }: { incident: StatusIncident }) {
  const may = useMay()('status.manage')
  return (
    <Page
      title={incident.title}
      crumbs={<Link to={paths.statusIncidents}>{t.title}</Link>}
      actions={may ? <IncidentActions incident={incident} /> : undefined}
    >
      <Split>
        <Column>
          {may ? <PostUpdate incident={incident} /> : null}
          <Card title={t.updates}>
            <UpdateList incident={incident} may={may} />
          </Card>
        </Column>
        <AtAGlance incident={incident} />
      </Split>
    </Page>
  )
}

function AtAGlance({ incident }: { incident: StatusIncident }) {
  const { id, state, impact, publishedAt, startsAt, endsAt, announced, componentIds } = incident
  const components = useQuery(q('GET /api/status/components'))
  const affected = (components.data?.items ?? []).filter((one) => componentIds.includes(one.id))
  return (
    <Card title={t.facts}>
      <Facts
        rows={[
          [
            t.state,
            publishedAt === null ? <Pill tone="pend">{t.draft}</Pill> : <StatePill state={state} />,
          ],
          [t.impact, impact === null ? t.maintenance : t.impactOf({ impact })],
          [
            t.affected,
            affected.length === 0 ? t.nobodyAffected : affected.map(({ name }) => name).join(', '),
          ],
          [t.begins, <Ago key="begins" at={startsAt} />],
          ...(endsAt === null ? [] : [[t.ends, <Ago key="ends" at={endsAt} />] as const]),
          [t.announced, announced ? t.yes : t.no],
        ]}
      />
      {publishedAt === null ? null : (
        <p>
          <a href={panelPath('statusEntry', { id })} target="_blank" rel="noreferrer">
            {t.seeOnPage}
          </a>
        </p>
      )}
    </Card>
  )
}
