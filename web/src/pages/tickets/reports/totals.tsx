import type { Durations, Report } from '@lodge/shared/support/reports.ts'
import { numberText } from '../../../ui/data/numbers.ts'
import { Figure } from '../../../ui/page/card.tsx'
import { Column, Grid } from '../../../ui/page/layout.tsx'
import { goalsOf, goalsText, minutesText, ratingText } from './figure-columns.tsx'
import { t } from './words.ts'

const percentText = (percent: number | null): string =>
  percent === null ? t.none : t.percent({ percent: numberText(percent) })

const repliesText = (replies: number | null): string =>
  replies === null ? t.none : numberText(replies, { maximumFractionDigits: 1 })

const Took = ({ name, taken }: { name: string; taken: Durations }) => (
  <Figure
    name={name}
    value={minutesText(taken.business.medianMinutes)}
    note={
      taken.count === 0
        ? undefined
        : t.took({
            most: minutesText(taken.business.p90Minutes),
            real: minutesText(taken.wall.medianMinutes),
          })
    }
  />
)

/** The figures of the whole range. */
export function Totals({ report: { total, open } }: { report: Report }) {
  const { met, all } = goalsOf(total)
  return (
    <Column gap={12}>
      <Grid least={150}>
        <Figure name={t.created} value={total.created} note={t.openNow({ count: open.total })} />
        <Figure name={t.solved} value={total.solved} />
        <Took name={t.firstResponse} taken={total.firstResponse} />
        <Took name={t.resolution} taken={total.resolution} />
      </Grid>
      <Grid least={150}>
        <Figure
          name={t.goals}
          value={goalsText(total)}
          note={all === 0 ? undefined : t.goalsMissed({ count: all - met })}
        />
        <Figure
          name={t.rating}
          value={ratingText(total)}
          note={t.rated({ count: total.ratings.count })}
        />
        <Figure
          name={t.oneTouch}
          value={percentText(total.oneTouchPercent)}
          note={t.oneTouchOf({ count: total.solved })}
        />
        <Figure name={t.replies} value={repliesText(total.repliesPerTicket)} />
      </Grid>
    </Column>
  )
}
