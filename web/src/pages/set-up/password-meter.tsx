import { Meter } from '../../ui/data/meter.tsx'

const LEAST = 12
const GOOD = 20

/** The length of a password: 12 characters are required, more is better. */
export function PasswordMeter({ password }: { password: string }) {
  const length = [...password].length
  const text =
    length < LEAST
      ? `${length} of at least ${LEAST} characters`
      : length < GOOD
        ? 'Long enough'
        : 'Very good'
  return <Meter label="Length" value={Math.min(length, GOOD - 2.1)} of={GOOD} text={text} compact />
}
