import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import styles from '../servers/servers.module.css'

export type MailTemplate = Reply<'GET /api/email/templates'>['items'][number]

const COLUMNS: readonly Column<MailTemplate>[] = [
  {
    header: 'Mail',
    role: 'title',
    cell: (template) => (
      <div className={styles.name}>
        <Link to={paths.emailTemplate} params={{ template: template.id }}>
          {template.title}
        </Link>
        <small>{template.subject}</small>
      </div>
    ),
  },
  {
    header: 'State',
    cell: ({ enabled, mandatory }) => (
      <Row gap={6}>
        <Pill tone={enabled ? 'ok' : 'idle'}>{enabled ? 'On' : 'Off'}</Pill>
        {mandatory ? (
          <Text small muted>
            always
          </Text>
        ) : null}
      </Row>
    ),
  },
  {
    header: 'Wording',
    cell: ({ edited }) => (edited ? <Pill tone="info">Own</Pill> : <Text muted>built in</Text>),
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
            label="Mail templates"
            rows={items}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            empty={null}
          />
        )}
      </Loaded>
    </Card>
  )
}
