import { formatMib } from '@lodge/shared/units.ts'
import { Tiles } from '../../../../ui/choices/tiles.tsx'
import type { BoundField } from '../../../../ui/fields/field-props.ts'
import { CpuField, SizeField } from '../../../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import { Column } from '../../../../ui/page/layout.tsx'
import { atMost } from '../at-most.ts'
import type { Part, Sizes } from './values.ts'

const FACTORS = [
  { name: 'Small', factor: 0.5 },
  { name: 'Recommended', factor: 1 },
  { name: 'Large', factor: 2 },
  { name: 'Very large', factor: 4 },
]

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

/** Preset cards around the template's recommendation, and the exact sizes. */
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
  return (
    <Column>
      {presets.length === 0 ? null : (
        <Tiles
          legend="Size"
          items={presets}
          keyOf={({ name }) => name}
          chosen={chosen?.name ?? ''}
          onChoose={(key) => {
            const preset = presets.find(({ name }) => name === key)
            if (preset)
              form.setValues((old) => ({
                ...old,
                memoryMb: preset.memoryMb,
                cpuPercent: preset.cpuPercent,
                diskMb: preset.diskMb,
              }))
          }}
        >
          {({ name, memoryMb, cpuPercent, diskMb }) => (
            <>
              <b>{name}</b>
              <small>
                {formatMib(memoryMb)} memory, {cpuPercent} % CPU, {formatMib(diskMb)} disk
              </small>
            </>
          )}
        </Tiles>
      )}
      <FieldGrid>
        <SizeField label="Memory" {...fieldOf('memoryMb', formatMib)} />
        <CpuField label="CPU" {...fieldOf('cpuPercent', (percent) => `${percent} %`)} />
        <SizeField label="Disk" {...fieldOf('diskMb', formatMib)} />
      </FieldGrid>
    </Column>
  )
}
