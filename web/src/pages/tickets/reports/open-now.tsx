import type { Report } from '@lodge/shared/support/reports.ts'
import { numberText } from '../../../ui/data/numbers.ts'
import { Card, Facts } from '../../../ui/page/card.tsx'
import { Grid } from '../../../ui/page/layout.tsx'
import { t as parts } from '../parts/words.ts'
import { t } from './words.ts'

/** The text of an age range, in days. */
const ageText = (
  { belowDays }: Report['open']['byAge'][number],
  atLeast: number | null | undefined,
): string => {
  if (belowDays === null) return t.olderThan({ days: atLeast ?? 0 })
  return atLeast ? t.ageBetween({ from: atLeast, to: belowDays }) : t.ageBelow({ days: belowDays })
}

/** The tickets open now, independent of the report's range. */
export const OpenNow = ({ open: { byStatus, byAge } }: { open: Report['open'] }) => (
  <Grid least={280}>
    <Card title={t.openByStatus}>
      <Facts
        rows={byStatus.map(({ status, count }) => [parts.status({ status }), numberText(count)])}
      />
    </Card>
    <Card title={t.openByAge}>
      <Facts
        rows={byAge.map((age, at) => [
          ageText(age, byAge[at - 1]?.belowDays),
          numberText(age.count),
        ])}
      />
    </Card>
  </Grid>
)
