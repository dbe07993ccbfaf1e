import type { ReportTime } from '@lodge/shared/support/reports.ts'
import { GroupedBars } from '../../../ui/charts/grouped-bars.tsx'
import { t } from './words.ts'

/** New and solved tickets side by side for each day or week; the table below has the same figures. */
export function Bars({ times }: { times: readonly ReportTime[] }) {
  return (
    <GroupedBars
      rows={times}
      keyOf={({ from }) => from}
      heightPx={120}
      series={[
        { name: t.created, colour: 1, read: ({ created }) => created },
        { name: t.solved, colour: 2, read: ({ solved }) => solved },
      ]}
    />
  )
}
