import type { BusinessHours } from '@lodge/shared/support/hours/business-hours.ts'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import styles from './hours.module.css'
import { Intervals } from './intervals.tsx'
import { t } from './words.ts'

export type Holiday = BusinessHours['holidays'][number]

interface HolidaysProps {
  value: readonly Holiday[]
  errors: Readonly<Record<string, string>>
  onChange: (value: Holiday[]) => void
}

/** Days with other hours than usual. */
export function Holidays({ value, errors, onChange }: HolidaysProps) {
  const change = (at: number, part: Partial<Holiday>): void =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <div>
      {value.map(({ date, name, intervals }, at) => {
        const number = at + 1
        return (
          <div key={at} className={styles.holiday}>
            <div className={styles.what}>
              <TextField
                bare
                mono
                label={t.date({ number })}
                placeholder="2026-12-24"
                autoComplete="off"
                value={date}
                error={errors[`holidays/${at}/date`] ?? (at === 0 ? errors.holidays : undefined)}
                onChange={(next) => change(at, { date: next.trim() })}
              />
              <TextField
                bare
                label={t.name({ number })}
                placeholder={t.namePlaceholder}
                autoComplete="off"
                value={name}
                error={errors[`holidays/${at}/name`]}
                onChange={(next) => change(at, { name: next })}
              />
              <IconButton
                label={t.removeHoliday({ number })}
                size="small"
                onClick={() => onChange(value.toSpliced(at, 1))}
              >
                <Trash2 />
              </IconButton>
            </div>
            <Intervals
              day={t.holiday({ number })}
              pointer={`holidays/${at}/intervals`}
              value={intervals}
              errors={errors}
              onChange={(next) => change(at, { intervals: next })}
            />
          </div>
        )
      })}
      <Button
        size="small"
        icon={<Plus />}
        onClick={() => onChange([...value, { date: '', name: '', intervals: [] }])}
      >
        {t.addHoliday}
      </Button>
    </div>
  )
}
