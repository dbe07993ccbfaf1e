import type { StoreEntry } from '@lodge/shared/plugins/plugin.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
import { sourceOf } from './looks.ts'
import { t } from './words.ts'

interface StoreTableProps {
  entries: readonly StoreEntry[]
  missing: string | undefined
  onInstall: (entry: StoreEntry) => void
}

/** Plugins that can be installed. */
export function StoreTable({ entries, missing, onInstall }: StoreTableProps) {
  return (
    <Table
      label={t.available}
      rows={entries}
      keyOf={({ id }) => id}
      empty={<Empty title={t.nothingAvailable}>{t.nothingAvailableText}</Empty>}
      columns={[
        {
          header: t.name,
          role: 'title',
          cell: ({ name, description }) => (
            <Stack gap={0}>
              <Text strong>{name}</Text>
              <Text small muted>
                {description}
              </Text>
            </Stack>
          ),
        },
        { header: t.source, cell: ({ source }) => sourceOf(source) },
        { header: t.version, tight: true, cell: ({ version }) => version },
        {
          header: t.install,
          role: 'acts',
          cell: (entry) => (
            <Button
              size="small"
              disabledBecause={missing}
              aria-label={t.installOne({ name: entry.name })}
              onClick={() => onInstall(entry)}
            >
              {t.install}
            </Button>
          ),
        },
      ]}
    />
  )
}
