import { Meter } from '../../ui/data/meter.tsx'
import { t } from './words.ts'

const LEAST = 12
const GOOD = 20

/** The length of a password: 12 characters are required, more is better. */
export function PasswordMeter({ password }: { password: string }) {
  const length = [...password].length
  const text =
    length < LEAST
      ? t.tooShort({ length, least: LEAST })
      : length < GOOD
        ? t.longEnough
        : t.veryGood
  return (
    <Meter label={t.length} value={Math.min(length, GOOD - 2.1)} of={GOOD} text={text} compact />
  )
}
