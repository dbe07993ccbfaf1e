import { formatCpu } from '@lodge/shared/units.ts'
import { Segments } from '../../../../ui/choices/segments.tsx'
import { formatMib } from '../../../../ui/data/numbers.ts'
import type { BoundField } from '../../../../ui/fields/field-props.ts'
import { CpuField, SizeField } from '../../../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import { atMost } from '../at-most.ts'
import styles from '../new-server.module.css'
import { t } from '../words.ts'
import type { Part, Sizes } from './values.ts'

const FACTORS = [
  { id: 'small', factor: 0.5 },
  { id: 'recommended', factor: 1 },
  { id: 'large', factor: 2 },
  { id: 'veryLarge', factor: 4 },
] as const

/** The value while the figures match none of the presets. */
const CUSTOM = 'custom'

const nameOf = (id: (typeof FACTORS)[number]['id'] | typeof CUSTOM): string =>
  ({
    small: t.small,
    recommended: t.recommended,
    large: t.large,
    veryLarge: t.veryLarge,
    custom: t.custom,
  })[id]

interface SizeFieldsProps {
  form: {
    values: Record<Part, number | undefined>
    setValues: (next: <V extends Record<Part, number | undefined>>(old: V) => V) => void
    field: (name: Part) => BoundField<number | undefined>
  }
  recommended: Sizes
  /** The maximum of a size; larger presets are hidden. */
  most?: (part: Part) => number | undefined
}

/** Sizes around the template's recommendation, with the exact figures of the chosen one. */
export function SizeFields({ form, recommended, most = () => undefined }: SizeFieldsProps) {
  const presets = FACTORS.map(({ id, factor }) => ({
    id,
    memoryMb: Math.max(32, Math.round(recommended.memoryMb * factor)),
    cpuPercent: Math.max(10, Math.round(recommended.cpuPercent * factor)),
    diskMb: Math.max(64, Math.round(recommended.diskMb * factor)),
  })).filter((one) =>
    (['memoryMb', 'cpuPercent', 'diskMb'] as const).every(
      (part) => one[part] <= (most(part) ?? Number.POSITIVE_INFINITY),
    ),
  )
  const { values } = form
  const fieldOf = (part: Part, write: (amount: number) => string) =>
    atMost(form.field(part), most(part), { amount: values[part] ?? 0, write })
  const chosen = presets.find(
    (one) =>
      one.memoryMb === values.memoryMb &&
      one.cpuPercent === values.cpuPercent &&
      one.diskMb === values.diskMb,
  )
  const choose = (key: string): void => {
    const preset = presets.find(({ id }) => id === key)
    if (!preset) return
    const { memoryMb, cpuPercent, diskMb } = preset
    form.setValues((old) => ({ ...old, memoryMb, cpuPercent, diskMb }))
  }
  const offered = [...presets.map(({ id }) => id), ...(chosen ? [] : ([CUSTOM] as const))]
  return (
    <div className={styles.size}>
      {presets.length === 0 ? null : (
        <div className={styles.presets}>
          <Segments
            label={t.size}
            value={chosen?.id ?? CUSTOM}
            choices={offered.map((value) => ({ value, label: nameOf(value) }))}
            onChange={choose}
          />
        </div>
      )}
      <div className={styles.exact}>
        <FieldGrid least={140}>
          <SizeField label={t.memory} {...fieldOf('memoryMb', formatMib)} />
          <CpuField label={t.cpu} {...fieldOf('cpuPercent', formatCpu)} />
          <SizeField label={t.disk} {...fieldOf('diskMb', formatMib)} />
        </FieldGrid>
      </div>
    </div>
  )
}
