import type { RevenuePeriod } from '@lodge/shared/billing/revenue.ts'
import { GroupedBars } from '../../../ui/charts/grouped-bars.tsx'
import { t } from './words.ts'

const MOST_IN_FULL = 24

const gainedIn = ({ recurring: { new: fresh, reactivated, expansion } }: RevenuePeriod) =>
  fresh + reactivated + expansion
const lostIn = ({ recurring: { contraction, churned } }: RevenuePeriod) => contraction + churned

/** What each period ended with as a bar, before what it gained and what it lost; the table says the same. */
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
