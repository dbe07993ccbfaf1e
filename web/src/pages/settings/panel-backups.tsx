import type { PanelBackup, PanelBackups as Standing } from '@lodge/shared/panel-backups.ts'
import { useQuery } from '@tanstack/react-query'
import DatabaseBackup from 'lucide-react/icons/database-backup'
import { useState } from 'react'
import { why } from '../../panel/said.ts'
import { q, useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CommandBox } from '../../ui/data/copy.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Unknown } from '../../ui/data/unknown.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Column as Stack, Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

/** The backups of the panel itself, and their problems. */
export function PanelBackups({ standing }: { standing: Standing }) {
  const { items, whyNot } = standing
  const make = useAct('POST /api/panel-backups', ['GET /api/panel-backups'])
  const key = useAct('POST /api/panel-backups/recovery-key', ['GET /api/panel-backups'])
  const [shows, setShows] = useState(false)
  const open = useQuery(q('GET /api/jobs', { query: { limit: 25 } }))
  const percentOf = ({ jobId }: PanelBackup) =>
    open.data?.items.find(({ id }) => id === jobId)?.percent ?? null
  const actions = (
    <Row>
      <Button
        size="small"
        busy={key.isPending}
        onClick={() => key.mutate({}, { onSuccess: () => setShows(true) })}
      >
        {t.showRecoveryKey}
      </Button>
      <Button
        kind="primary"
        size="small"
        icon={<DatabaseBackup />}
        busy={make.isPending}
        disabledBecause={why(whyNot)}
        onClick={() => make.mutate({})}
      >
        {t.backUpPanel}
      </Button>
    </Row>
  )
  return (
    <Stack>
      <Notes standing={standing} />
      {make.error ? <ProblemNote error={make.error} /> : null}
      {key.error ? <ProblemNote error={key.error} /> : null}
      <Card title={t.panelBackups} flush actions={actions}>
        <Table
          label={t.panelBackups}
          rows={items}
          columns={columns(percentOf)}
          keyOf={({ id }) => id}
          empty={
            <Empty title={t.noPanelBackups} art="copies">
              {t.noPanelBackupsText}
            </Empty>
          }
        />
      </Card>
      <Dialog title={t.recoveryKey} opened={shows} onClose={() => setShows(false)}>
        <Stack gap={14}>
          <Text>{t.recoveryKeyText}</Text>
          <CommandBox command={key.data?.recoveryKey ?? ''} label={t.copyRecoveryKey} />
          <Row>
            <Button kind="primary" onClick={() => setShows(false)}>
              {t.recoveryKeySaved}
            </Button>
          </Row>
        </Stack>
      </Dialog>
    </Stack>
  )
}

function Notes({ standing: { overdue, recoveryKeyUnseen, items } }: { standing: Standing }) {
  return (
    <>
      {overdue ? (
        <Note tone="err" title={t.panelOverdue} role="status">
          {t.panelOverdueText}
        </Note>
      ) : null}
      {recoveryKeyUnseen && items.length > 0 ? (
        <Note tone="warn" title={t.recoveryKeyUnseen} role="status">
          {t.recoveryKeyUnseenText}
        </Note>
      ) : null}
    </>
  )
}

const columns = (
  percentOf: (backup: PanelBackup) => number | null,
): readonly Column<PanelBackup>[] => [
  {
    header: t.panelBackup,
    role: 'title',
    cell: ({ createdAt, failure, scheduled, address }) => (
      <Stack gap={2}>
        <Text strong>
          <Ago at={createdAt} />
        </Text>
        <Text small muted>
          {why(failure?.detail) ??
            (scheduled ? t.panelByPlan({ address }) : t.panelByHand({ address }))}
        </Text>
      </Stack>
    ),
  },
  {
    header: t.panelState,
    card: 'head',
    cell: (backup) => <StatePill backup={backup} percent={percentOf(backup)} />,
  },
  {
    header: t.panelId,
    secondary: true,
    card: 'none',
    cell: ({ snapshotId }) =>
      snapshotId === null ? (
        <Unknown why={t.panelNoId} />
      ) : (
        <Text mono>{snapshotId.slice(0, 8)}</Text>
      ),
  },
  {
    header: t.panelSize,
    right: true,
    card: 'foot',
    cell: ({ sizeBytes, storedBytes }) =>
      sizeBytes === null ? (
        <Unknown why={t.panelNoSize} />
      ) : (
        <Text
          {...(storedBytes === null
            ? {}
            : { title: t.panelStored({ stored: formatBytes(storedBytes) }) })}
        >
          {formatBytes(sizeBytes)}
        </Text>
      ),
  },
]

function StatePill({ backup, percent }: { backup: PanelBackup; percent: number | null }) {
  if (backup.state === 'good') return <Pill tone="ok">{t.panelGood}</Pill>
  if (backup.state === 'failed') return <Pill tone="err">{t.panelFailed}</Pill>
  return (
    <Pill tone="info">
      {percent === null ? t.panelRuns : t.panelRunsPercent({ percent: Math.round(percent) })}
    </Pill>
  )
}
