import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../../paths.ts'
import { q } from '../../../../query.ts'
import { LinkButton } from '../../../../ui/buttons/link.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import styles from './overview.module.css'
import { t } from './words.ts'

/** The notes about the server; nothing without any. */
export function NotesCard({ serverId }: { serverId: string }) {
  const params = { id: serverId }
  const { data } = useQuery(q('GET /api/servers/{id}/notes', { params }))
  if (!data || data.text === '') return null
  return (
    <Card
      title={t.notes}
      actions={
        <LinkButton to={paths.serverSettings} params={params} size="small" kind="quiet">
          {t.editNotes}
        </LinkButton>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region is reached by keyboard */}
      <p className={styles.notes} tabIndex={0}>
        {data.text}
      </p>
    </Card>
  )
}
