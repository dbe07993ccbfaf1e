import type { RevenuePeriod } from '@lodge/shared/billing/revenue.ts'
import { GroupedBars } from '../../../ui/charts/grouped-bars.tsx'
import { t } from './words.ts'

const MOST_IN_FULL = 24

const gainedIn = ({ recurring: { new: fresh, reactivated, expansion } }: RevenuePeriod) =>
  fresh + reactivated + expansion
const lostIn = ({ recurring: { contraction, churned } }: RevenuePeriod) => contraction + churned

/** Bars for what each period ended with, gained and lost; the table has the same figures. */
export function MovementBars({ periods }: { periods: readonly RevenuePeriod[] }) {
  return (
    <GroupedBars
      rows={periods}
      keyOf={({ from }) => from}
      heightPx={140}
      series={[
        { name: t.end, colour: 1, read: ({ recurring }) => recurring.end },
        { name: t.gained, colour: 3, read: gainedIn },
        { name: t.lost, colour: 2, read: lostIn },
      ]}
      mostInFull={MOST_IN_FULL}
    />
  )
}
