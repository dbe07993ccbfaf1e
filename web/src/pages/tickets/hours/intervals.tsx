import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import styles from './hours.module.css'
import { t } from './words.ts'

export type Interval = [string, string]

interface IntervalsProps {
  /** The name of their day, for screen readers. */
  day: string
  /** Their JSON pointer in the request, e.g. `week/mon`. */
  pointer: string
  value: readonly Interval[]
  errors: Readonly<Record<string, string>>
  onChange: (value: Interval[]) => void
}

/** The default hours of a day, or those that follow its last ones. */
const next = (value: readonly Interval[]): Interval => {
  const last = value.at(-1)?.[1]
  return last === undefined ? ['09:00', '17:00'] : [last, last < '18:00' ? '18:00' : '24:00']
}

/** The hours of one day, any number of them. */
export function Intervals({ day, pointer, value, errors, onChange }: IntervalsProps) {
  return (
    <div className={styles.intervals}>
      {value.length === 0 ? <p className={styles.closed}>{t.closed}</p> : null}
      {value.map(([opens, closes], at) => {
        const number = at + 1
        const whole = errors[`${pointer}/${at}`] ?? (at === 0 ? errors[pointer] : undefined)
        return (
          <div key={at} className={styles.interval}>
            <TextField
              bare
              mono
              label={t.opens({ day, number })}
              autoComplete="off"
              value={opens}
              error={errors[`${pointer}/${at}/0`] ?? whole}
              onChange={(text) => onChange(value.with(at, [text, closes]))}
            />
            <span className={styles.to} aria-hidden>
              –
            </span>
            <TextField
              bare
              mono
              label={t.closes({ day, number })}
              autoComplete="off"
              value={closes}
              error={errors[`${pointer}/${at}/1`]}
              onChange={(text) => onChange(value.with(at, [opens, text]))}
            />
            <IconButton
              label={t.removeHours({ day, number })}
              size="small"
              onClick={() => onChange(value.toSpliced(at, 1))}
            >
              <X />
            </IconButton>
          </div>
        )
      })}
      <Button
        size="small"
        icon={<Plus />}
        aria-label={t.addHoursTo({ day })}
        onClick={() => onChange([...value, next(value)])}
      >
        {t.addHours}
      </Button>
    </div>
  )
}
