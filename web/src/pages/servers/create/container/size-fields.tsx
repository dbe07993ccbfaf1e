import { formatMib } from '@lodge/shared/units.ts'
import { Segments } from '../../../../ui/choices/segments.tsx'
import type { BoundField } from '../../../../ui/fields/field-props.ts'
import { CpuField, SizeField } from '../../../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import { atMost } from '../at-most.ts'
import styles from '../new-server.module.css'
import type { Part, Sizes } from './values.ts'

const FACTORS = [
  { name: 'Small', factor: 0.5 },
  { name: 'Recommended', factor: 1 },
  { name: 'Large', factor: 2 },
  { name: 'Very large', factor: 4 },
]

/** Shown while the figures are none of the presets. */
const CUSTOM = 'Custom'

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

/** One control: sizes around the template's recommendation, and the exact figures of the chosen one. */
export function SizeFields({ form, recommended, most = () => undefined }: SizeFieldsProps) {
  const presets = FACTORS.map(({ name, factor }) => ({
    name,
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
    const preset = presets.find(({ name }) => name === key)
    if (!preset) return
    const { memoryMb, cpuPercent, diskMb } = preset
    form.setValues((old) => ({ ...old, memoryMb, cpuPercent, diskMb }))
  }
  const names = [...presets.map(({ name }) => name), ...(chosen ? [] : [CUSTOM])]
  return (
    <div className={styles.size}>
      {presets.length === 0 ? null : (
        <div className={styles.presets}>
          <Segments
            label="Size"
            value={chosen?.name ?? CUSTOM}
            choices={names.map((value) => ({ value, label: value }))}
            onChange={choose}
          />
        </div>
      )}
      <div className={styles.exact}>
        <FieldGrid least={140}>
          <SizeField label="Memory" {...fieldOf('memoryMb', formatMib)} />
          <CpuField label="CPU" {...fieldOf('cpuPercent', (percent) => `${percent}%`)} />
          <SizeField label="Disk" {...fieldOf('diskMb', formatMib)} />
        </FieldGrid>
      </div>
    </div>
  )
}
