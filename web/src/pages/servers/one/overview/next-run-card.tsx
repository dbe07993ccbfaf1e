import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../../paths.ts'
import { q } from '../../../../query.ts'
import { LinkButton } from '../../../../ui/buttons/link.tsx'
import { Ago } from '../../../../ui/data/time.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import { t } from './words.ts'

/** The server's next scheduled run; nothing if there is none, or it may not be seen. */
export function NextRunCard({ serverId }: { serverId: string }) {
  const params = { id: serverId }
  const { data } = useQuery(q('GET /api/servers/{id}/schedules', { params }))
  const [next] = (data?.items ?? [])
    .flatMap(({ name, nextRunAt }) => (nextRunAt === null ? [] : [{ name, at: nextRunAt }]))
    .toSorted((one, other) => one.at.localeCompare(other.at))
  if (next === undefined) return null
  const when = () => <Ago at={next.at} />
  return (
    <Card
      title={t.nextRunTitle}
      actions={
        <LinkButton to={paths.serverSchedules} params={params} size="small" kind="quiet">
          {t.openSchedules}
        </LinkButton>
      }
    >
      <Text small>
        {next.name === null
          ? rich(t.nextRunUnnamed({ when }))
          : rich(t.nextRun({ name: next.name, when }))}
      </Text>
    </Card>
  )
}
