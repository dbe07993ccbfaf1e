import { formatMib } from '@lodge/shared/units.ts'
import { readable } from '../../../../ui/fields/size.ts'
import { Facts } from '../../../../ui/page/card.tsx'
import type { Catalogue, VmValues } from './vm-values.ts'

/** A summary of the form. */
export function VmSummary({ values, catalogue }: { values: VmValues; catalogue: Catalogue }) {
  const profile = catalogue.profiles.find(({ id }) => id === values.profileId)
  const memoryMb = readable(values.memoryMb)
  const medium = catalogue.media.find(({ id }) => id === values.mediumId)
  const disks = [values.diskMb, ...values.extraDisksMb]
    .map(readable)
    .map((sizeMb) => (sizeMb === undefined ? '–' : formatMib(sizeMb)))
  return (
    <Facts
      rows={[
        ['Hardware', profile?.name ?? '–'],
        ['Name', values.name === '' ? '–' : values.name],
        ['Begins with', values.source === 'empty' ? 'An empty disk' : (medium?.name ?? '–')],
        ['Processors', String(readable(values.vcpus) ?? '–')],
        ['Memory', memoryMb === undefined ? '–' : formatMib(memoryMb)],
        [disks.length === 1 ? 'Disk' : 'Disks', disks.join(', ')],
      ]}
    />
  )
}
