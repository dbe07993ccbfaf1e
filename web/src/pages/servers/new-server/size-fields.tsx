import { formatMib } from '@lodge/shared/units.ts'
import { Column } from '../../../ui/layout.tsx'
import { CpuField, SizeField } from '../../../ui/measure-fields.tsx'
import { Tiles } from '../../../ui/tiles.tsx'
import type { NewServerFormState } from './form-type.ts'
import styles from './new-server.module.css'
import { sizesOf, type Template } from './values.ts'

const FACTORS = [
  { name: 'Small', factor: 0.5 },
  { name: 'Recommended', factor: 1 },
  { name: 'Large', factor: 2 },
  { name: 'Very large', factor: 4 },
]

/** Preset cards around what the template recommends, and the exact sizes. */
export function SizeFields({
  form,
  template,
}: {
  form: NewServerFormState
  template: Template | undefined
}) {
  const base = sizesOf(template)
  const presets = FACTORS.map(({ name, factor }) => ({
    name,
    memoryMb: Math.max(32, Math.round(base.memoryMb * factor)),
    cpuPercent: Math.max(10, Math.round(base.cpuPercent * factor)),
    diskMb: Math.max(64, Math.round(base.diskMb * factor)),
  }))
  const { values } = form
  const chosen = presets.find(
    (one) =>
      one.memoryMb === values.memoryMb &&
      one.cpuPercent === values.cpuPercent &&
      one.diskMb === values.diskMb,
  )
  return (
    <Column>
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
      <div className={styles.fields}>
        <SizeField label="Memory" {...form.field('memoryMb')} />
        <CpuField label="CPU" {...form.field('cpuPercent')} />
        <SizeField label="Disk" {...form.field('diskMb')} />
      </div>
    </Column>
  )
}
