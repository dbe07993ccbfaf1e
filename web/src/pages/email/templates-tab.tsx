import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Reply } from '../../api.ts'
import { said } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import styles from '../servers/servers.module.css'
import { t } from './words.ts'

export type MailTemplate = Reply<'GET /api/email/templates'>['items'][number]

const columns = (): readonly Column<MailTemplate>[] => [
  {
    header: t.mail,
    role: 'title',
    cell: (template) => (
      <div className={styles.name}>
        <Link to={paths.emailTemplate} params={{ template: template.id }} data-opens>
          {said(template.title)}
        </Link>
        <small>{template.subject}</small>
      </div>
    ),
  },
  {
    header: t.state,
    cell: ({ enabled, mandatory }) => (
      <Row gap={6}>
        <Pill tone={enabled ? 'ok' : 'idle'}>{enabled ? t.on : t.off}</Pill>
        {mandatory ? (
          <Text small muted>
            {t.always}
          </Text>
        ) : null}
      </Row>
    ),
  },
  {
    header: t.wording,
    cell: ({ edited }) =>
      edited ? <Pill tone="info">{t.own}</Pill> : <Text muted>{t.builtIn}</Text>,
  },
]

/** All mail templates. */
export default function TemplatesTab() {
  const templates = useQuery(q('GET /api/email/templates'))
  return (
    <Card flush>
      <Loaded query={templates} lines={10}>
        {({ items }) => (
          <Table
            label={t.templates}
            rows={items}
            columns={columns()}
            keyOf={({ id }) => id}
            empty={null}
          />
        )}
      </Loaded>
    </Card>
  )
}
