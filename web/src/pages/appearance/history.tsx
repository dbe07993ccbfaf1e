import type { AdminBranding } from '@lodge/shared/branding.ts'
import { useState } from 'react'
import { api } from '../../api.ts'
import { useRefresh } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
import { labelOf } from './labels.ts'
import { t } from './words.ts'

type Version = AdminBranding['history'][number]

/** The saved looks, each of which can be restored. */
export function History({ history, present }: { history: readonly Version[]; present: number }) {
  const [chosen, setChosen] = useState<Version>()
  const refresh = useRefresh()
  const revision = chosen?.revision ?? 0
  const restore = async () => {
    if (!chosen) return
    await api('POST /api/branding/history/{id}/restore', { params: { id: chosen.id } })
    await refresh(['GET /api/branding/admin'])
    toastDone(t.restored({ revision }))
  }
  return (
    <Card title={t.history} flush>
      <Table
        label={t.history}
        rows={history}
        columns={columns(present, setChosen)}
        keyOf={({ id }) => id}
        empty={
          <Empty title={t.historyEmpty} art="copies">
            {t.historyEmptyText}
          </Empty>
        }
      />
      <ConfirmDialog
        opened={chosen !== undefined}
        onClose={() => setChosen(undefined)}
        title={t.restoreTitle({ revision })}
        verb={t.restore}
        kind="primary"
        onConfirm={restore}
      >
        {t.restoreText({ revision })}
      </ConfirmDialog>
    </Card>
  )
}

const columns = (
  present: number,
  onRestore: (version: Version) => void,
): readonly Column<Version>[] => [
  {
    header: t.version,
    role: 'title',
    cell: ({ revision, reason }) => (
      <Stack gap={2}>
        <Text strong>{revision}</Text>
        {reason === '' ? null : (
          <Text small muted>
            {reason}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    header: t.changed,
    card: 'foot',
    cell: ({ changed }) => changed.map((name) => partOf(name)).join(', '),
  },
  { header: t.by, secondary: true, cell: ({ author }) => author },
  { header: t.when, card: 'head', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    header: t.restore,
    right: true,
    card: 'foot',
    cell: (version) =>
      version.revision === present ? null : (
        <Button size="small" onClick={() => onRestore(version)}>
          {t.restore}
        </Button>
      ),
  },
]

/** The name of a part of the document on this page. */
const partOf = (name: string): string =>
  ({ colors: t.colours, login: t.login, legal: t.legal, announcement: t.announcement })[name] ??
  labelOf(name)
