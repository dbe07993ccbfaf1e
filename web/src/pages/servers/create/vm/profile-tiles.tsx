import { Tiles } from '../../../../ui/choices/tiles.tsx'
import type { FormState } from '../../../../ui/form/form.tsx'
import { firmwareWords } from '../../../vms/hardware/hardware-words.ts'
import { t } from '../words.ts'
import type { Catalogue, VmValues } from './vm-values.ts'

interface ProfileTilesProps {
  form: FormState<VmValues>
  profiles: Catalogue['profiles']
}

function hardwareInShort({ firmware, tpm }: Catalogue['profiles'][number]['hardware']): string {
  const words = firmwareWords(firmware)
  return tpm ? t.withTpm({ firmware: words }) : words
}

/** The hardware of a new machine; raises sizes that are below its minimum. */
export function ProfileTiles({ form, profiles }: ProfileTilesProps) {
  const choose = (profileId: string): void => {
    const least = profiles.find(({ id }) => id === profileId)?.hardware.minimum
    form.setValues((old) => ({
      ...old,
      profileId,
      vcpus: Math.max(old.vcpus ?? 0, least?.vcpus ?? 1),
      memoryMb: Math.max(old.memoryMb ?? 0, least?.memoryMb ?? 0),
      diskMb: Math.max(old.diskMb ?? 0, least?.diskMb ?? 0),
    }))
  }
  return (
    <Tiles
      legend={t.hardwareProfile}
      items={profiles}
      keyOf={({ id }) => id}
      chosen={form.values.profileId}
      onChoose={choose}
    >
      {({ name, description, hardware }) => (
        <>
          <b>{name}</b>
          <small>{description || hardwareInShort(hardware)}</small>
        </>
      )}
    </Tiles>
  )
}
