import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Upload from 'lucide-react/icons/upload'
import type { Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import styles from '../servers/servers.module.css'

type Template = Reply<'GET /api/templates'>['items'][number]

const COLUMNS: readonly Column<Template>[] = [
  {
    header: 'Template',
    role: 'title',
    cell: (template) => (
      <div className={styles.name}>
        <Link to={paths.template} params={{ id: template.id }}>
          {template.name}
        </Link>
        <small className={styles.whole}>{template.description}</small>
      </div>
    ),
  },
  { header: 'Version', cell: (template) => <Pill tone="idle">v{template.version}</Pill> },
  { header: 'Origin', cell: (template) => (template.origin === 'builtin' ? 'Built in' : 'Custom') },
  {
    header: 'Store',
    cell: (template) =>
      template.customerVisible ? <Pill tone="ok">Customers</Pill> : <Pill tone="idle">Hidden</Pill>,
  },
  {
    header: 'Servers',
    right: true,
    cell: (template) => (
      <Row gap={6} end>
        {template.outdatedServers > 0 ? (
          <Pill tone="warn">{template.outdatedServers} outdated</Pill>
        ) : null}
        {template.servers}
      </Row>
    ),
  },
]

/** All templates. */
export default function TemplatesPage() {
  const may = useMay()
  const templates = useQuery(q('GET /api/templates', { query: { limit: 100 } }))
  const add = may('templates.manage') ? (
    <LinkButton to={paths.newTemplate} kind="primary" icon={<Upload />}>
      Import template
    </LinkButton>
  ) : undefined
  return (
    <Page
      title="Templates"
      actions={add}
      lead="A template says what a server runs, how it is installed and what can be set."
    >
      <Card flush>
        <Loaded query={templates}>
          {({ items }) => (
            <Table
              label="Templates"
              rows={items}
              columns={COLUMNS}
              keyOf={(template) => template.id}
              empty={
                <Empty title="No templates yet" action={add}>
                  Import one from a file, or paste a document.
                </Empty>
              }
            />
          )}
        </Loaded>
      </Card>
    </Page>
  )
}
