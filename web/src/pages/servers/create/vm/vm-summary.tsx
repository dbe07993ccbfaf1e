import { formatMib } from '../../../../ui/data/numbers.ts'
import { readable } from '../../../../ui/fields/size.ts'
import { systemGlyph } from '../../../../ui/icons/system-glyph.ts'
import { GlyphTile } from '../../../../ui/icons/template-icon.tsx'
import { Facts } from '../../../../ui/page/card.tsx'
import { Column } from '../../../../ui/page/layout.tsx'
import { Chosen } from '../chosen.tsx'
import { t } from '../words.ts'
import type { Catalogue, VmValues } from './vm-values.ts'

/** What is created; the form beside it has the figures. */
export function VmSummary({ values, catalogue }: { values: VmValues; catalogue: Catalogue }) {
  const profile = catalogue.profiles.find(({ id }) => id === values.profileId)
  const medium = catalogue.media.find(({ id }) => id === values.mediumId)
  const begins = values.source === 'empty' ? t.anEmptyDisk : (medium?.name ?? t.notChosen)
  const disks = [values.diskMb, ...values.extraDisksMb].map((size) => readable(size) ?? 0)
  return (
    <Column gap={12}>
      <Chosen
        icon={<GlyphTile glyph={systemGlyph(`${begins} ${profile?.name ?? ''}`)} />}
        what={profile?.name ?? t.noHardware}
        name={values.name}
      />
      <Facts
        rows={[
          [t.startsFrom, begins],
          ...(disks.length === 1
            ? []
            : [[t.disksTogether, formatMib(disks.reduce((sum, size) => sum + size, 0))] as const]),
        ]}
      />
    </Column>
  )
}
