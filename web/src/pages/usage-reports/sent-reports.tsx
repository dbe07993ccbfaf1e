import type { UsageStanding } from '@lodge/shared/usage-reports.ts'
import { useState } from 'react'
import { saidReason } from '../../panel/said.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CommandBox } from '../../ui/data/copy.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

type Sent = UsageStanding['reports'][number]

/** The last reports with their content. */
export function SentReports({ reports }: { reports: readonly Sent[] }) {
  const [shown, setShown] = useState<Sent>()
  return (
    <>
      <Table
        label={t.sent}
        rows={reports}
        columns={columns(setShown)}
        keyOf={({ id }) => id}
        empty={
          <Empty title={t.none} art="copies">
            {t.noneText}
          </Empty>
        }
      />
      <Dialog title={t.reportOf} opened={shown !== undefined} onClose={() => setShown(undefined)}>
        <CommandBox command={JSON.stringify(shown?.report, null, 2) ?? ''} label={t.copyReport} />
      </Dialog>
    </>
  )
}

const columns = (onShow: (report: Sent) => void): readonly Column<Sent>[] => [
  {
    header: t.created,
    role: 'title',
    cell: ({ createdAt, failure }) => (
      <Stack gap={2}>
        <Text strong>
          <Ago at={createdAt} />
        </Text>
        {failure === null ? null : (
          <Text small muted>
            {saidReason(failure)}
          </Text>
        )}
      </Stack>
    ),
  },
  { header: t.sentState, card: 'head', cell: (report) => <State report={report} /> },
  {
    header: t.contents,
    right: true,
    card: 'foot',
    cell: (report) => (
      <Button size="small" onClick={() => onShow(report)}>
        {t.show}
      </Button>
    ),
  },
]

function State({ report: { state } }: { report: Sent }) {
  if (state === 'sent') return <Pill tone="ok">{t.done}</Pill>
  if (state === 'dropped') return <Pill tone="err">{t.dropped}</Pill>
  return <Pill tone="pend">{t.queued}</Pill>
}
