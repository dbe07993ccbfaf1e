import type { Plugin } from '@lodge/shared/plugins/plugin.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Row, Column as Stack, Text } from '../../ui/page/layout.tsx'
import { lookOf, sourceOf } from './looks.ts'
import { t } from './words.ts'

const columns = (): readonly Column<Plugin>[] => [
  {
    header: t.name,
    role: 'title',
    cell: ({ id, name, description }) => (
      <Stack gap={0}>
        <Link to={paths.plugin} params={{ id }}>
          {name}
        </Link>
        <Text small muted>
          {description}
        </Text>
      </Stack>
    ),
  },
  { header: t.source, cell: ({ source }) => sourceOf(source) },
  { header: t.version, tight: true, cell: ({ version }) => version },
  {
    header: t.status,
    cell: ({ status, updateTo }) => (
      <Row gap={6}>
        <Pill tone={lookOf(status).tone}>{lookOf(status).label()}</Pill>
        {updateTo === null ? null : <Pill tone="info">{t.updateWaits}</Pill>}
      </Row>
    ),
  },
]

/** The installed plugins with their state. */
export function InstalledTable({ plugins }: { plugins: readonly Plugin[] }) {
  return (
    <Table
      label={t.installed}
      rows={plugins}
      columns={columns()}
      keyOf={({ id }) => id}
      empty={<Empty title={t.noPlugins}>{t.noPluginsText}</Empty>}
    />
  )
}
